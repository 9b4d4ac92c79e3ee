import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';

export interface FormDialogProps extends DialogProps {
  /** The text of its button. */
  readonly action: string;
  /** Takes what was filled in; resolves with the problem, if there is one. */
  readonly onSubmit: (form: FormData) => Promise<string | undefined>;
}

/** A dialog with a form. Enter sends it, also from a text of several lines. */
export function FormDialog({ title, action, onSubmit, onClose, children }: FormDialogProps) {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: HTMLFormElement) => {
    setBusy(true);
    // The fields are ahead of what was drawn.
    setProblem(await onSubmit(new FormData(form)));
    setBusy(false);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="dialog-body"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void submit(event.currentTarget);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          if (!(event.target instanceof HTMLTextAreaElement)) return;
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }}
      >
        {children}
        {problem !== undefined && (
          <p class="bad-text" role="alert">
            {problem}
          </p>
        )}
        <div class="dialog-actions">
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" keys="enter" disabled={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ModelsPage } from '../../contract/session.ts';
import { messageOf, post } from '../base/api.ts';
import { directories } from '../base/board-store.ts';
import { focusSoon } from '../base/focus.ts';
import { navigate } from '../base/router.ts';
import { useResource } from '../base/use-resource.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';

/** Whether the form for a new session is open. */
export const isNewSessionOpen = signal(false);

function close(): void {
  isNewSessionOpen.value = false;
}

/** Starts a session in a directory that is trusted already. */
export function NewSession() {
  if (!isNewSessionOpen.value) return null;
  const start = async (form: FormData) => {
    try {
      // A model is named only where there is a choice.
      const fields = Object.fromEntries([...form].filter(([, value]) => value !== ''));
      const { id } = await post<{ readonly id: string }>('/api/sessions', fields);
      close();
      navigate(`/s/${encodeURIComponent(id)}`);
      focusSoon('#composer');
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };
  return (
    <Dialog title="New session" onClose={close}>
      <DialogForm action="Start" onSubmit={start} onClose={close}>
        <WorkFields />
      </DialogForm>
    </Dialog>
  );
}

export interface DialogFormProps {
  /** The text of its button. */
  readonly action: string;
  /** Takes what was filled in; resolves with the problem, if there is one. */
  readonly onSubmit: (form: FormData) => Promise<string | undefined>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form in a dialog. Enter sends it, also from a text of several lines. */
export function DialogForm({ action, onSubmit, onClose, children }: DialogFormProps) {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: HTMLFormElement) => {
    setBusy(true);
    // The fields are ahead of what was drawn.
    setProblem(await onSubmit(new FormData(form)));
    setBusy(false);
  };
  return (
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
  );
}

/** The directory, the model and the task of new work. */
export function WorkFields() {
  const known = directories.value;
  const { value } = useResource<ModelsPage>('/api/models');
  return (
    <>
      <label>
        Directory
        <input class="field" name="cwd" list="directories" required defaultValue={known[0] ?? ''} />
        <datalist id="directories">
          {known.map((directory) => (
            <option key={directory} value={directory} />
          ))}
        </datalist>
      </label>
      {value && value.models.length > 0 && (
        <label>
          Model
          <select class="field" name="model">
            {value.default !== undefined && <option value="">{value.default} (usual)</option>}
            {value.models
              .filter((model) => model !== value.default)
              .map((model) => (
                <option key={model} value={model}>
                  {model}
                </option>
              ))}
          </select>
        </label>
      )}
      <label>
        Task
        <textarea class="field" name="prompt" rows={4} required autofocus />
      </label>
    </>
  );
}

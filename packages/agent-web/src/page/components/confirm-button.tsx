import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { FormDialog } from './form-dialog.tsx';
import type { IconName } from './icon.tsx';

export interface ConfirmButtonProps {
  readonly icon: IconName;
  readonly text: string;
  /** The spoken name of a button that is only its icon. */
  readonly label?: string;
  /** Says what will happen. */
  readonly question: string;
  readonly onConfirm: () => void;
}

/** A button that asks before it acts. */
export function ConfirmButton({ icon, text, label, question, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <Button
        kind={label === undefined ? 'default' : 'icon'}
        icon={icon}
        label={label ?? text}
        title={text}
        onClick={() => setAsking(true)}
      >
        {label === undefined && <span class="wide">{text}</span>}
      </Button>
      {isAsking && (
        <FormDialog
          title={text}
          action={text}
          onSubmit={async () => {
            close();
            onConfirm();
            return undefined;
          }}
          onClose={close}
        >
          <p>{question}</p>
        </FormDialog>
      )}
    </>
  );
}

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog above the page. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  // Before the next key, not after the next frame: a key that came in between would act on the page below.
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={box}
      class="dialog"
      aria-label={title}
      // Only if the user closed it: one that is gone tells nothing.
      onClose={() => box.current && onClose()}
      // Letters are for the dialog, not for the screen below it.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header>
        <h2>{title}</h2>
        <Button kind="icon" icon="cross" label="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}

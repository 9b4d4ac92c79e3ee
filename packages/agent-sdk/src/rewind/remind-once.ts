import type { InteractiveSession } from '../session/interactive-session.ts';

/** Sends a reminder to the model with the next prompt. */
export function remindOnce(session: ReturnType<InteractiveSession['getSession']>, text: () => string): void {
  const dispose = session.hooks.add(
    'input',
    () => {
      dispose();
      return { context: `<system-reminder>${text()}</system-reminder>` };
    },
    'rewind',
  );
}

import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';

/** Model and thinking level chosen in one session are kept for the next, whatever the command line names. */
export async function keepModel(old: InteractiveSession, next: InteractiveSession): Promise<void> {
  const { vendor, id } = old.model;
  const { model } = next;
  if (model.vendor !== vendor || model.id !== id) {
    try {
      next.useModel(`${vendor}/${id}`);
    } catch {
      // The settings' own model is there already.
    }
  }
  if (next.thinking !== old.thinking) await next.setThinking(old.thinking);
}

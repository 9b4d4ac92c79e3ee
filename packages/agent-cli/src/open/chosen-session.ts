import type { InteractiveSessionOptions, UserInterface } from '@robota-sdk/agent-sdk/front-end';

/** `-r` alone lets the user choose. */
export async function chosenSession(
  options: InteractiveSessionOptions,
  terminal: UserInterface,
): Promise<InteractiveSessionOptions> {
  const { store } = options;
  if (typeof store !== 'object' || !('open' in store) || store.open !== '') return options;
  const { chooseSession } = await import('./choose-session.ts');
  const { keptFor } = await import('./open-session.ts');
  return { ...options, store: { open: await chooseSession({ kept: await keptFor(options) }, terminal) } };
}

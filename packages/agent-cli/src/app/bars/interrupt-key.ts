import type { Keybindings } from '@robota-sdk/agent-tui';

/** How the key is called that stops what is going on. */
export function interruptKeyOf(keys: Keybindings): string {
  return keys.keysOf('app.interrupt')[0]?.replace('escape', 'esc') ?? 'ctrl+c';
}

import type { AppKeybindings } from '../keys/app-actions.ts';

/** How the key is called that stops what is going on. */
export function interruptKeyOf(keys: AppKeybindings): string {
  return keys.keysOf('app.interrupt')[0]?.replace('escape', 'esc') ?? 'ctrl+c';
}

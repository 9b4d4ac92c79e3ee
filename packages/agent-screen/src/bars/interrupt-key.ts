import type { AppKeybindings } from '../keys/app-actions.ts';

/** The label of the interrupt key. */
export function interruptKeyOf(keys: AppKeybindings): string {
  return keys.keysOf('app.interrupt')[0]?.replace('escape', 'esc') ?? 'ctrl+c';
}

/** The label of the key that moves commands to the background; undefined without one. */
export function backgroundKeyOf(keys: AppKeybindings): string | undefined {
  return keys.keysOf('app.background')[0];
}

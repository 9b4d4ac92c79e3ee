import { type ActionId, defaultKeybindings } from './default-keybindings.ts';
import type { KeybindingOverrides } from './keybindings.ts';

/** A key that was given to an action although another one has it in the same place. */
export interface KeyClash {
  readonly action: ActionId;
  readonly key: string;
  readonly other: ActionId;
}

/** The keys that a person gave to actions and that others have, too. */
export function keyClashes(overrides: KeybindingOverrides): readonly KeyClash[] {
  const given = Object.keys(overrides) as ActionId[];
  const all = Object.keys(defaultKeybindings) as ActionId[];
  return given.flatMap((action, index) =>
    all
      // Of two that were given the same key, the second is the one to tell of.
      .filter((other) => !given.slice(index).includes(other) && !mayShare(action, other))
      .flatMap((other) => sharedKeys(overrides, action, other).map((key) => ({ action, key, other }))),
  );
}

/** What most terminals send for a key, where that is another key. */
export function twinOf(key: string): string | undefined {
  return twins.get(key);
}

const twins: ReadonlyMap<string, string> = new Map([
  ['ctrl+m', 'enter'],
  ['ctrl+i', 'tab'],
  ['ctrl+[', 'escape'],
]);

function sharedKeys(overrides: KeybindingOverrides, action: ActionId, other: ActionId): readonly string[] {
  const held = overrides[other] ?? defaultKeybindings[other].keys;
  return (overrides[action] ?? []).filter((key) => (held as readonly string[]).includes(key));
}

/** Actions of different places never meet; those that share a key at first tell by themselves whose it is. */
function mayShare(action: ActionId, other: ActionId): boolean {
  if (placeOf(action) !== placeOf(other)) return true;
  const keys: readonly string[] = defaultKeybindings[action].keys;
  return defaultKeybindings[other].keys.some((key) => keys.includes(key));
}

const places: readonly (readonly [prefix: RegExp, place: string])[] = [
  [/^tui\.select\./, 'lists'],
  [/^app\.tree\./, 'the tree'],
  [/^app\.session\.(?:toggle|rename|delete)/, 'the list of sessions'],
];

function placeOf(action: ActionId): string {
  return places.find(([prefix]) => prefix.test(action))?.[1] ?? 'the editor';
}

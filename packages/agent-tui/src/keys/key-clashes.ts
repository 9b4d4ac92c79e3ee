import type { KeybindingOverrides } from './keybindings.ts';
import type { ActionDefinition, ActionTable } from './toolkit-actions.ts';

/** A key that the user bound to an action while another action of the same scope has it. */
export interface KeyClash<Action extends string> {
  readonly action: Action;
  readonly key: string;
  readonly other: Action;
}

/** The keys of overrides that other actions also have. */
export function keyClashes<Action extends string>(
  actions: ActionTable<Action>,
  overrides: KeybindingOverrides<Action>,
): readonly KeyClash<Action>[] {
  const changed = Object.keys(overrides) as Action[];
  const all = Object.keys(actions) as Action[];
  const sharedKeys = (action: Action, other: Action) => {
    const held = overrides[other] ?? actions[other].keys;
    return (overrides[action] ?? []).filter((key) => held.includes(key));
  };
  return changed.flatMap((action, index) =>
    all
      // If the user bound one key to two actions, the second one is reported.
      .filter((other) => !changed.slice(index).includes(other) && !mayShare(actions[action], actions[other]))
      .flatMap((other) => sharedKeys(action, other).map((key) => ({ action, key, other }))),
  );
}

/** Actions of different scopes never compete. Those that share a default key are told apart by their components. */
function mayShare(action: ActionDefinition, other: ActionDefinition): boolean {
  return action.scope !== other.scope || other.keys.some((key) => action.keys.includes(key));
}

/** The key that most terminals send instead of this one. */
export function aliasOf(key: string): string | undefined {
  return aliases.get(key);
}

const aliases: ReadonlyMap<string, string> = new Map([
  ['ctrl+m', 'enter'],
  ['ctrl+i', 'tab'],
  ['ctrl+[', 'escape'],
]);

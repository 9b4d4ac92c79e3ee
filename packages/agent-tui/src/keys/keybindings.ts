import { type ActionId, defaultKeybindings, type KeybindingDefault } from './default-keybindings.ts';
import type { KeyEvent } from './key-event.ts';
import { normalizeKeyId } from './key-id.ts';
import { matchesKey } from './matches-key.ts';

/** Keys that take the place of an action's first ones; an empty list leaves it without any. */
export type KeybindingOverrides = Partial<Readonly<Record<ActionId, readonly string[]>>>;

/** Which keys do what; everything that reads keys asks it. */
export class Keybindings {
  readonly #keys = new Map<ActionId, readonly string[]>();

  constructor(overrides: KeybindingOverrides = {}) {
    for (const action of actionIds())
      this.#keys.set(action, overrides[action] ?? defaultKeybindings[action].keys);
  }

  /** The keys of an action, in the form of key ids. */
  keysOf(action: ActionId): readonly string[] {
    return this.#keys.get(action) ?? [];
  }

  /** Whether an event is a stroke of one of an action's keys. */
  matches(event: KeyEvent, action: ActionId): boolean {
    return this.keysOf(action).some((key) => matchesKey(event, key));
  }

  /** The first of the given actions that an event is a stroke for. */
  find<Action extends ActionId>(event: KeyEvent, actions: readonly Action[]): Action | undefined {
    return actions.find((action) => this.matches(event, action));
  }

  /** Every action with its keys and what it does, for help. */
  list(): { readonly action: ActionId; readonly keys: readonly string[]; readonly description: string }[] {
    return actionIds().map((action) => {
      const { description }: KeybindingDefault = defaultKeybindings[action];
      return { action, keys: this.keysOf(action).map((key) => normalizeKeyId(key) ?? key), description };
    });
  }
}

function actionIds(): ActionId[] {
  return Object.keys(defaultKeybindings) as ActionId[];
}

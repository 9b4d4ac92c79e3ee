import type { KeyEvent } from './key-event.ts';
import { matchesKey, normalizeKeyId } from './key-id.ts';
import type { ActionTable, ToolkitAction } from './toolkit-actions.ts';

/** Keys that replace an action's default keys. An empty list unbinds the action. */
export type KeybindingOverrides<Action extends string> = Partial<Readonly<Record<Action, readonly string[]>>>;

/** Maps keys to the actions of a program. Components need those of {@link ToolkitAction} only. */
export class Keybindings<in Action extends string = ToolkitAction> {
  readonly #actions: ActionTable<string>;
  readonly #overrides: Partial<Readonly<Record<string, readonly string[]>>>;
  #preset: Partial<Readonly<Record<string, readonly string[]>>> = {};

  constructor(actions: ActionTable<Action>, overrides: KeybindingOverrides<Action> = {}) {
    this.#actions = actions;
    this.#overrides = overrides;
  }

  /** Replaces default keys. The user's own overrides stay in force. */
  usePreset(preset: KeybindingOverrides<Action>): void {
    this.#preset = preset;
  }

  /** The keys of an action. */
  keysOf(action: Action): readonly string[] {
    return this.#keysOf(action);
  }

  /** True if a key event triggers an action. */
  matches(event: KeyEvent, action: Action): boolean {
    return this.#keysOf(action).some((key) => matchesKey(event, key));
  }

  /** The first of these actions that a key event triggers. */
  find<Wanted extends Action>(event: KeyEvent, actions: readonly Wanted[]): Wanted | undefined {
    return actions.find((action) => this.matches(event, action));
  }

  /** Runs the handler of the first of these actions that a key event triggers; false if there is none. */
  run(event: KeyEvent, handlers: { readonly [Name in Action]?: () => void }): boolean {
    const action = this.find(event, Object.keys(handlers) as Action[]);
    if (action === undefined) return false;
    handlers[action]?.();
    return true;
  }

  /** All actions, for help. */
  list(): { readonly action: string; readonly keys: readonly string[]; readonly description: string }[] {
    return Object.entries(this.#actions).map(([action, { description }]) => {
      const keys = this.#keysOf(action).map((key) => normalizeKeyId(key) ?? key);
      return { action, keys, description };
    });
  }

  #keysOf(action: string): readonly string[] {
    return this.#overrides[action] ?? this.#preset[action] ?? this.#actions[action]?.keys ?? [];
  }
}

import { nearest } from '@robota-sdk/agent-diff';
import { type FileProblem, type JsonDocument, readJsonDocument } from '../text/json-document.ts';
import { normalizeKeyId } from './key-id.ts';
import type { KeybindingOverrides } from './keybindings.ts';
import type { ActionDefinition, ActionTable } from './toolkit-actions.ts';

/** The actions of a program, and what older files call them. */
export interface KeybindingsSchema<Action extends string> {
  readonly actions: ActionTable<Action>;
  /** The action that an id of an older file means. */
  readonly formerAction?: (id: string) => Action | undefined;
  /** True for a file of another program: actions that are missing here are only listed. */
  readonly isForeign?: boolean;
}

/** The usable bindings of a file, and its problems. */
export interface KeybindingsFile<Action extends string> {
  readonly overrides: KeybindingOverrides<Action>;
  readonly problems: readonly FileProblem[];
}

/** Reads the text of a `keybindings.json`: an object of actions, each with a key or a list of keys. */
export async function readKeybindings<Action extends string>(
  text: string,
  schema: KeybindingsSchema<Action>,
): Promise<KeybindingsFile<Action>> {
  const document = await readJsonDocument(text);
  if (document.problem) return { overrides: {}, problems: [withAdvice(document.problem)] };
  const { value } = document;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const message = 'Expected an object such as {"tui.editor.undo": "ctrl+z"}. The default keys are used.';
    return { overrides: {}, problems: [{ line: 1, message }] };
  }
  return readActions(document, value, schema);
}

function readActions<Action extends string>(
  document: JsonDocument,
  value: object,
  { actions, formerAction, isForeign = false }: KeybindingsSchema<Action>,
): KeybindingsFile<Action> {
  const overrides: { [Id in Action]?: readonly string[] } = {};
  const unknown: string[] = [];
  const problems: FileProblem[] = [];
  for (const [name, written] of Object.entries(value)) {
    const action = isAction(name, actions) ? name : formerAction?.(name);
    if (action === undefined) {
      const [near] = isForeign ? [] : nearest(name, Object.keys(actions));
      const message = `Unknown action "${name}". Did you mean "${near}"?`;
      if (near === undefined) unknown.push(name);
      if (near !== undefined) problems.push({ line: document.lineOf([name]), message });
      continue;
    }
    // A file may have both ids of an action while it is being migrated; the current one wins.
    if (action !== name && Object.hasOwn(value, action)) continue;
    const { keys, unusable } = readKeys(written);
    const line = document.lineOf([name]);
    for (const key of unusable) problems.push({ line, message: unknownKey(name, key) });
    if (unusable.length === 0 || keys.length > 0) overrides[action] = keys;
  }
  for (const [action, keys] of Object.entries<readonly string[] | undefined>(overrides))
    for (const key of keys ?? []) {
      const alias = aliasOf(key);
      if (alias !== undefined)
        problems.push({ line: document.lineOf([action]), message: isAlias(action, key, alias) });
    }
  const [first] = unknown;
  if (first !== undefined)
    problems.push({ line: document.lineOf([first]), message: unknownActions(unknown) });
  const clashes = keyClashes(actions, overrides);
  for (const { action, key, other } of clashes)
    problems.push({ line: document.lineOf([action]), message: isTaken(action, key, other) });
  // A key that the user binds is taken from actions that have it by default.
  const byUser = new Set<string>(Object.keys(overrides));
  for (const { key, other } of clashes)
    if (!byUser.has(other))
      overrides[other] = (overrides[other] ?? actions[other].keys).filter((each) => each !== key);
  return { overrides, problems };
}

function isAction<Action extends string>(id: string, actions: ActionTable<Action>): id is Action {
  return Object.hasOwn(actions, id);
}

function readKeys(written: unknown): { keys: string[]; unusable: unknown[] } {
  const keys: string[] = [];
  const unusable: unknown[] = [];
  for (const key of Array.isArray(written) ? written : [written]) {
    const id = typeof key === 'string' ? normalizeKeyId(key) : undefined;
    if (id === undefined) unusable.push(key);
    else keys.push(id);
  }
  return { keys, unusable };
}

function withAdvice({ line, message }: FileProblem): FileProblem {
  return { line, message: `${message} The default keys are used until it is corrected.` };
}

function unknownActions(names: readonly string[]): string {
  const list = names.map((name) => `"${name}"`).join(', ');
  return `Unknown action${names.length === 1 ? '' : 's'} ${list}. The help lists the actions.`;
}

function isAlias(action: string, key: string, alias: string): string {
  return `"${action}": most terminals send ${alias} for ${key}, so it may never arrive. Choose another key.`;
}

function isTaken(action: string, key: string, other: string): string {
  return `"${action}": ${key} is also the key of "${other}". Give that one another key, or [] for none.`;
}

function unknownKey(name: string, key: unknown): string {
  return `"${name}": ${JSON.stringify(key)} is not a key. Write keys like "ctrl+shift+p", "alt+enter" or "f1".`;
}

/** A key that the user bound to an action while another action of the same scope has it. */
interface KeyClash<Action extends string> {
  readonly action: Action;
  readonly key: string;
  readonly other: Action;
}

/** The keys of overrides that other actions also have. */
function keyClashes<Action extends string>(
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

/** Actions of different scopes never compete. Components decide between actions that share a default key. */
function mayShare(action: ActionDefinition, other: ActionDefinition): boolean {
  return action.scope !== other.scope || other.keys.some((key) => action.keys.includes(key));
}

/** The key that most terminals send instead of this one. */
function aliasOf(key: string): string | undefined {
  return aliases.get(key);
}

const aliases: ReadonlyMap<string, string> = new Map([
  ['ctrl+m', 'enter'],
  ['ctrl+i', 'tab'],
  ['ctrl+[', 'escape'],
]);

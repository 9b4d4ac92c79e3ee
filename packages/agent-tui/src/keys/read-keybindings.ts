import { type FileProblem, type JsonDocument, readJsonDocument } from '../text/json-document.ts';
import { nearestName } from '../text/nearest-name.ts';
import { type ActionId, defaultKeybindings } from './default-keybindings.ts';
import { formerActionId, isActionId } from './former-action-ids.ts';
import { type KeyClash, keyClashes, twinOf } from './key-clashes.ts';
import { normalizeKeyId } from './key-id.ts';
import type { KeybindingOverrides } from './keybindings.ts';

/** What a `keybindings.json` says, and what in it can't be used; the rest of it counts. */
export interface KeybindingsFile {
  readonly overrides: KeybindingOverrides;
  readonly problems: readonly FileProblem[];
}

/** Reads the text of a `keybindings.json`: an object of actions, each with a key or a list of keys. */
export async function readKeybindings(text: string): Promise<KeybindingsFile> {
  const document = await readJsonDocument(text);
  if (document.problem) return { overrides: {}, problems: [withAdvice(document.problem)] };
  const { value } = document;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const message = 'Expected an object such as {"app.help": "f1"}. The default keys are used.';
    return { overrides: {}, problems: [{ line: 1, message }] };
  }
  return readActions(document, value);
}

function readActions(document: JsonDocument, value: object): KeybindingsFile {
  const overrides: Partial<Record<ActionId, readonly string[]>> = {};
  const problems: FileProblem[] = [];
  for (const [name, written] of Object.entries(value)) {
    const action = isActionId(name) ? name : formerActionId(name);
    if (action === undefined) {
      problems.push({ line: document.lineOf([name]), message: unknownAction(name) });
      continue;
    }
    // A file may have both names of one action while it is being brought up to date.
    if (action !== name && Object.hasOwn(value, action)) continue;
    const { keys, unusable } = readKeys(written);
    const line = document.lineOf([name]);
    for (const key of unusable) problems.push({ line, message: unknownKey(name, key) });
    if (unusable.length === 0 || keys.length > 0) overrides[action] = keys;
  }
  for (const [action, keys = []] of Object.entries(overrides))
    for (const key of keys) {
      const twin = twinOf(key);
      if (twin !== undefined)
        problems.push({ line: document.lineOf([action]), message: isTwin(action, key, twin) });
    }
  const clashes = keyClashes(overrides);
  for (const { action, key, other } of clashes)
    problems.push({ line: document.lineOf([action]), message: isTaken(action, key, other) });
  return { overrides: { ...withoutTaken(clashes, overrides), ...overrides }, problems };
}

/** A key that a person gives to an action is no longer that of another one which has it only at first. */
function withoutTaken(clashes: readonly KeyClash[], given: KeybindingOverrides): KeybindingOverrides {
  const left: Partial<Record<ActionId, readonly string[]>> = {};
  for (const { key, other } of clashes) {
    if (given[other]) continue;
    const keys: readonly string[] = left[other] ?? defaultKeybindings[other].keys;
    left[other] = keys.filter((each) => each !== key);
  }
  return left;
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

function unknownAction(name: string): string {
  const near = nearestName(name, Object.keys(defaultKeybindings));
  const advice = near === undefined ? 'See the help for the actions there are.' : `Did you mean "${near}"?`;
  return `There is no action "${name}". ${advice}`;
}

function isTwin(action: string, key: string, twin: string): string {
  return `"${action}": most terminals send ${twin} for ${key}, so it may never arrive. Choose another key.`;
}

function isTaken(action: string, key: string, other: ActionId): string {
  return `"${action}": ${key} is also the key of "${other}". Give that one another key, or [] for none.`;
}

function unknownKey(name: string, key: unknown): string {
  return `"${name}": ${JSON.stringify(key)} is no key. Keys are written like "ctrl+shift+p", "alt+enter" or "f1".`;
}

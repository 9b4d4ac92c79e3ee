import { isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';

type Container = Record<string, JsonValue> | JsonValue[];

/** Collects the arguments of a call that come whole, or value by value with the JSON path of each. */
export class PartialArguments {
  #arguments: Record<string, JsonValue> = {};
  #invalid: string | undefined;

  /** Takes what one part holds: `args`, `partialArgs`, both or neither. */
  add(whole: JsonValue | undefined, partial: JsonValue | undefined): void {
    if (isJsonObject(whole)) this.#arguments = { ...this.#arguments, ...whole };
    else if (whole !== undefined && whole !== null) this.#invalid = 'The arguments are not a JSON object.';
    for (const value of Array.isArray(partial) ? partial : []) if (isJsonObject(value)) this.#set(value);
  }

  /** The arguments so far; `{}` and the reason where they can't be used. */
  result(): { readonly input: JsonObject; readonly invalid?: string } {
    return this.#invalid === undefined ? { input: this.#arguments } : { input: {}, invalid: this.#invalid };
  }

  #set(partial: JsonObject): void {
    const path = typeof partial.jsonPath === 'string' ? parsePath(partial.jsonPath) : undefined;
    const value = scalarOf(partial);
    if (path === undefined)
      this.#invalid = `The arguments came with a path that can't be read: ${partial.jsonPath}`;
    else if (value !== undefined) place(this.#arguments, path, value);
  }
}

/** Splits `$.todos[0].text` or `$['a b']` into its steps; undefined where it is neither. */
function parsePath(path: string): (string | number)[] | undefined {
  const steps: (string | number)[] = [];
  const step = /\.([^.[\]]+)|\[(\d{1,6})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;
  step.lastIndex = path.startsWith('$') ? 1 : 0;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (!match) return undefined;
    const name = match[1] ?? match[3]?.replace(/\\(.)/g, '$1') ?? match[4]?.replace(/\\(.)/g, '$1');
    if (name === '__proto__') return undefined;
    steps.push(name ?? Number(match[2]));
  }
  return steps.length > 0 && typeof steps[0] === 'string' ? steps : undefined;
}

function scalarOf(partial: JsonObject): JsonValue | undefined {
  if ('nullValue' in partial) return null;
  return partial.stringValue ?? partial.numberValue ?? partial.boolValue;
}

/** Strings come in pieces, so a string on a string is appended. */
function place(root: Container, path: readonly (string | number)[], value: JsonValue): void {
  let container = root;
  for (const [depth, step] of path.entries()) {
    const known = get(container, step);
    if (depth === path.length - 1) {
      put(container, step, typeof known === 'string' && typeof value === 'string' ? known + value : value);
      return;
    }
    const next = isContainer(known) ? known : typeof path[depth + 1] === 'number' ? [] : {};
    put(container, step, next);
    container = next;
  }
}

function isContainer(value: JsonValue | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}

function get(container: Container, step: string | number): JsonValue | undefined {
  if (Array.isArray(container)) return typeof step === 'number' ? container[step] : undefined;
  return Object.hasOwn(container, step) ? container[String(step)] : undefined;
}

function put(container: Container, step: string | number, value: JsonValue): void {
  if (!Array.isArray(container)) container[String(step)] = value;
  else if (typeof step === 'number' && step <= container.length) container[step] = value;
}

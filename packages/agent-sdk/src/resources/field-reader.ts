import { type JsonObject, type JsonValue, nearest } from '@robota-sdk/agent-core';
import type { FrontMatter } from './front-matter.ts';

/** Reads the fields of a front matter under any of the names that dialects give them, and tells what it could not use. */
export class FieldReader {
  readonly problems: string[];
  readonly #data: JsonObject;
  readonly #path: string;
  readonly #known = new Set<string>();

  constructor(path: string, { data, problems }: FrontMatter) {
    this.#path = path;
    this.#data = data;
    this.problems = problems.map(({ line, message }) => `${path}:${line}: ${message}`);
  }

  text(...names: readonly string[]): string | undefined {
    const value = this.#value(names);
    if (value === undefined) return undefined;
    if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return this.#unusable(names, 'a text');
  }

  /** A positive whole number. */
  count(...names: readonly string[]): number | undefined {
    const value = this.#value(names);
    if (value === undefined) return undefined;
    const number = Number(value);
    return Number.isInteger(number) && number > 0 ? number : this.#unusable(names, 'a number above 0');
  }

  flag(...names: readonly string[]): boolean | undefined {
    const value = this.#value(names);
    if (value === undefined) return undefined;
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    return this.#unusable(names, 'true or false');
  }

  /** A list, or a text with commas or blanks between its items; those inside parentheses belong to their item. */
  list(...names: readonly string[]): readonly string[] | undefined {
    const value = this.#value(names);
    if (value === undefined) return undefined;
    if (Array.isArray(value)) return value.map(String);
    return typeof value === 'string' ? splitList(value) : this.#unusable(names, 'a list');
  }

  oneOf<T extends string>(choices: readonly T[], ...names: readonly string[]): T | undefined {
    const value = this.text(...names);
    if (value === undefined) return undefined;
    return (
      choices.find((choice) => choice === value) ?? this.#unusable(names, `one of ${choices.join(', ')}`)
    );
  }

  /** Knows fields that have no meaning here, so that nothing is said about them. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.#known.add(name);
  }

  /** Names the fields that are almost one of ours; others may belong to another program. */
  checkNames(): void {
    for (const key of Object.keys(this.#data)) {
      if (this.#known.has(key)) continue;
      const [near] = nearest(key, [...this.#known]);
      if (near !== undefined)
        this.problems.push(`${this.#path}: there is no field "${key}". Did you mean "${near}"?`);
    }
  }

  #value(names: readonly string[]): JsonValue | undefined {
    for (const name of names) this.#known.add(name);
    const name = names.find((each) => Object.hasOwn(this.#data, each));
    return name === undefined ? undefined : (this.#data[name] ?? undefined);
  }

  #unusable([name]: readonly string[], expected: string): undefined {
    this.problems.push(`${this.#path}: "${name}" should be ${expected}; it is left out.`);
    return undefined;
  }
}

function splitList(text: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let current = '';
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth = Math.max(0, depth - 1);
    const isBetween = depth === 0 && /[\s,]/.test(character);
    if (isBetween) {
      items.push(current);
      current = '';
    } else current += character;
  }
  return [...items, current].filter((item) => item !== '');
}

import type { FrontMatter } from '@robota-sdk/agent-config';
import { type JsonObject, type JsonValue, nearest, type Problem, warning } from '@robota-sdk/agent-core';

/** Reads the fields of a front matter under any of the names that dialects give them, and reports unusable ones. */
export class FieldReader {
  readonly problems: Problem[];
  readonly #data: JsonObject;
  readonly #head: string;
  readonly #path: string;
  readonly #known = new Set<string>();

  constructor(path: string, { data, head, problems }: FrontMatter) {
    this.#path = path;
    this.#head = head;
    this.#data = data;
    this.problems = problems.map(({ line, message }) =>
      warning('front-matter.invalid', message, { source: { file: path, line }, isInactive: true }),
    );
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
    const items = Array.isArray(value) ? value.map(String) : undefined;
    const list = items ?? (typeof value === 'string' ? splitList(value) : this.#unusable(names, 'a list'));
    for (const item of list ?? []) {
      if (!isClosed(item)) this.#complain(names, `has an unclosed parenthesis in "${item}"`);
    }
    return list;
  }

  oneOf<T extends string>(choices: readonly T[], ...names: readonly string[]): T | undefined {
    const value = this.text(...names);
    if (value === undefined) return undefined;
    return (
      choices.find((choice) => choice === value) ?? this.#unusable(names, `one of ${choices.join(', ')}`)
    );
  }

  /** Reports something about a field that is used all the same. */
  warn(name: string, problem: string): void {
    this.#complain([name], problem);
  }

  /** Knows fields that have no meaning here, so that they are not reported. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.#known.add(name);
  }

  /** Names the fields that are almost one of ours; others may belong to another program. */
  checkNames(): void {
    for (const key of Object.keys(this.#data)) {
      if (this.#known.has(key)) continue;
      const [near] = nearest(key, [...this.#known]);
      if (near === undefined) continue;
      const hint = `Did you mean "${near}"?`;
      this.problems.push({ ...this.#problem(key, `Unknown field "${key}".`), hint });
    }
  }

  #value(names: readonly string[]): JsonValue | undefined {
    for (const name of names) this.#known.add(name);
    const name = names.find((each) => Object.hasOwn(this.#data, each));
    return name === undefined ? undefined : (this.#data[name] ?? undefined);
  }

  #unusable(names: readonly string[], expected: string): undefined {
    this.#complain(names, `must be ${expected}; it is ignored`);
    return undefined;
  }

  #complain(names: readonly string[], problem: string): void {
    const name = names.find((each) => Object.hasOwn(this.#data, each)) ?? names[0] ?? '';
    this.problems.push(this.#problem(name, `"${name}" ${problem}.`));
  }

  #problem(field: string, message: string): Problem {
    const source = { file: this.#path, line: lineOfField(this.#head, field) };
    return warning('front-matter.field', message, { subject: field, source, isInactive: true });
  }
}

/** The line of a file on which a field of its front matter begins. */
function lineOfField(head: string, field: string): number | undefined {
  const index = head.split('\n').findIndex((line) => line.startsWith(`${field}:`));
  return index < 0 ? undefined : index + 2;
}

function isClosed(item: string): boolean {
  return item.split('(').length === item.split(')').length;
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

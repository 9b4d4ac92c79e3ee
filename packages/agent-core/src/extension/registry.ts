export interface Registered<T> {
  readonly name: string;
  readonly value: T;
  /** Its origin: `built-in`, a file or a plugin. */
  readonly source: string;
}

/** A name that more than one source claims; `kept` is the one in force. */
export interface Clash {
  readonly name: string;
  readonly kept: string;
  readonly hidden: readonly string[];
}

/** Named values with their sources. The first source of a name wins; when it goes, the next one shows. */
export class Registry<T> {
  readonly #entries = new Map<string, Registered<T>[]>();
  readonly #sources = new Map<string, Set<Registered<T>>>();
  readonly #unlisted = new Set<string>();

  /** Adds a value and returns the function that takes it away again. */
  add(name: string, value: T, source: string): () => void {
    const entry: Registered<T> = { name, value, source };
    const stack = this.#entries.get(name);
    if (stack) stack.push(entry);
    else this.#entries.set(name, [entry]);
    const entries = this.#sources.get(source) ?? new Set<Registered<T>>();
    this.#sources.set(source, entries.add(entry));
    return () => this.#remove(entry);
  }

  /** Leaves a name out of `list` and `values`; `get` still finds it. */
  hide(name: string): void {
    this.#unlisted.add(name);
  }

  get(name: string): T | undefined {
    return this.#entries.get(name)?.[0]?.value;
  }

  /** The entries in force that are not hidden, in the order their names were first added. */
  list(): readonly Registered<T>[] {
    return [...this.#entries].flatMap(([name, stack]) => (this.#unlisted.has(name) ? [] : stack.slice(0, 1)));
  }

  /** All values, those that others of their name hide included. */
  everything(): readonly T[] {
    return [...this.#entries.values()].flat().map((entry) => entry.value);
  }

  /** The origin of a value. */
  sourceOf(value: T): string | undefined {
    return [...this.#entries.values()].flat().find((entry) => entry.value === value)?.source;
  }

  /** The values of a source. */
  of(source: string): readonly T[] {
    return [...(this.#sources.get(source) ?? [])].map((entry) => entry.value);
  }

  values(): readonly T[] {
    return this.list().map((entry) => entry.value);
  }

  clashes(): readonly Clash[] {
    return [...this.#entries.entries()].flatMap(([name, [first, ...others]]) => {
      if (!first || others.length === 0) return [];
      return [{ name, kept: first.source, hidden: others.map((entry) => entry.source) }];
    });
  }

  #remove(entry: Registered<T>): void {
    this.#sources.get(entry.source)?.delete(entry);
    const remaining = this.#entries.get(entry.name)?.filter((other) => other !== entry) ?? [];
    if (remaining.length === 0) this.#entries.delete(entry.name);
    else this.#entries.set(entry.name, remaining);
  }
}

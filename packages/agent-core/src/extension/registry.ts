export interface Registered<T> {
  readonly name: string;
  readonly value: T;
  /** Its origin: `built-in`, a file or a plugin. */
  readonly source: string;
  /** Entries of the same name from other sources win. */
  readonly yields?: true;
}

/** A name that more than one source claims; `kept` is the one in force. */
export interface Clash {
  readonly name: string;
  readonly kept: string;
  readonly hidden: readonly string[];
}

/** Named values with their sources. The first source of a name wins; when it is removed, the next one takes over. */
export class Registry<T> {
  readonly #entries = new Map<string, Registered<T>[]>();
  readonly #sources = new Map<string, Set<Registered<T>>>();
  readonly #unlisted = new Set<string>();

  /** Adds a value and returns a function that removes it. */
  add(name: string, value: T, source: string): () => void {
    return this.#add({ name, value, source });
  }

  /** Like `add`, but any other value of that name wins, without being a clash. */
  addYielding(name: string, value: T, source: string): () => void {
    return this.#add({ name, value, source, yields: true });
  }

  #add(entry: Registered<T>): () => void {
    const { name, source, yields } = entry;
    const stack = this.#entries.get(name) ?? [];
    const end = stack.findIndex((other) => other.yields);
    if (yields || end < 0) stack.push(entry);
    else stack.splice(end, 0, entry);
    this.#entries.set(name, stack);
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

  /** All values, including those hidden by others of the same name. */
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
    return [...this.#entries.entries()].flatMap(([name, [first, ...rest]]) => {
      const others = rest.filter((entry) => !entry.yields);
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

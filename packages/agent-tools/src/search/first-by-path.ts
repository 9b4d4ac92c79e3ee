/** A value that counts as a number of lines. */
export interface Weighted {
  readonly path: string;
  readonly weight: number;
}

/**
 * Keeps the first items by path, from any order, until their weights reach a limit. Memory is limited however many
 * come.
 */
export class FirstByPath<T extends Weighted> {
  readonly #limit: number;
  #items: T[] = [];
  #sinceSorted = 0;
  #last: string | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True if an item of that path may be among the first. */
  isWanted(path: string): boolean {
    return this.#last === undefined || path <= this.#last;
  }

  add(item: T): void {
    if (!this.isWanted(item.path)) return;
    this.#items.push(item);
    this.#sinceSorted += 1;
    if (this.#sinceSorted > Math.max(1000, this.#limit)) this.#shorten();
  }

  /** Removes an item. */
  remove(path: string): void {
    this.#items = this.#items.filter((item) => item.path !== path);
  }

  /** The items in order of their paths. */
  sorted(): readonly T[] {
    this.#shorten();
    return this.#items;
  }

  #shorten(): void {
    this.#sinceSorted = 0;
    this.#items.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
    let weight = 0;
    const end = this.#items.findIndex((item) => {
      weight += item.weight;
      return weight >= this.#limit;
    });
    if (end === -1) return;
    this.#items.length = end + 1;
    this.#last = this.#items[end]?.path;
  }
}

/** Functions to call with every change. */
export class Listeners<T = void> {
  readonly #all = new Set<(value: T) => unknown>();

  get size(): number {
    return this.#all.size;
  }

  /** Returns a function that removes the listener. */
  readonly add = (listener: (value: T) => unknown): (() => void) => {
    this.#all.add(listener);
    return () => {
      this.#all.delete(listener);
    };
  };

  tell(value: T): void {
    for (const listener of [...this.#all]) listener(value);
  }

  clear(): void {
    this.#all.clear();
  }
}

/** A named value that each session has its own copy of. */
export interface StateKey<T> {
  readonly name: string;
  create(): T;
  /** Releases what the value holds: processes, files. */
  dispose?(value: T): void | Promise<void>;
}

/** Holds the per-session values of tools, so that tools themselves stay constants. */
export class SessionState {
  readonly #values = new Map<StateKey<unknown>, unknown>();

  get<T>(key: StateKey<T>): T {
    if (!this.#values.has(key as StateKey<unknown>)) this.#values.set(key as StateKey<unknown>, key.create());
    return this.#values.get(key as StateKey<unknown>) as T;
  }

  /** Gives the session a value that `create` cannot make. */
  set<T>(key: StateKey<T>, value: T): void {
    this.#values.set(key as StateKey<unknown>, value);
  }

  /** The value if it was set, or some tool has asked for it already. */
  peek<T>(key: StateKey<T>): T | undefined {
    return this.#values.get(key as StateKey<unknown>) as T | undefined;
  }

  /** Ends what the values hold; the session is over. */
  async dispose(): Promise<void> {
    const values = [...this.#values];
    this.#values.clear();
    for (const [key, value] of values) await key.dispose?.(value);
  }
}

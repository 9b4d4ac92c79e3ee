/** A named value with one copy per session. */
export interface StateKey<T> {
  readonly name: string;
  create(): T;
  /** Releases resources of the value: processes, files. */
  dispose?(value: T): void | Promise<void>;
}

/** Holds per-session values of tools, so that tools themselves are constants. */
export class SessionState {
  readonly #values = new Map<StateKey<unknown>, unknown>();

  get<T>(key: StateKey<T>): T {
    if (!this.#values.has(key as StateKey<unknown>)) this.#values.set(key as StateKey<unknown>, key.create());
    return this.#values.get(key as StateKey<unknown>) as T;
  }

  /** Sets a value that `create` cannot make. */
  set<T>(key: StateKey<T>, value: T): void {
    this.#values.set(key as StateKey<unknown>, value);
  }

  /** The value, if it was set or a tool has asked for it. */
  peek<T>(key: StateKey<T>): T | undefined {
    return this.#values.get(key as StateKey<unknown>) as T | undefined;
  }

  /** Disposes all values at the end of the session. */
  async dispose(): Promise<void> {
    const values = [...this.#values];
    this.#values.clear();
    for (const [key, value] of values) await key.dispose?.(value);
  }
}

/** A named value that each session has its own copy of. */
export interface StateKey<T> {
  readonly name: string;
  create(): T;
}

/** Holds the per-session values of tools, so that tools themselves stay constants. */
export class SessionState {
  readonly #values = new Map<StateKey<unknown>, unknown>();

  get<T>(key: StateKey<T>): T {
    if (!this.#values.has(key)) this.#values.set(key, key.create());
    return this.#values.get(key) as T;
  }

  /** The value if some tool has asked for it already. */
  peek<T>(key: StateKey<T>): T | undefined {
    return this.#values.get(key) as T | undefined;
  }
}

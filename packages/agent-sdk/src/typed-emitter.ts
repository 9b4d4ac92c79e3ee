/** Listeners by event name; a listener may return a promise that the emitter waits for. */
export class TypedEmitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(value: never) => void | Promise<void>>>();

  on<K extends keyof Events>(name: K, listener: (value: Events[K]) => void | Promise<void>): () => void {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set);
    set.add(listener);
    return () => this.off(name, listener);
  }

  off<K extends keyof Events>(name: K, listener: (value: Events[K]) => void | Promise<void>): void {
    this.#listeners.get(name)?.delete(listener);
  }

  listenerCount(name: keyof Events): number {
    return this.#listeners.get(name)?.size ?? 0;
  }

  /** Returns a promise only if a listener did. */
  emit<K extends keyof Events>(name: K, value: Events[K]): void | Promise<void> {
    const set = this.#listeners.get(name);
    if (!set) return;
    const waiting: Promise<void>[] = [];
    for (const listener of set) {
      const answer = (listener as (value: Events[K]) => void | Promise<void>)(value);
      if (answer instanceof Promise) waiting.push(answer);
    }
    if (waiting.length > 0) return Promise.all(waiting).then(() => {});
  }
}

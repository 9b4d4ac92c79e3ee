/** How often a session is looked at that another process may write. */
const pollMs = 250;

/** Wakes those who follow a session: at once for lines of this process, after a while for those of others. */
export class LineFollowers {
  readonly #wakes = new Map<string, Set<() => void>>();

  /** Resolves when the session may have changed, or when aborted. */
  async change(id: string, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return;
    const wakes = this.#wakes.get(id) ?? new Set();
    this.#wakes.set(id, wakes);
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        wakes.delete(wake);
        if (wakes.size === 0 && this.#wakes.get(id) === wakes) this.#wakes.delete(id);
        resolve();
      };
      const timer = setTimeout(wake, pollMs);
      signal?.addEventListener('abort', wake, { once: true });
      wakes.add(wake);
    });
  }

  wake(id: string): void {
    for (const wake of [...(this.#wakes.get(id) ?? [])]) wake();
  }
}

/** Work that the user may cancel; one interrupt cancels all of it. */
export class InterruptibleWork {
  readonly #running = new Set<AbortController>();

  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#running.add(controller);
    try {
      return await work(controller.signal);
    } finally {
      this.#running.delete(controller);
    }
  }

  /** Breaks the work off; tells whether there was any. */
  abort(): boolean {
    const isWorking = this.#running.size > 0;
    for (const controller of this.#running) controller.abort();
    return isWorking;
  }
}

/** Work that the user may cancel, one piece at a time. */
export class InterruptibleWork {
  #current: AbortController | undefined;

  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#current = controller;
    try {
      return await work(controller.signal);
    } finally {
      this.#current = undefined;
    }
  }

  /** Breaks the work off; tells whether there was any. */
  abort(): boolean {
    const isWorking = this.#current !== undefined;
    this.#current?.abort();
    return isWorking;
  }
}

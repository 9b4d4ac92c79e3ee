/** Lets one waiter sleep until something happened. A call before the wait counts. */
export class WakeUp {
  #isSet = false;
  #wake: (() => void) | undefined;

  /** Something happened. */
  set(): void {
    this.#isSet = true;
    this.#wake?.();
  }

  /** Resolves after the next `set`, at once if there was one since the last wait. */
  async wait(): Promise<void> {
    if (!this.#isSet)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#wake = undefined;
    this.#isSet = false;
  }
}

/** Milliseconds of work after which other work gets a turn. */
const turnLength = 4;

/** Lets other work run between the parts of a long one, so that keys and signals are answered. */
export class Turns {
  #start = performance.now();
  #next: Promise<void> | undefined;

  /** Resolves in a turn that is not over; at once if that is this one. */
  async pause(): Promise<void> {
    while (this.isOver) {
      // Shared, so that several waiting parts do not each take a turn of their own, one right after the other.
      this.#next ??= new Promise((resolve) => {
        setImmediate(() => {
          this.#next = undefined;
          this.#start = performance.now();
          resolve();
        });
      });
      await this.#next;
    }
  }

  get isOver(): boolean {
    return performance.now() - this.#start > turnLength;
  }
}

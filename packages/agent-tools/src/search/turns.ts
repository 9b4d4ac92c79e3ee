/** Milliseconds of work after which other work gets a turn. */
const turnLength = 4;

/** Lets other work run between the parts of a long one, so that keys and signals are answered. */
export class Turns {
  #start = performance.now();

  /** Resolves at once if the turn has just begun. */
  async pause(): Promise<void> {
    if (!this.isOver) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#start = performance.now();
  }

  get isOver(): boolean {
    return performance.now() - this.#start > turnLength;
  }
}

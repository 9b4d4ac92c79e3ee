/** A question that has been visible for less than this is not answered by a key, in milliseconds. */
const guardTime = 500;

/** Keeps keys that were meant for something else from answering a question that has just appeared. */
export class QuestionGuard {
  #shown = Number.POSITIVE_INFINITY;
  #digest: string | undefined;

  /** A question is on the screen since now, unless it already was. */
  show(digest: string, time: number): void {
    if (digest === this.#digest) return;
    this.#digest = digest;
    this.#shown = time;
  }

  /** Whether a key that was pressed at this time may answer. */
  allows(time: number): boolean {
    return time - this.#shown >= guardTime;
  }
}

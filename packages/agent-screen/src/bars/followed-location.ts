import { findBranch } from '@robota-sdk/agent-sdk/front-end';
import type { SessionLocation } from './render-footer.ts';

/** The first look at changes waits until the start is over; later ones gather what happens at once. */
const firstMs = 1_000;
const laterMs = 300;

/**
 * The directory, its branch, and whether there are uncommitted changes. Git is asked after the start, after each run and
 * after commands of the user, never for a frame and never twice at a time; the screen shows the last answer.
 */
export class FollowedLocation {
  readonly #refresh: () => void;
  #place: SessionLocation;
  #timer: NodeJS.Timeout | undefined;
  #asking: AbortController | undefined;
  #isAgain = false;
  #waitMs = firstMs;

  constructor(cwd: string, refresh: () => void) {
    this.#place = { cwd, branch: undefined };
    this.#refresh = refresh;
  }

  get place(): SessionLocation {
    return this.#place;
  }

  /** Finds the branch now, and changes soon. */
  async look(cwd: string): Promise<void> {
    const branch = await findBranch(cwd);
    const { isDirty = false } = this.#place;
    this.#place = { cwd, branch, isDirty: isDirty && branch !== undefined };
    this.#refresh();
    if (branch !== undefined) this.#askSoon();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#asking?.abort();
  }

  #askSoon(): void {
    this.#isAgain = this.#asking !== undefined;
    clearTimeout(this.#timer);
    if (!this.#isAgain) this.#timer = setTimeout(() => void this.#ask(), this.#waitMs).unref();
  }

  async #ask(): Promise<void> {
    const { cwd } = this.#place;
    this.#waitMs = laterMs;
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const { hasUncommittedChanges } = await import('@robota-sdk/agent-sdk/front-end');
    const isDirty = await hasUncommittedChanges(cwd, { env: process.env, signal });
    this.#asking = undefined;
    if (signal.aborted) return;
    if (cwd === this.#place.cwd && isDirty !== this.#place.isDirty) {
      this.#place = { ...this.#place, isDirty };
      this.#refresh();
    }
    if (this.#isAgain) this.#askSoon();
  }
}

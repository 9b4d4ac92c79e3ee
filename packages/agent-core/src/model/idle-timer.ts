import type { ModelFailure } from '../message/model-event.ts';

/** Steps per limit. */
const stepsOfSilence = 8;

/** Node fires a timer that waits longer than this at once; a limit of eight such steps is never reached. */
const longestStepMs = 2 ** 31 - 1;

/**
 * Aborts when nothing arrives for a while, with 0 never; pauses while the reader is busy. Counts short steps instead of time, so that
 * a suspended process or machine does not count.
 */
export class IdleTimer {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #limitMs: number;
  #steps = 0;
  #paused = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    if (limitMs <= 0) return;
    const stepMs = Math.min(limitMs / stepsOfSilence, longestStepMs);
    this.#timer = setInterval(() => this.#step(), stepMs).unref();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get expired(): boolean {
    return this.#controller.signal.aborted;
  }

  get seconds(): number {
    return Math.round(this.#limitMs / 100) / 10;
  }

  reset(): void {
    this.#steps = 0;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  failure(vendor: string): ModelFailure {
    const message = `${vendor}: no data for ${this.seconds} s; the attempt was given up.`;
    return { code: 'stalled', message, retryable: true };
  }

  /** One step more than the limit, because the first may be short. */
  #step(): void {
    if (this.#paused || ++this.#steps <= stepsOfSilence) return;
    // Data that arrived while the process was stopped is read before this runs.
    setImmediate(() => {
      if (!this.#paused && this.#steps > stepsOfSilence) this.#controller.abort();
    });
  }
}

import type { StepContext } from '../contract/steps.ts';

interface Report {
  readonly turns: number;
  readonly cost: number;
  readonly activity: string;
}

const intervalMs = 1000;

/** Stores reports of an attempt: the latest, at most one a second. */
export class ProgressReports {
  readonly #context: StepContext;
  #latest: Report | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stored: Promise<void> = Promise.resolve();
  readonly #workedBefore: number;
  readonly #startedAt = performance.now();

  /** `workedMs`: time that earlier processes worked on the attempt. */
  constructor(context: StepContext, workedMs: number) {
    this.#context = context;
    this.#workedBefore = workedMs;
  }

  report(report: Report): void {
    this.#latest = report;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#store();
    }, intervalMs);
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#store();
    await this.#stored;
    // The next round resumes a limit of time where it was.
    await this.#context.recordAttempt({ workedMs: this.#workedMs }).catch(() => undefined);
  }

  #store(): void {
    const report = this.#latest;
    this.#latest = undefined;
    if (report === undefined) return;
    // A report that cannot be stored is no reason to end the work: without its lease the worker is told so.
    this.#stored = this.#stored.then(() => this.#write(report)).catch(() => undefined);
  }

  get #workedMs(): number {
    return this.#workedBefore + Math.round(performance.now() - this.#startedAt);
  }

  async #write({ turns, cost, activity }: Report): Promise<void> {
    await this.#context.recordAttempt({ turns, cost, workedMs: this.#workedMs });
    await this.#context.record({ activity });
  }
}

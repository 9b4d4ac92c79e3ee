import { type FleetDatabase, type Lease, LostLeaseError } from '../contract/database.ts';
import type { StepContext, StepResult, TaskSteps } from '../contract/steps.ts';
import type { TaskReason } from '../contract/task.ts';
import { failureReason } from '../contract/task-failure.ts';
import { bookReservationsOf } from './budget.ts';
import { never } from './durable-rounds.ts';
import { type Claim, endRound } from './leases.ts';
import { type DurableSteps, type RoundResult, type RoundStart, type RoundStep, stepStates } from './round.ts';
import { beginStep, type StepStart, stepContext } from './step-context.ts';
import { clearSuspicion } from './worker-deaths.ts';

/** Why the work on a task is interrupted: by its user, or because this worker may or can no longer do it. */
export type Interruption = 'stopped' | 'lost' | 'ending';

export interface HeldTaskOptions {
  readonly database: FleetDatabase;
  readonly steps: TaskSteps;
  readonly claim: Claim;
  /** Is called after each durable change. */
  changed(): void;
  /** Is called once, when this worker has no more to do with the task. */
  ended(task: HeldTask): void;
}

/** A task that this worker holds: runs the steps of its round under its lease. */
export class HeldTask implements DurableSteps {
  readonly lease: Lease;
  readonly round: number;
  readonly #options: HeldTaskOptions;
  readonly #abort = new AbortController();
  #interruption: Interruption | undefined;
  #hasEnded = false;
  #running = 0;
  #listener: ((text: string) => void) | undefined;

  constructor(options: HeldTaskOptions) {
    this.#options = options;
    this.lease = options.claim.lease;
    this.round = options.claim.round;
  }

  /** True if its worker may hold no other task meanwhile. */
  get runsAlone(): boolean {
    return this.#options.claim.runsAlone;
  }

  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** Makes the current step end. After `lost` and `ending` nothing of it is recorded. */
  interrupt(interruption: Interruption): void {
    if (this.#interruption === undefined || interruption !== 'stopped') this.#interruption = interruption;
    this.#abort.abort();
    if (interruption !== 'stopped' && !this.isBusy) this.#end();
  }

  /** Hands a message of the user to the agent; false if none listens. */
  say(text: string): boolean {
    this.#listener?.(text);
    return this.#listener !== undefined;
  }

  async start(): Promise<RoundStart> {
    return this.#guard<RoundStart>(
      async () => {
        const row = await this.#begin('prepare');
        const attempts = row.attempt_records;
        const last = attempts.at(-1);
        const passed = attempts.find(({ state }) => state === 'passed');
        const hasPassed =
          passed !== undefined && (row.spec.keep === 'first' || attempts.length >= row.attempt_limit);
        const attempt =
          (hasPassed ? passed.number : undefined) ??
          (last === undefined ? 1 : last.state === 'running' ? last.number : last.number + 1);
        const result = await this.#perform('prepare', this.#context(row, attempt));
        return { result, attempt, lastAttempt: row.attempt_limit, keep: row.spec.keep, hasPassed };
      },
      (result) => ({ result, attempt: 1, lastAttempt: 1, keep: 'first', hasPassed: false }),
    );
  }

  async run(step: RoundStep, attempt: number): Promise<StepResult | { readonly kind: 'stopped' }> {
    return this.#guard<StepResult | { readonly kind: 'stopped' }>(
      async () => {
        return this.#perform(step, this.#context(await this.#begin(step), attempt));
      },
      (result) => result,
    );
  }

  async end(result: RoundResult, attempt: number): Promise<void> {
    await this.#guard<'ended'>(
      async () => {
        await this.#finish(result, this.#context(await this.#begin('receipt'), attempt));
        return 'ended';
      },
      () => 'ended',
    );
    this.#end();
  }

  async #finish(result: RoundResult, context: StepContext): Promise<void> {
    const { database, steps } = this.#options;
    if (result.kind === 'parked') {
      await endRound(database, this.lease, { ...result, state: 'parked' });
      return;
    }
    const receipt = await steps.receipt(context).catch((error: unknown) => {
      if (error instanceof LostLeaseError) throw error;
      return undefined;
    });
    if (result.kind === 'next') {
      const done = receipt ?? emptyReceipt;
      await endRound(database, this.lease, { state: 'done', receipt: done });
      return;
    }
    const rest = receipt === undefined ? {} : { receipt };
    await endRound(
      database,
      this.lease,
      result.kind === 'failed'
        ? { state: 'failed', reason: result.reason, ...rest }
        : { state: 'stopped', ...rest },
    );
  }

  /** Runs a part of the round, and turns what goes wrong into a result. A lost lease never ends: its end would be recorded. */
  async #guard<T>(work: () => Promise<T>, toResult: (result: FailedOrStopped) => T): Promise<T> {
    this.#running += 1;
    try {
      if (this.#interruption === 'lost' || this.#interruption === 'ending') return await this.#abandon();
      const result = await work();
      return this.#isAbandoned ? await this.#abandon() : result;
    } catch (error) {
      if (this.#isAbandoned || error instanceof LostLeaseError || isConnectionFailure(error)) {
        return await this.#abandon();
      }
      return toResult(
        this.#interruption === 'stopped'
          ? { kind: 'stopped' }
          : { kind: 'failed', reason: failureReason(error) },
      );
    } finally {
      this.#running -= 1;
    }
  }

  get #isAbandoned(): boolean {
    return this.#interruption === 'lost' || this.#interruption === 'ending';
  }

  #abandon(): Promise<never> {
    this.#interruption = 'lost';
    this.#abort.abort();
    this.#end();
    return never();
  }

  #end(): void {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      // Steps keep files open until now.
      this.#abort.abort();
      this.#options.ended(this);
    }
  }

  async #begin(step: RoundStep | 'receipt'): Promise<StepStart> {
    const { database, changed } = this.#options;
    const start = await beginStep(database, this.lease, { step, state: stepStates[step] });
    changed();
    return start;
  }

  async #perform(step: RoundStep, context: StepContext): Promise<StepResult> {
    const { database, steps } = this.#options;
    try {
      const result = this.#abort.signal.aborted ? undefined : await steps[step](context);
      if (result === undefined || this.#interruption === 'stopped') throw new Error('Interrupted.');
      await clearSuspicion(database, this.lease);
      return result;
    } finally {
      this.#listener = undefined;
      if (step === 'work' && !this.#isAbandoned) await bookReservationsOf(database, this.lease);
      this.#options.changed();
    }
  }

  #context(start: StepStart, attempt: number): StepContext {
    const { database, claim, changed } = this.#options;
    return stepContext({
      database,
      lease: this.lease,
      start,
      attempt,
      isTakeover: claim.isTakeover,
      signal: this.#abort.signal,
      changed,
      listen: (listener) => {
        this.#listener = listener;
      },
    });
  }
}

type FailedOrStopped =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly reason: TaskReason };

const emptyReceipt = { attempts: [], cost: 0, turns: 0, filesChanged: 0, added: 0, removed: 0, notes: [] };

/** The database cannot be reached, or has no space, memory or connection left: whether the last write arrived is not known, so the step must not be judged by it. */
function isConnectionFailure(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    connectionCodes.has(code) || code.startsWith('08') || code.startsWith('53') || code.startsWith('57P')
  );
}

const connectionCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
]);

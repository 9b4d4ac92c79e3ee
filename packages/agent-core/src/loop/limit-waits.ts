import type { ModelFailure } from '../message/model-event.ts';
import type { ModelRef } from '../message/model-ref.ts';
import { failureName } from '../model/failure-name.ts';
import { describeSpan, waitForRetry } from '../model/retry.ts';
import { endSentence } from '../problem/end-sentence.ts';
import type { AgentRun, EventSink } from './agent-run.ts';

/** A run that waits for a vendor's limit to reset. */
export interface LimitWait {
  readonly model: ModelRef;
  readonly failure: ModelFailure;
  /** Unix milliseconds. */
  readonly until: number;
}

interface Reset {
  readonly failure: ModelFailure;
  readonly until: number;
}

/** Minimum wait if a model refuses again right after a reset, doubled each time: reset times may be wrong. */
const leastWaitMs = 2_000;
const longestLeastWaitMs = 5 * 60_000;
/** Most by which a session asks later than the limit resets. */
const mostSpreadMs = 5_000;
/** How often the wait is compared with the clock, because timers stop while a computer sleeps. */
const lookEveryMs = 60_000;

/** The limit waits of one run: picks the model that is available first and enforces the maximum wait. */
export class LimitWaits {
  readonly #run: AgentRun;
  readonly #emit: EventSink;
  readonly #resets = new Map<number, Reset>();
  #waitedMs = 0;
  /** Waits since the last answer. */
  #count = 0;

  constructor(run: AgentRun, emit: EventSink) {
    this.#run = run;
    this.#emit = emit;
  }

  /** Resets the waits after a model has answered. */
  answered(): void {
    this.#resets.clear();
    this.#count = 0;
  }

  /** Records when a model is available again. */
  note(modelIndex: number, failure: ModelFailure): void {
    const until = resetOf(failure);
    if (until !== undefined) this.#resets.set(modelIndex, { failure, until });
  }

  /**
   * Waits for the model that is available first and returns its index, or the failure that ends the run, with the reset
   * time if known.
   */
  async wait(last: ModelFailure, refOf: (modelIndex: number) => ModelRef): Promise<number | ModelFailure> {
    const [first] = [...this.#resets].sort(([, a], [, b]) => a.until - b.until);
    if (!first) return last;
    const [modelIndex, { failure, until }] = first;
    const least = this.#count === 0 ? 0 : Math.min(leastWaitMs * 2 ** (this.#count - 1), longestLeastWaitMs);
    const reset = Math.max(until, Date.now() + least);
    const { maxLimitWaitMs: most = 0 } = this.#run;
    if (reset - Date.now() > most - this.#waitedMs) return withReset(last, until, most);
    const unpaid = await this.#run.checkSpending?.(this.#run.signal);
    if (unpaid) return { ...unpaid, retryable: false };
    this.#count++;
    const due = reset + spreadOf(this.#run.sessionId, reset - Date.now());
    await this.#waitFor({ model: refOf(modelIndex), failure, until: due });
    this.#resets.clear();
    return modelIndex;
  }

  /** Continues the wait of an earlier process; returns the failure if it is longer than allowed. */
  async resume(parked: LimitWait): Promise<ModelFailure | undefined> {
    const { maxLimitWaitMs: most = 0 } = this.#run;
    if (parked.until - Date.now() > most) return withReset(parked.failure, parked.until, most);
    await this.#waitFor(parked);
    return undefined;
  }

  /** Waits until a time, or until the run is interrupted. */
  async #waitFor(wait: LimitWait): Promise<void> {
    const span = wait.until - Date.now();
    const since = performance.now();
    const waited = () => performance.now() - since;
    // Sleep counts only by the wall clock, which may be set back meanwhile.
    const left = () => Math.min(wait.until - Date.now(), span - waited());
    const { signal } = this.#run;
    await this.#emit({ type: 'limit-wait', ...wait });
    for (let rest = left(); rest > 0 && !signal.aborted; rest = left())
      await waitForRetry(Math.min(rest, lookEveryMs), signal);
    this.#waitedMs += waited();
    if (!signal.aborted) await this.#emit({ type: 'limit-end', model: wait.model });
  }
}

/** Delays a session by a fixed part of its wait, so that sessions with the same reset time do not all ask at once. */
function spreadOf(sessionId: string | undefined, waitMs: number): number {
  const hash = [...(sessionId ?? '')].reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 1_009, 0);
  return Math.floor((hash / 1_009) * Math.min(mostSpreadMs, Math.max(0, waitMs) / 20));
}

/** Describes a wait in one line. */
export function describeLimitWait({ model, failure, until }: LimitWait): string {
  const at = new Date(until).toISOString();
  return `${model.vendor}: ${failureName(failure.code)}; waiting for the limit to reset at ${at}, in ${describeSpan(until - Date.now())}`;
}

/** The time when a limit resets; undefined for other failures. */
function resetOf({ code, retryAfterMs }: ModelFailure): number | undefined {
  const isLimit = code === 'rate-limit' || code === 'quota' || code === 'overloaded';
  return isLimit && retryAfterMs !== undefined ? Date.now() + retryAfterMs : undefined;
}

function withReset(failure: ModelFailure, until: number, most: number): ModelFailure {
  const span = describeSpan(until - Date.now());
  const resetsAt = new Date(until).toISOString();
  const tooLong = most > 0 ? ', which is longer than a run may wait' : '';
  const message = `${endSentence(failure.message)} The limit resets at ${resetsAt}, in ${span}${tooLong}.`;
  return { ...failure, message, retryable: false, resetsAt };
}

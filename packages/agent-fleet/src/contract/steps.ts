import type { Lease } from './database.ts';
import type {
  AttemptRecord,
  FleetCommandResult,
  Receipt,
  TaskDetails,
  TaskQuestion,
  TaskReason,
} from './task.ts';

/** The end of one step: `next` continues the round, everything else ends it. */
export type StepResult =
  | { readonly kind: 'next' }
  /** Only from `check`: the attempt did not pass, and the next one may begin. */
  | { readonly kind: 'not-passed'; readonly reason: TaskReason }
  /** Frees the slot until `reason.until`, an answer, or a retry. */
  | { readonly kind: 'parked'; readonly reason: TaskReason; readonly question?: TaskQuestion }
  | { readonly kind: 'failed'; readonly reason: TaskReason };

/** The answer to a request for money: the id of a reservation, or the reason why there is none. */
export type ReserveResult =
  | { readonly kind: 'reserved'; readonly id: string }
  | { readonly kind: 'refused'; readonly reason: TaskReason };

/** Facts about a task that its steps learn. Those not named keep their value. */
export interface TaskChange {
  readonly directory?: string;
  readonly branch?: string;
  readonly baseline?: FleetCommandResult;
  readonly delivery?: Receipt['delivery'];
  readonly filesChanged?: number;
  readonly added?: number;
  readonly removed?: number;
  readonly activity?: string;
  /** The time at which a worker took the task first, ISO. */
  readonly startedAt?: string;
  /** The machine and directory in which the set-up ended last. */
  readonly setUpIn?: string;
  /** Remarks for the reader of the receipt; they are added to the earlier ones. */
  readonly notes?: readonly string[];
}

/** An answer of the user to a question of an earlier round. */
export interface StoredAnswer {
  readonly hash: string;
  readonly decision: 'allow' | 'deny' | 'text';
  readonly text?: string;
}

/**
 * All that a step may use. Every write is made under the lease: it throws `LostLeaseError` when the task belongs to another
 * worker, and the step then ends without any further effect.
 */
export interface StepContext {
  /** As of the beginning of the step. */
  readonly task: TaskDetails;
  readonly round: number;
  /** From 1. */
  readonly attempt: number;
  readonly lease: Lease;
  /** Aborted when the user stops the task, the lease is lost, or the worker ends. Children must end then. */
  readonly signal: AbortSignal;
  /** Attempts so far, with the tree of the last snapshot of each. */
  readonly attempts: readonly AttemptRecord[];
  /** True if another process began this step, or an earlier one of the round, and did not end it. */
  readonly isTakeover: boolean;
  /** All answers of the task so far. */
  readonly answers: readonly StoredAnswer[];
  /** Facts of the task that earlier steps recorded. */
  readonly facts: TaskChange;
  assertLease(): Promise<void>;
  record(change: TaskChange): Promise<void>;
  /** Makes or changes the record of the current attempt. */
  recordAttempt(change: Partial<AttemptRecord>): Promise<void>;
  /** Before each call of a model; `amount` is the most that it is expected to cost, in US dollars. Undefined: it has no known price. */
  reserve(amount: number | undefined, model: string): Promise<ReserveResult>;
  settle(reservation: string, cost: number): Promise<void>;
  /** Forgets an answer that was carried out. */
  useAnswer(hash: string): Promise<void>;
  /** Calls `listener` with messages of the user for the running task; ends with the step. */
  onMessage(listener: (text: string) => void): void;
}

/**
 * The work of a round, in six coarse steps. A step that ended is not run again, but one that was interrupted is, perhaps on
 * another machine. So each can be repeated, and finds its workspace by itself.
 */
export interface TaskSteps {
  prepare(context: StepContext): Promise<StepResult>;
  baseline(context: StepContext): Promise<StepResult>;
  work(context: StepContext): Promise<StepResult>;
  check(context: StepContext): Promise<StepResult>;
  /** Delivers the attempt that passed, or each of them if all are kept. */
  deliver(context: StepContext): Promise<StepResult>;
  /** Summarizes the work, its checks and its cost. */
  receipt(context: StepContext): Promise<Receipt>;
}

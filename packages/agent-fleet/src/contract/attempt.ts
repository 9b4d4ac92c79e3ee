import type { Lease } from './database.ts';
import type { ReserveResult } from './steps.ts';
import type { TaskQuestion, TaskReason, TaskSpec } from './task.ts';

/** The place of a session of an attempt. */
export type SessionStorage =
  /** Files in the user's home. */
  { readonly kind: 'files' } | { readonly kind: 'postgres'; readonly url: string };

/** All that the process of an attempt has to know; it is sent to it as the first message. */
export interface AttemptOrder {
  readonly type: 'start';
  readonly taskId: string;
  readonly spec: TaskSpec;
  readonly attempt: number;
  readonly lease: Lease;
  readonly sessionId: string;
  readonly sessions: SessionStorage;
  /** The worktree. */
  readonly directory: string;
  /** Further paths that commands in the sandbox have to read. */
  readonly readable?: readonly string[];
  /** Lines for the model about what happened while no process worked on the task, such as a takeover. */
  readonly notes: readonly string[];
  /** Answers of the user to questions of earlier rounds. */
  readonly answers: readonly {
    readonly hash: string;
    readonly decision: 'allow' | 'deny' | 'text';
    readonly text?: string;
  }[];
  /** US dollars that earlier attempts of the task spent. */
  readonly spent: number;
  /** Milliseconds that earlier processes worked on the attempt; they count for its limit. */
  readonly workedMs?: number;
}

/** From the worker to the process of an attempt. */
export type ToAttempt =
  | AttemptOrder
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'reserved'; readonly request: number; readonly id: string }
  | { readonly type: 'refused'; readonly request: number; readonly reason: TaskReason }
  | { readonly type: 'snapshot-taken'; readonly request: number; readonly tree: string }
  /** Absent text: the difference is not known. */
  | { readonly type: 'difference'; readonly request: number; readonly text?: string }
  | { readonly type: 'stop' };

/** From the process of an attempt to the worker. Requests carry a number that the answer repeats. */
export type FromAttempt =
  /** Before each call of a model; `amount` is the most that it is expected to cost, in US dollars. Absent: it has no known price. */
  | { readonly type: 'reserve'; readonly request: number; readonly amount?: number; readonly model: string }
  /** A reservation that is never settled, because its process ended, counts as spent. */
  | { readonly type: 'settle'; readonly id: string; readonly cost: number }
  /** After a batch of calls that changed files; the next call of the model waits for the snapshot. */
  | { readonly type: 'snapshot'; readonly request: number }
  /** Asks for `Workspace.difference`, since a snapshot or the base. */
  | { readonly type: 'difference'; readonly request: number; readonly tree?: string }
  /** An answer of the user was carried out: it counts no more. */
  | { readonly type: 'answer-used'; readonly hash: string }
  | { readonly type: 'progress'; readonly turns: number; readonly cost: number; readonly activity: string }
  | { readonly type: 'end'; readonly outcome: WorkOutcome };

/** How the work of an attempt ended. */
export type WorkOutcome =
  | {
      readonly kind: 'finished';
      readonly answer: string;
      readonly cost: number;
      readonly turns: number;
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'parked';
      readonly reason: TaskReason;
      readonly question?: TaskQuestion;
      readonly cost: number;
      readonly turns: number;
      readonly notes?: readonly string[];
    }
  | {
      readonly kind: 'failed';
      readonly reason: TaskReason;
      readonly cost: number;
      readonly turns: number;
      readonly notes?: readonly string[];
    };

/** How a worker answers the process of an attempt. */
export interface AttemptHandlers {
  reserve(amount: number | undefined, model: string): Promise<ReserveResult>;
  settle(reservation: string, cost: number): Promise<void>;
  /** Gives the hash of the tree. */
  snapshot(): Promise<string>;
  /** `Workspace.difference`; without it the model is told of an unknown outcome without details. */
  difference?(tree?: string): Promise<string>;
  /** An answer of the user was carried out: it counts no more. */
  answerUsed?(hash: string): Promise<void>;
  progress(report: { readonly turns: number; readonly cost: number; readonly activity: string }): void;
}

/** The process of an attempt, seen by its worker. */
export interface AttemptProcess {
  readonly pid: number;
  /** A process that ends without a word gives `failed` with the code `internal`. */
  readonly outcome: Promise<WorkOutcome>;
  say(text: string): void;
  /** Resolves when the process and its children are gone. */
  stop(): Promise<void>;
}

/** Starts the process of an attempt, in a process group of its own. */
export interface AttemptRunner {
  start(order: AttemptOrder, handlers: AttemptHandlers): AttemptProcess;
}

import type { Problem } from '@robota-sdk/agent-core';
import type { TaskDetails, TaskRecord, TaskSpec, TaskState } from './task.ts';

/** A request of a user to a fleet. Each is durable before the command that sends it ends, and carried out once. */
export type FleetCommand =
  | { readonly type: 'add'; readonly id: string; readonly spec: TaskSpec; readonly at: string }
  | { readonly type: 'stop'; readonly id: string }
  | { readonly type: 'retry'; readonly id: string }
  | {
      readonly type: 'answer';
      readonly id: string;
      /** The hash of the question that was shown; another one is not answered by it. */
      readonly hash: string;
      readonly decision: 'allow' | 'deny' | 'text';
      readonly text?: string;
    }
  /** A message for a running task, as typed by its user. */
  | { readonly type: 'say'; readonly id: string; readonly text: string }
  /** Workers finish what they hold, take nothing new, and end. */
  | { readonly type: 'drain' }
  | { readonly type: 'schedule'; readonly schedule: Schedule }
  | { readonly type: 'unschedule'; readonly id: string }
  /** US dollars for the whole fleet and a day; null removes the limit. */
  | { readonly type: 'budget'; readonly total?: number | null; readonly daily?: number | null };

/** A task that is added again and again. */
export interface Schedule {
  readonly id: string;
  /** Five fields, in the time zone. */
  readonly cron: string;
  readonly timeZone: string;
  readonly spec: TaskSpec;
  /** Treatment of times at which no worker ran: one run for all of them, or none. */
  readonly missed: 'run-once' | 'skip';
  readonly createdAt: string;
  readonly lastDue?: string;
  readonly nextDue?: string;
}

export interface WorkerRecord {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly labels: readonly string[];
  readonly jobs: number;
  readonly running: number;
  readonly isDraining: boolean;
  readonly beatAt: string;
}

export interface FleetCosts {
  readonly total: number;
  readonly today: number;
  readonly reserved: number;
  readonly totalLimit?: number;
  readonly dailyLimit?: number;
  readonly byDay: readonly { readonly day: string; readonly cost: number; readonly tasks: number }[];
  readonly byModel: readonly { readonly model: string; readonly cost: number }[];
}

export interface TaskQuery {
  readonly states?: readonly TaskState[];
  /** At most this many; all unless given. */
  readonly limit?: number;
}

/**
 * How the commands of a user reach a fleet. It loads no engine: on one machine it is files beside the embedded database,
 * which only the supervisor opens; otherwise the Postgres that the workers use.
 */
export interface FleetClient {
  /** In order, all or none. */
  submit(commands: readonly FleetCommand[]): Promise<void>;
  /** The same, unless one of the keys was used before: then it does nothing and gives false. */
  submitOnce(keys: readonly string[], commands: readonly FleetCommand[]): Promise<boolean>;
  /** Oldest first. */
  tasks(query?: TaskQuery): Promise<readonly TaskRecord[]>;
  /** By its id, or the unique beginning of one; undefined if there is none. */
  task(reference: string): Promise<TaskDetails | undefined>;
  workers(): Promise<readonly WorkerRecord[]>;
  schedules(): Promise<readonly Schedule[]>;
  costs(): Promise<FleetCosts>;
  /** Requests that cannot be carried out. */
  problems(): Promise<readonly Problem[]>;
  /** Resolves when something may have changed, or when aborted. */
  change(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

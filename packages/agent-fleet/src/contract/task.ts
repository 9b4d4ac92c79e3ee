import type { PermissionMode, RuleLists } from '@robota-sdk/agent-core';

/** How a task ends up with its user. */
export type Delivery = 'branch' | 'draft-pr' | 'pr' | 'patch' | 'none';

/** The origin of a task; text from outside is data, never an instruction. */
export type TaskOrigin =
  | { readonly kind: 'command' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'schedule'; readonly schedule: string; readonly due: string }
  | { readonly kind: 'webhook'; readonly delivery: string };

/** A task as its user wrote it, with every default filled in. Plain JSON. */
export interface TaskSpec {
  readonly name: string;
  readonly prompt: string;
  /** An absolute path, or a git URL. */
  readonly repo: string;
  /** The commit, branch or tag that the work starts from; the repository's HEAD unless given. */
  readonly base?: string;
  /** Runs once per hash of the lock files, before the agent. */
  readonly setup?: string;
  /** Has to pass at the end. */
  readonly check?: string;
  /** `require`: the check has to pass on the untouched base before work starts. */
  readonly baseline: 'require' | 'skip';
  readonly model?: string;
  /** US dollars. */
  readonly maxCost?: number;
  readonly maxTimeMs?: number;
  readonly maxTurns?: number;
  /** At most this many attempts. */
  readonly attempts: number;
  /** `first`: the first attempt whose check passes ends the task. `all`: every attempt is kept for review. */
  readonly keep: 'first' | 'all';
  /** Names or ids of tasks that have to be done before. */
  readonly after: readonly string[];
  readonly permissions: RuleLists & { readonly mode?: PermissionMode };
  /** `park`: a question parks the task and frees the slot. */
  readonly ask: 'park' | 'deny';
  readonly deliver: Delivery;
  readonly sandbox: boolean;
  /** A worker takes the task if it has all of these labels. */
  readonly labels: readonly string[];
  /** Lower runs earlier; 100 unless given. */
  readonly priority: number;
  readonly origin: TaskOrigin;
}

export const taskStates = [
  'queued',
  'preparing',
  'running',
  'parked',
  'checking',
  'done',
  'failed',
  'stopped',
] as const;
export type TaskState = (typeof taskStates)[number];

/** The reason why a task waits, or its end; `code` is for programs, `message` for people. */
export interface TaskReason {
  readonly code:
    | 'waits-for-task'
    | 'question'
    | 'rate-limit'
    | 'budget'
    | 'disk-full'
    | 'baseline-failed'
    | 'setup-failed'
    | 'check-failed'
    | 'check-cannot-start'
    | 'repository'
    | 'model'
    | 'time'
    | 'turns'
    | 'killed-workers'
    | 'dependency-failed'
    | 'delivery-failed'
    | 'stopped-by-user'
    | 'internal';
  readonly message: string;
  /** The time at which it resumes by itself, ISO. */
  readonly until?: string;
}

/** A question of a parked task. An answer counts only for the call with this hash, once. */
export interface TaskQuestion {
  readonly hash: string;
  readonly tool: string;
  /** The call as a user reads it, such as `Bash(npm publish)`, or the text of a question of the model. */
  readonly text: string;
  readonly choices?: readonly string[];
  readonly askedAt: string;
}

/** How one command of the fleet (set-up, baseline, check) ended. */
export interface FleetCommandResult {
  readonly command: string;
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** The end of its output, without secrets. */
  readonly tail: string;
  /** Its program is missing or cannot be run, so nothing was judged. */
  readonly cannotStart?: true;
  readonly timedOut?: true;
}

/** One attempt: its work, its check and its cost. */
export interface AttemptRecord {
  readonly number: number;
  readonly sessionId: string;
  readonly state: 'running' | 'passed' | 'failed' | 'abandoned';
  readonly branch?: string;
  /** The tree of its last snapshot. */
  readonly tree?: string;
  readonly cost: number;
  readonly turns: number;
  /** Milliseconds that its agent has worked, in all rounds. */
  readonly workedMs?: number;
  readonly check?: FleetCommandResult;
  readonly answer?: string;
}

/** The end of a task for its reader. */
export interface Receipt {
  readonly attempts: readonly AttemptRecord[];
  readonly winner?: number;
  readonly baseline?: FleetCommandResult;
  readonly delivery?: {
    readonly kind: Delivery;
    readonly branch?: string;
    readonly commit?: string;
    readonly url?: string;
    readonly patch?: string;
  };
  readonly cost: number;
  readonly turns: number;
  readonly filesChanged: number;
  readonly added: number;
  readonly removed: number;
  /** Remarks for the reader: outcomes unknown, takeovers, calls denied. */
  readonly notes: readonly string[];
}

/** A task as `fleet list` shows it. */
export interface TaskRecord {
  readonly id: string;
  readonly name: string;
  readonly state: TaskState;
  readonly reason?: TaskReason;
  readonly branch?: string;
  /** Attempts begun so far. */
  readonly attempts: number;
  /** US dollars. */
  readonly cost: number;
  readonly turns: number;
  /** The worker that holds it. */
  readonly worker?: string;
  readonly question?: TaskQuestion;
  /** ISO. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The time at which a worker took it first. */
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly sessionId?: string;
  /** The latest action of the agent, in a few words. */
  readonly activity?: string;
  /** Changed files, added and removed lines of the delivered work. */
  readonly filesChanged?: number;
  readonly added?: number;
  readonly removed?: number;
}

/** All that is known of one task. */
export interface TaskDetails extends TaskRecord {
  readonly spec: TaskSpec;
  readonly receipt?: Receipt;
  /** The directory of the current attempt, on the worker's machine. */
  readonly directory?: string;
}

/** A task that no worker has taken yet. */
export function queuedTask(id: string, spec: TaskSpec, at: string): TaskDetails {
  const { name } = spec;
  return { id, name, state: 'queued', attempts: 0, cost: 0, turns: 0, createdAt: at, updatedAt: at, spec };
}

/** True if nothing more happens to a task in this state unless its user asks. */
export function isEnded(state: TaskState): boolean {
  return state === 'done' || state === 'failed' || state === 'stopped';
}

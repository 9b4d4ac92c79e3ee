import type { CommandResult, Delivery } from './task.ts';

/** The directory of a fleet: mirrors, worktrees, caches of set-ups. */
export interface FleetHome {
  readonly directory: string;
}

/** The files of one attempt: a worktree of a mirror of the task's repository. */
export interface Workspace {
  readonly taskId: string;
  readonly attempt: number;
  readonly directory: string;
  /** The commit that the work starts from. */
  readonly baseCommit: string;
  /** Runs the set-up unless the cache has it for these lock files. */
  setUp(command: string, options: CommandOptions): Promise<CommandResult | 'cached'>;
  /** Runs a command of the task, such as its check, in the sandbox unless told otherwise. */
  run(command: string, options: CommandOptions): Promise<CommandResult>;
  /** Keeps the tree as `refs/robota/tasks/ID/N` without touching index, stash or branches; gives its hash. */
  snapshot(): Promise<string>;
  /** Makes the files those of a snapshot. */
  restore(tree: string): Promise<void>;
  deliver(request: DeliveryRequest): Promise<DeliveryResult>;
  /** Removes the worktree; refused while it holds what is nowhere else. */
  remove(): Promise<void>;
}

export interface CommandOptions {
  readonly signal: AbortSignal;
  readonly sandbox: boolean;
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface DeliveryRequest {
  readonly kind: Delivery;
  /** `robota/ID-slug`. */
  readonly branch: string;
  readonly title: string;
  readonly body: string;
  /** Is called before anything leaves the machine; it throws if the lease is lost. */
  assertLease(): Promise<void>;
}

export interface DeliveryResult {
  readonly branch?: string;
  readonly commit?: string;
  readonly url?: string;
  readonly patch?: string;
  readonly filesChanged: number;
  readonly added: number;
  readonly removed: number;
}

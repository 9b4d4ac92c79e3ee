import type { Lease } from './database.ts';
import type { Delivery, FleetCommandResult } from './task.ts';

/** The directory of a fleet: mirrors, worktrees, caches of set-ups. */
export interface FleetHome {
  readonly directory: string;
}

/** The files of one attempt: a worktree of a mirror of the task's repository. */
export interface AttemptWorkspace {
  readonly taskId: string;
  readonly attempt: number;
  readonly directory: string;
  /** The commit that the work starts from. */
  readonly baseCommit: string;
  /** True if the directory was made now: from the last snapshot, or from the base. */
  readonly isNew: boolean;
  /** Paths outside the directory that commands in the sandbox have to read: git's objects. */
  readonly readable: readonly string[];
  /** Remarks for the receipt that are known so far. */
  readonly notes: readonly string[];
  /** Runs the set-up unless the cache has it for these lock files. */
  setUp(command: string, options: CommandOptions): Promise<FleetCommandResult | 'cached'>;
  /** Runs a command of the task, such as its check, in the sandbox unless told otherwise. */
  run(command: string, options: CommandOptions): Promise<FleetCommandResult>;
  /** Keeps the tree as `refs/robota/tasks/ID/N` without touching index, stash or branches; gives its hash. */
  snapshot(): Promise<string>;
  /** Makes the files those of a snapshot. */
  restore(tree: string): Promise<void>;
  /** The files that changed since a snapshot, or the base, as a short diff for a model; empty if none did. */
  difference(tree?: string): Promise<string>;
  deliver(request: DeliveryRequest): Promise<DeliveryResult>;
  /** Releases the directory, so that another process may open it. The files stay. */
  close(): void;
  /**
   * Removes the worktree; refused while it holds what is nowhere else. With `discard` a last snapshot is enough, also if the
   * work was not delivered.
   */
  remove(options?: { readonly discard?: boolean }): Promise<void>;
}

/** The sources of the files of an attempt. */
export interface WorkspaceRequest {
  readonly taskId: string;
  readonly attempt: number;
  /** An absolute path, or a git URL. */
  readonly repo: string;
  readonly base?: string;
  /** The tree of the last snapshot; the files are made those of it if the worktree is missing here. */
  readonly tree?: string;
  readonly signal: AbortSignal;
  /** The right to work on the task; snapshots in a database are refused without it. */
  readonly lease?: Lease;
  /** True if another process may still believe that it holds the task. */
  readonly isTakeover?: boolean;
  /** Is called before a snapshot is kept; it throws if the lease is lost. */
  assertLease(): Promise<void>;
}

/** Opens the files of attempts. */
export interface Workspaces {
  /** Gives the worktree that is there, or makes one. */
  open(request: WorkspaceRequest): Promise<AttemptWorkspace>;
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
  /** The tree that passed; nothing else is delivered. The files as they are unless given. */
  readonly tree?: string | undefined;
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

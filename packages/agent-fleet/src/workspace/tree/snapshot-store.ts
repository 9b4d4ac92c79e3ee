import type { Lease } from '../../contract/database.ts';
import type { Mirror } from './mirror.ts';
import type { Snapshot } from './snapshots.ts';

/** One attempt of a task, and the mirror that has or gets its snapshots. */
export interface StoredAttempt {
  readonly mirror: Mirror;
  readonly taskId: string;
  readonly attempt: number;
  readonly lease?: Lease | undefined;
  readonly signal: AbortSignal;
}

/** A snapshot in a store. */
export interface StoredSnapshot {
  readonly number: number;
  /** Brings its objects into the mirror; gives the commit of the snapshot and that of the base. */
  bring(): Promise<{ readonly commit: string; readonly base: string }>;
}

/** Makes snapshots reachable from other machines. */
export interface SnapshotStore {
  /** Resolves when another machine can get it; `base` is the commit that the work started from. */
  save(attempt: StoredAttempt, snapshot: Snapshot, base: string): Promise<void>;
  /** The last snapshot of an attempt; undefined if there is none. */
  find(attempt: StoredAttempt): Promise<StoredSnapshot | undefined>;
}

import type { Mirror } from './mirror.ts';
import type { Snapshot } from './snapshots.ts';

/** One attempt of a task, and the mirror that has or gets its snapshots. */
interface StoredAttempt {
  readonly mirror: Mirror;
  readonly taskId: string;
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** Makes snapshots reachable from other machines. */
export interface SnapshotStore {
  /** Resolves when another machine can load it; `base` is the commit that the work started from. */
  save(attempt: StoredAttempt, snapshot: Snapshot, base: string): Promise<void>;
  /** Brings base and last snapshot of an attempt into the mirror, as refs; nothing if there are none. */
  load(attempt: StoredAttempt): Promise<void>;
  /** Forgets the snapshots of a task that ended. */
  remove(attempt: StoredAttempt): Promise<void>;
}

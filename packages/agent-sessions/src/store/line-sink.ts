import type { Entry } from '../entry/entry.ts';
import type { LinePosition } from '../entry/tree.ts';
/**
 * Receives the lines of an open session. Never rejects because of a disk error: lines wait in memory instead.
 */
export interface LineSink {
  /** Writes whole lines; `durable` waits until they survive a power loss. */
  write(lines: string, options: AppendOptions): Promise<void>;
  close(): Promise<void>;
  /** The offset after the lines so far; undefined while some wait, or without a file. */
  readonly end?: number | undefined;
  /** True if lines wait in memory because the file cannot be written. */
  readonly isWaiting?: boolean;
  /** Reads an entry again, even if the file was renamed or deleted. */
  read?(place: LinePosition): Entry | undefined;
}

export interface AppendOptions {
  /** Wait until the line, and all before it, would survive a loss of power. */
  readonly durable?: boolean;
}

/** Follows the changes of an open session, in order; waited for only when the session is closed. */
export interface HandleFollower {
  appended(entry: Entry): void;
  /** Called when the leaf moves to another entry. */
  moved(): void;
  close(): Promise<void>;
}

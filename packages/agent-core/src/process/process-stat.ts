import { closeSync, openSync, readSync } from 'node:fs';

/** A process as Linux describes it. */
export interface ProcessStat {
  readonly pid: number;
  /** False for a zombie. */
  readonly isRunning: boolean;
  readonly parent: number;
  readonly session: number;
  /** In the system's unit; distinguishes a process from a later one with the same id. */
  readonly startTime: string;
}

/** Reads a process from `/proc`; undefined if it has ended or there is no `/proc`. */
export function processStat(pid: number): ProcessStat | undefined {
  const text = readStart(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name in parentheses may contain `)`, hence the last one; then follow state, parent, group, session, …
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ', 20);
  const [state, parent, , session] = fields;
  return {
    pid,
    isRunning: state !== 'Z' && state !== 'X',
    parent: Number(parent),
    session: Number(session),
    startTime: fields[19] ?? '',
  };
}

const startOfFile = Buffer.allocUnsafeSlow(512);

/** Reads once: `/proc` files are generated on read and have no size. */
export function readStart(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    return startOfFile.toString('latin1', 0, readSync(file, startOfFile));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

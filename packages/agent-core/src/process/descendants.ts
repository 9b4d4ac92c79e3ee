import { readdirSync } from 'node:fs';
import { orElse } from '../problem/or-else.ts';
import { type ProcessStat, processStat } from './process-stat.ts';

/** A process; its start time distinguishes it from a later one with the same id. */
export type ProcessIdentity = Pick<ProcessStat, 'pid' | 'startTime'>;

/** All current descendants of a process, including those that changed session; empty without `/proc`. */
export function descendantsOf(pid: number): readonly ProcessIdentity[] {
  if (process.platform !== 'linux') return [];
  const children = childrenByParent();
  const found: ProcessIdentity[] = [];
  const waiting = [pid];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const child of children.get(next) ?? []) {
      found.push({ pid: child.pid, startTime: child.startTime });
      waiting.push(child.pid);
    }
  return found;
}

let table: ReadonlyMap<number, readonly ProcessStat[]> | undefined;

/** Scans all processes once for everything that is ended at the same moment: there may be hundreds. */
function childrenByParent(): ReadonlyMap<number, readonly ProcessStat[]> {
  if (table) return table;
  const children = new Map<number, ProcessStat[]>();
  for (const row of processRows()) {
    const siblings = children.get(row.parent);
    if (siblings) siblings.push(row);
    else children.set(row.parent, [row]);
  }
  table = children;
  setImmediate(() => {
    table = undefined;
  });
  return table;
}

/** Signals those that still run; returns whether there were any. */
export function signalProcesses(processes: readonly ProcessIdentity[], signal: NodeJS.Signals | 0): boolean {
  let isAnyAlive = false;
  for (const { pid, startTime } of processes) {
    if (runningStat(pid)?.startTime !== startTime) continue;
    try {
      process.kill(pid, signal);
      isAnyAlive = true;
    } catch {
      // It has just ended, or belongs to another user.
    }
  }
  return isAnyAlive;
}

function processRows(): ProcessStat[] {
  return orElse(
    () =>
      readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (runningStat(Number(name)) ?? []) : [])),
    [],
  );
}

function runningStat(pid: number): ProcessStat | undefined {
  const stat = processStat(pid);
  return stat?.isRunning ? stat : undefined;
}

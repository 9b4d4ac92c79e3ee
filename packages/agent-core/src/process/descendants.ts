import { readdirSync, readFileSync } from 'node:fs';
import { orElse } from '../problem/or-else.ts';

/** A process, told from a later one with the same id by when it began. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

interface ProcessRow extends ProcessIdentity {
  readonly parent: number;
}

/** Everything that descends from a process now, whatever session it moved to; empty where the system has no `/proc`. */
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

let table: ReadonlyMap<number, readonly ProcessRow[]> | undefined;

/** One look at all processes serves everything that is ended in the same moment: there may be hundreds. */
function childrenByParent(): ReadonlyMap<number, readonly ProcessRow[]> {
  if (table) return table;
  const children = new Map<number, ProcessRow[]>();
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

/** Sends a signal to those of them that still run; says whether there were any. */
export function signalProcesses(processes: readonly ProcessIdentity[], signal: NodeJS.Signals | 0): boolean {
  let isAnyAlive = false;
  for (const { pid, startTime } of processes) {
    if (rowOf(pid)?.startTime !== startTime) continue;
    try {
      process.kill(pid, signal);
      isAnyAlive = true;
    } catch {
      // It has just ended, or belongs to another user.
    }
  }
  return isAnyAlive;
}

function processRows(): ProcessRow[] {
  return orElse(
    () => readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (rowOf(Number(name)) ?? []) : [])),
    [],
  );
}

function rowOf(pid: number): ProcessRow | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything, hence the last one: then state, parent, …, and the start as the 20th.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return { pid, parent: Number(fields[1]), startTime: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { orElse } from '../problem/or-else.ts';

/** Processes found in `/proc` at one moment. */
interface Scan {
  /** By `performance.now()`, when it began. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Absent if all processes were looked at. */
  readonly range?: IdRange | undefined;
  /** Running processes by the session they belong to. */
  readonly sessions: ReadonlyMap<number, readonly number[]>;
}

/** Process ids in the order they were given out: after the greatest one, small ones follow. */
interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** A session to look for, by the process that leads it. */
export interface SessionLeader {
  readonly pid: number;
  /** By `performance.now()`. */
  readonly startedAt?: number | undefined;
  /** By `performance.now()`, when its exit was noticed. */
  readonly reapedAt?: number | undefined;
}

/** Milliseconds in which others may use a scan: many commands that end together need one, not one each. */
const sharedFor = 5;
/** Milliseconds in which process ids can hardly have been given out all around. */
const youngFor = 10_000;
/** So many ids are tried one by one sooner than `/proc` is listed. */
const fewIds = 32;

let latest: Scan | undefined;

/** Running processes of the session that a process leads. Empty where the system has no `/proc`. */
export function sessionMembers(leader: SessionLeader): readonly number[] {
  if (process.platform !== 'linux') return [];
  const usable = latest !== undefined && isUsable(latest, leader) ? latest : scan(leader);
  latest = usable;
  return usable.sessions.get(leader.pid) ?? [];
}

/** A process started by the leader before its end must be seen, so a scan from before that end does not count. */
function isUsable({ startedAt, endedAt, range }: Scan, leader: SessionLeader): boolean {
  if (performance.now() - endedAt >= sharedFor || startedAt <= (leader.reapedAt ?? 0)) return false;
  return range === undefined || (isYoung(leader) && isWithin(range, leader.pid));
}

function isYoung({ startedAt = 0 }: SessionLeader): boolean {
  return performance.now() - startedAt < youngFor;
}

function isWithin({ first, last }: IdRange, pid: number): boolean {
  return first <= last ? pid >= first && pid <= last : pid >= first || pid <= last;
}

/** Ids are given out in order, so all members of a young session lie between its leader and the last id. */
function scan(leader: SessionLeader): Scan {
  const startedAt = performance.now();
  const { pids, range } = (isYoung(leader) && fewMembers(leader)) || listed(leader);
  const sessions = new Map<number, number[]>();
  for (const pid of pids) {
    const session = sessionOf(pid);
    if (session === undefined) continue;
    const members = sessions.get(session);
    if (members) members.push(pid);
    else sessions.set(session, [pid]);
  }
  return { startedAt, endedAt: performance.now(), range, sessions };
}

interface Candidates {
  readonly pids: readonly number[];
  readonly range?: IdRange | undefined;
}

/** Every id since the leader's, if these are few: most commands end before many others begin. */
function fewMembers({ pid, reapedAt }: SessionLeader): Candidates | undefined {
  const last = lastId();
  if (last < pid || last - pid >= fewIds) return undefined;
  // Asking for a process that is gone makes an error, which costs more than finding one.
  const first = reapedAt === undefined ? pid : pid + 1;
  return {
    pids: Array.from({ length: last - first + 1 }, (_, index) => first + index),
    range: { first: pid, last },
  };
}

function listed(leader: SessionLeader): Candidates {
  const pids = processNames().flatMap((name) => (/^\d/.test(name) ? Number(name) : []));
  // Asked after the list was made, so that no listed process is beyond it.
  const last = isYoung(leader) ? lastId() : 0;
  if (last === 0) return { pids };
  const range = { first: leader.pid, last };
  return { pids: pids.filter((pid) => isWithin(range, pid)), range };
}

/** The process id that was given out last; 0 if the system does not say. */
function lastId(): number {
  const text = readStart('/proc/loadavg') ?? '';
  return Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
}

function processNames(): readonly string[] {
  return orElse(() => readdirSync('/proc'), []);
}

/** Undefined if the process does not run. */
function sessionOf(pid: number): number | undefined {
  const text = readStart(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name in parentheses may hold anything, hence the last one: then state, parent, group, session.
  const [state, , , session] = text.slice(text.lastIndexOf(')') + 2).split(' ', 4);
  return state === 'Z' || state === 'X' ? undefined : Number(session);
}

const startOfFile = Buffer.allocUnsafeSlow(512);

/** One read: these files are made in the moment, so asking for their size and for their end is of no use. */
function readStart(path: string): string | undefined {
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

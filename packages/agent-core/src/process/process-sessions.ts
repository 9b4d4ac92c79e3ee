import { readdirSync } from 'node:fs';
import { orElse } from '../problem/or-else.ts';
import { processStat, readStart } from './process-stat.ts';

/** Processes found in `/proc` at one moment. */
interface Scan {
  /** Start, by `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Absent if all processes were scanned. */
  readonly range?: IdRange | undefined;
  /** Running processes by session. */
  readonly sessions: ReadonlyMap<number, readonly number[]>;
}

/** Process ids in the order of assignment: they wrap around after the greatest one. */
interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** A session and the process that leads it. */
export interface SessionLeader {
  readonly pid: number;
  /** By `performance.now()`. */
  readonly startedAt?: number | undefined;
  /** When its exit was noticed, by `performance.now()`. */
  readonly reapedAt?: number | undefined;
}

/** Milliseconds for which a scan is shared, so that many commands that end together need only one. */
const sharedFor = 5;
/** Milliseconds in which process ids cannot have wrapped around. */
const youngFor = 10_000;
/** Up to so many ids, trying each is faster than listing `/proc`. */
const fewIds = 32;

let latest: Scan | undefined;

/** Running processes of a leader's session. Empty without `/proc`. */
export function sessionMembers(leader: SessionLeader): readonly number[] {
  if (process.platform !== 'linux') return [];
  const usable = latest !== undefined && isUsable(latest, leader) ? latest : scan(leader);
  latest = usable;
  return usable.sessions.get(leader.pid) ?? [];
}

/** Processes that the leader started must be seen, so a scan from before its end is not usable. */
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

/** Ids are assigned in order, so all members of a young session lie between its leader and the last id. */
function scan(leader: SessionLeader): Scan {
  const startedAt = performance.now();
  const { pids, range } = (isYoung(leader) && fewMembers(leader)) || listed(leader);
  const sessions = new Map<number, number[]>();
  for (const pid of pids) {
    const found = processStat(pid);
    if (!found?.isRunning) continue;
    const { session } = found;
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

/** Tries every id since the leader's if there are few: most commands end before many others begin. */
function fewMembers({ pid, reapedAt }: SessionLeader): Candidates | undefined {
  const last = lastId();
  if (last < pid || last - pid >= fewIds) return undefined;
  // Looking up a missing process creates an error, which costs more than finding one.
  const first = reapedAt === undefined ? pid : pid + 1;
  return {
    pids: Array.from({ length: last - first + 1 }, (_, index) => first + index),
    range: { first: pid, last },
  };
}

function listed(leader: SessionLeader): Candidates {
  const pids = processNames().flatMap((name) => (/^\d/.test(name) ? Number(name) : []));
  // Read after the list, so that no listed process is beyond it.
  const last = isYoung(leader) ? lastId() : 0;
  if (last === 0) return { pids };
  const range = { first: leader.pid, last };
  return { pids: pids.filter((pid) => isWithin(range, pid)), range };
}

/** The last assigned process id; 0 if unknown. */
function lastId(): number {
  const text = readStart('/proc/loadavg') ?? '';
  return Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
}

function processNames(): readonly string[] {
  return orElse(() => readdirSync('/proc'), []);
}

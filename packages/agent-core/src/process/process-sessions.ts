import { readdirSync, readFileSync } from 'node:fs';

/** What was found in `/proc` at one moment. */
interface Scan {
  /** By `performance.now()`, when it began. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Processes with smaller ids were not looked at. */
  readonly from: number;
  /** Running processes by the session they belong to. */
  readonly sessions: ReadonlyMap<number, readonly number[]>;
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

let latest: Scan | undefined;

/** Running processes of the session that a process leads. Empty where the system has no `/proc`. */
export function sessionMembers(leader: SessionLeader): readonly number[] {
  if (process.platform !== 'linux') return [];
  const usable = latest !== undefined && isUsable(latest, leader) ? latest : scan(lowestMember(leader));
  latest = usable;
  return usable.sessions.get(leader.pid) ?? [];
}

/** What a process started before it ended must be seen, so a scan from before its end does not count. */
function isUsable({ startedAt, endedAt, from }: Scan, { pid, reapedAt = 0 }: SessionLeader): boolean {
  return performance.now() - endedAt < sharedFor && startedAt > reapedAt && from <= pid;
}

/** Ids are given out in order, so the members of a young session have none below that of its leader. */
function lowestMember({ pid, startedAt = 0 }: SessionLeader): number {
  const isYoung = performance.now() - startedAt < youngFor;
  return isYoung && pid <= lastId() ? pid : 0;
}

/** The process id that was given out last. */
function lastId(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1));
  } catch {
    return 0;
  }
}

function scan(from: number): Scan {
  const startedAt = performance.now();
  const sessions = new Map<number, number[]>();
  for (const name of processNames()) {
    const pid = Number(name);
    if (!(pid >= from)) continue;
    const stat = readStat(pid);
    if (stat === undefined || stat.state === 'Z' || stat.state === 'X') continue;
    const members = sessions.get(stat.session);
    if (members) members.push(pid);
    else sessions.set(stat.session, [pid]);
  }
  return { startedAt, endedAt: performance.now(), from, sessions };
}

function processNames(): readonly string[] {
  try {
    return readdirSync('/proc');
  } catch {
    return [];
  }
}

function readStat(pid: number): { readonly state: string | undefined; readonly session: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything, hence the last one: then state, parent, group, session.
    const [state, , , session] = text.slice(text.lastIndexOf(')') + 2).split(' ', 4);
    return { state, session: Number(session) };
  } catch {
    return undefined;
  }
}

import { existsSync, linkSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';
import { localTime } from '../naming/short-text.ts';
import { AgentError } from '../problem/agent-error.ts';
import { orElse } from '../problem/or-else.ts';
import { processStat } from '../process/process-stat.ts';
import { isProcessAlive } from '../process/send-signal.ts';
import { parseJson } from '../shape/json.ts';
import { count, object, text } from '../shape/shape.ts';
import { temporaryBeside, temporaryGone } from './temporary-files.ts';

const abandonedAfterMs = 24 * 60 * 60 * 1000;

/** The process that may write to a session. */
export interface LockOwner {
  readonly pid: number;
  /** `startTime` of the process. */
  readonly started: string | undefined;
  readonly host: string;
  /** ISO. */
  readonly since: string;
}

/** Locks a session's file for appending and returns the release function. Locks of dead processes are taken over. */
export function acquireLock(file: string): () => void {
  const path = `${file}.lock`;
  const own = JSON.stringify(ownLockOwner());
  for (let attempt = 0; attempt < 3; attempt++) {
    if (createLock(path, own)) return () => releaseLock(path, own);
    const found = read(path);
    if (found === undefined) continue;
    const owner = parseLockOwner(found);
    if (owner && holds(owner, file)) throw lockedByOther(owner, file);
    removeStale(path, found);
  }
  throw new AgentError(
    'session',
    `The lock ${path} keeps changing hands. Close the other sessions on it and try again.`,
  );
}

/** Describes the holder of a session file's lock; undefined if it is free. */
export function lockHolder(file: string): string | undefined {
  // Checked first, because lists probe thousands of sessions and a failed read costs ten times as much.
  const found = existsSync(`${file}.lock`) ? read(`${file}.lock`) : undefined;
  const owner = found === undefined ? undefined : parseLockOwner(found);
  return owner && holds(owner, file) ? describeLockOwner(owner) : undefined;
}

function lockedByOther(owner: LockOwner, file: string): AgentError {
  // Beside the file of a session stands nothing else in its directory, which is called by its id.
  const reference = basename(file) === 'session.jsonl' ? basename(dirname(file)) : file;
  return sessionInUse(owner, { reference, freedAfter: 'a day after its last line was written' });
}

/**
 * The error for a session that another process writes to; `freedAfter` says when the lock of an unreachable machine
 * expires.
 */
export function sessionInUse(
  owner: LockOwner,
  { reference, freedAfter }: { readonly reference: string; readonly freedAfter: string },
): AgentError {
  const text = 'Close it there, continue in a copy with --fork, or follow it with';
  const remote = `If that machine is gone, the session can be opened here ${freedAfter}.`;
  return new AgentError('session-in-use', `The session is in use by ${describeLockOwner(owner)}.`, {
    subject: reference,
    hint: { text, run: ['sessions', 'show', '--follow', reference] },
    details: owner.host === hostname() ? undefined : [remote],
  });
}

/** Names the process that holds a lock. */
export function describeLockOwner({ pid, host, since }: LockOwner): string {
  const isHere = host === hostname();
  const who = isHere && pid === process.pid ? 'this process' : `process ${pid}`;
  const at = Date.parse(since);
  return `${who}${isHere ? '' : ` on ${host}`} since ${Number.isNaN(at) ? since : localTime(at)}`;
}

/** This process as the owner of a lock. */
export function ownLockOwner(): LockOwner {
  const started = processStat(process.pid)?.startTime;
  return { pid: process.pid, started, host: hostname(), since: new Date().toISOString() };
}

/** Links a finished file into place, so that a lock always has an owner. */
function createLock(path: string, content: string): boolean {
  const draft = temporaryBeside(path);
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    return createWithoutLink(path, content);
  } finally {
    unlinkSync(draft);
    temporaryGone(draft);
  }
}

/** For file systems without hard links. */
function createWithoutLink(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** If another process took over the stale lock meanwhile, its lock is restored. */
function removeStale(path: string, stale: string): void {
  const aside = temporaryBeside(path);
  try {
    renameSync(path, aside);
    if (read(aside) !== stale) linkSync(aside, path);
    unlinkSync(aside);
  } catch {
    // The next attempt sees the current state.
  }
  temporaryGone(aside);
}

function releaseLock(path: string, own: string): void {
  if (read(path) !== own) return;
  try {
    unlinkSync(path);
  } catch {
    // A lock that cannot be removed becomes stale when this process ends.
  }
}

/**
 * True if the owner may still be running. An owner on another machine cannot be checked, so its lock lasts a day after
 * the last write.
 */
function holds(owner: LockOwner, file: string): boolean {
  if (owner.host === hostname()) return !isOwnerGone(owner);
  const times = [file, `${file}.lock`].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Date.now() - Math.max(...times) < abandonedAfterMs;
}

/** True if the owner was a process of this machine that has ended; always false for other machines. */
export function isOwnerGone(owner: LockOwner): boolean {
  if (owner.host !== hostname()) return false;
  if (!isProcessAlive(owner.pid)) return true;
  const found = processStat(owner.pid);
  if (!found) return false;
  return !found.isRunning || (owner.started !== undefined && owner.started !== found.startTime);
}

/** Reads the owner of a lock as `JSON.stringify` wrote it; undefined if it is none. */
export function parseLockOwner(written: string): LockOwner | undefined {
  const owner = ownerShape.parse(parseJson(written));
  return owner && { started: undefined, since: 'an unknown time', ...owner };
}

const ownerShape = object({ pid: count, host: text }, { started: text, since: text });

function read(path: string): string | undefined {
  return orElse(() => readFileSync(path, 'utf8'), undefined);
}

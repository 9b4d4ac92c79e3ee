import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '@robota-sdk/agent-core';
import type { FleetHome } from '../../contract/attempt-workspace.ts';
import { removeFromOrigin } from '../stores/origin-snapshots.ts';
import { lockFileOf } from '../tree/find-worktree.ts';
import { holdAlone } from '../tree/hold-worktree.ts';
import { Mirror } from '../tree/mirror.ts';
import { readFacts, type WorktreeFacts, type WorktreePaths } from '../tree/working-copy.ts';
import { type WorkspacePaths, workspacePaths, worktreeId } from '../tree/workspace-paths.ts';
import { collectCaches, directoryNames } from './collect-caches.ts';
import { processBelow } from './processes-below.ts';
import { unsavedWork } from './unsaved-work.ts';

export interface GarbageRequest {
  readonly home: FleetHome;
  /** Says what would be removed, and removes nothing. */
  readonly dryRun: boolean;
  /** True if the task ended; undefined if it is unknown. */
  isEnded(taskId: string): boolean | undefined | Promise<boolean | undefined>;
  /** Only worktrees of these tasks, by their full ids. */
  readonly only?: readonly string[];
  /** Tasks whose work may go although it was not delivered, by their full ids. */
  readonly discard?: readonly string[];
  /** True if the work of an attempt reached its user: a machine that lost it before needs its files no more. None has unless given. */
  isDelivered?(taskId: string, attempt: number): boolean | Promise<boolean>;
  /** True if a task is done: it is never worked on again, and its snapshots may go. None is unless given. */
  isDone?(taskId: string): boolean;
  /** Mirrors and set-ups that nothing used for so long are removed as well; 30 days unless given. */
  readonly unusedMs?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const usualUnusedMs = 30 * 86_400_000;

/** The fate of one worktree; mirrors and set-ups are named only if they go. */
export interface GarbageVerdict {
  readonly kind: 'worktree' | 'mirror' | 'set-up';
  readonly directory: string;
  readonly taskId?: string;
  readonly attempt?: number;
  readonly action: 'removed' | 'would-remove' | 'kept';
  /** Reason why it stays. */
  readonly reason?: string;
}

/** Removes worktrees that are of no more use. One that anything might still need stays, with the reason. */
export async function collectGarbage(request: GarbageRequest): Promise<GarbageVerdict[]> {
  const paths = workspacePaths(request.home);
  const verdicts: GarbageVerdict[] = [];
  for (const name of directoryNames(paths.work)) {
    if (name.startsWith(trashName)) {
      await emptyTrash(request, join(paths.work, name));
      continue;
    }
    const verdict = await judge(request, { paths, name });
    if (verdict !== undefined) verdicts.push({ kind: 'worktree', ...verdict });
  }
  return request.only === undefined ? [...verdicts, ...(await removeCaches(request, paths))] : verdicts;
}

/** Removes worktrees that a killed process had not finished, and what a killed collection had moved away. */
export async function removeDrafts(home: FleetHome): Promise<void> {
  const paths = workspacePaths(home);
  const request: GarbageRequest = { home, dryRun: false, isEnded: () => undefined };
  for (const name of directoryNames(paths.work)) {
    if (name.startsWith(trashName)) await emptyTrash(request, join(paths.work, name));
    else if (name.endsWith(draftEnd)) await judge(request, { paths, name });
  }
}

async function removeCaches(request: GarbageRequest, paths: WorkspacePaths): Promise<GarbageVerdict[]> {
  const { dryRun, env = process.env, unusedMs = usualUnusedMs } = request;
  const isDone = (taskId: string) => request.isDone?.(taskId) === true;
  const removed = await collectCaches({ paths, env, dryRun, unusedMs, isDone });
  return removed.map((cache) => ({ ...cache, action: dryRun ? 'would-remove' : 'removed' }));
}

const trashName = '.removed-';
const draftEnd = '.new';

/** Removes what a killed collection had moved away. */
async function emptyTrash({ dryRun }: GarbageRequest, directory: string): Promise<void> {
  if (dryRun || (await reasonOfUse(directory)) !== undefined) return;
  await rm(directory, { recursive: true, force: true });
}

type WorktreeVerdict = Omit<GarbageVerdict, 'kind'>;

interface Candidate {
  readonly paths: WorkspacePaths;
  readonly name: string;
}

async function judge(
  request: GarbageRequest,
  { paths, name }: Candidate,
): Promise<WorktreeVerdict | undefined> {
  const place = { directory: join(paths.work, name), own: join(paths.attempts, name) };
  const { directory } = place;
  const stat = lstatSync(directory, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isDirectory()) return { directory, action: 'kept', reason: 'it is not a directory' };
  const hold = holdAlone(lockFileOf(paths, name.replace(/\.new$/, '')));
  if (hold === undefined) return { directory, action: 'kept', reason: 'a process works on it' };
  try {
    return await hold.inTurn(async () => {
      if (name.endsWith(draftEnd)) return removeDraft(request, directory);
      const facts = await readFacts(place);
      if (facts === undefined || !isNamed(facts, name))
        return { directory, action: 'kept', reason: 'it was not made by this fleet' } as const;
      if (request.only?.includes(facts.taskId) === false) return undefined;
      const { taskId, attempt } = facts;
      const reason = await reasonToKeep(request, { paths, place, facts });
      if (reason !== undefined) return { directory, taskId, attempt, action: 'kept', reason } as const;
      if (request.dryRun) return { directory, taskId, attempt, action: 'would-remove' } as const;
      const late = await removeWorktree(paths, place);
      if (late !== undefined) return { directory, taskId, attempt, action: 'kept', reason: late } as const;
      if (request.isDone?.(taskId) === true) await forgetOnOrigin(request, { paths, place, facts });
      return { directory, taskId, attempt, action: 'removed' } as const;
    });
  } finally {
    hold.release();
  }
}

/** The name says the whole id: that of one task may be the beginning of another's. */
function isNamed({ taskId, attempt }: WorktreeFacts, name: string): boolean {
  const id = worktreeId(taskId, attempt);
  return name === id || (name.startsWith(`${id}.`) && /^\d+$/.test(name.slice(id.length + 1)));
}

/** A worktree that was never finished: its lock is free, so the process that made it is gone. */
async function removeDraft(
  { dryRun, only }: GarbageRequest,
  directory: string,
): Promise<WorktreeVerdict | undefined> {
  if (only !== undefined) return undefined;
  const reason = await reasonOfUse(directory);
  if (reason !== undefined) return { directory, action: 'kept', reason };
  if (dryRun) return { directory, action: 'would-remove' };
  await rm(directory, { recursive: true, force: true });
  return { directory, action: 'removed' };
}

interface Judged {
  readonly paths: WorkspacePaths;
  readonly place: WorktreePaths;
  readonly facts: WorktreeFacts;
}

async function reasonToKeep(
  request: GarbageRequest,
  { paths, place, facts }: Judged,
): Promise<string | undefined> {
  const isEnded = await request.isEnded(facts.taskId);
  if (isEnded === undefined) return 'its task is unknown';
  if (!isEnded) return 'its task has not ended';
  const use = await reasonOfUse(place.directory);
  if (use !== undefined) return use;
  const { taskId, attempt } = facts;
  const isDiscarded = request.discard?.includes(taskId) === true;
  const { dryRun, env = process.env } = request;
  try {
    const isOvertaken = (await request.isDelivered?.(taskId, attempt)) === true;
    return await unsavedWork({ paths, place, facts, env, isDiscarded, isOvertaken, dryRun });
  } catch (thrown) {
    return `its state cannot be read: ${errorMessage(thrown)}`;
  }
}

/** Other machines need no snapshots of a task that is done; an origin that does not answer keeps them. */
async function forgetOnOrigin(
  { env = process.env }: GarbageRequest,
  { paths, facts }: Judged,
): Promise<void> {
  const { source, isLocal, taskId, attempt } = facts;
  const mirror = Mirror.of({ paths, source, isLocal, env });
  const signal = AbortSignal.timeout(originMs);
  await removeFromOrigin({ mirror, taskId, attempt, signal }).catch(() => {});
}

const originMs = 30_000;

/** Says which process uses files below a directory; undefined if none does. */
export async function reasonOfUse(directory: string): Promise<string | undefined> {
  const user = await processBelow(directory);
  if (user === undefined) return undefined;
  if (user === 'unknown') return 'this system does not show which processes use it; install lsof';
  return `process ${user.pid} (${user.name}) uses it`;
}

/** Moves it away first: a process that entered it at the last moment is seen then, and gets it back. */
export async function removeWorktree(
  paths: WorkspacePaths,
  place: WorktreePaths,
): Promise<string | undefined> {
  const aside = join(paths.work, `${trashName}${randomUUID()}`);
  await rename(place.directory, aside);
  const reason = await reasonOfUse(aside);
  if (reason !== undefined) {
    await rename(aside, place.directory);
    return reason;
  }
  await rm(place.own, { recursive: true, force: true });
  await rm(aside, { recursive: true, force: true });
  return undefined;
}

import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectories } from '@robota-sdk/agent-core';
import type { WorkspaceRequest } from '../../contract/attempt-workspace.ts';
import { TaskFailure } from '../../contract/task-failure.ts';
import { holdWorktree, type WorktreeHold } from './hold-worktree.ts';
import type { Base, FoundBase, Mirror } from './mirror.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import {
  type AttemptSnapshots,
  adoptSnapshot,
  keepSnapshot,
  lastSnapshot,
  type Snapshot,
  snapshotsOf,
  snapshotsOfTask,
  type WorktreeMemory,
  worktreeOf,
} from './snapshots.ts';
import { makeWorktree, readFacts, type WorktreeFacts, type WorktreePaths } from './working-copy.ts';
import { type WorkspacePaths, worktreeId } from './workspace-paths.ts';

export interface WorktreeSearch {
  readonly request: WorkspaceRequest;
  readonly mirror: Mirror;
  readonly paths: WorkspacePaths;
  readonly snapshots: SnapshotStore | undefined;
}

/** The files of an attempt, held by this process. */
export interface FoundWorktree {
  readonly place: WorktreePaths;
  readonly facts: WorktreeFacts;
  readonly hold: WorktreeHold;
  /** True if it was made now. */
  readonly isNew: boolean;
}

const mostWorktrees = 50;

/**
 * Gives the worktree of an attempt, or makes one. Passes by worktrees that another process has, such as a stopped worker that
 * lost the task, and those that newer snapshots have overtaken.
 */
export async function findWorktree(search: WorktreeSearch): Promise<FoundWorktree> {
  const { request, paths } = search;
  const id = worktreeId(request.taskId, request.attempt);
  for (let number = 1; number <= mostWorktrees; number += 1) {
    const name = number === 1 ? id : `${id}.${number}`;
    const place = { directory: join(paths.work, name), own: join(paths.attempts, name) };
    const hold = holdWorktree(lockFileOf(paths, name));
    if (hold === undefined) continue;
    try {
      const found = await hold.inTurn(() => useOrMake(search, place, hold.memory));
      if (found !== undefined) return { ...found, place, hold };
      hold.release();
    } catch (thrown) {
      hold.release();
      throw thrown;
    }
  }
  throw new TaskFailure('internal', `Task ${request.taskId} has too many worktrees in ${paths.work}.`);
}

/** The file whose lock says that a process uses a worktree. */
export function lockFileOf(paths: WorkspacePaths, name: string): string {
  return join(paths.attempts, `${name}.worktree`);
}

async function useOrMake(
  search: WorktreeSearch,
  place: WorktreePaths,
  memory: WorktreeMemory,
): Promise<{ facts: WorktreeFacts; isNew: boolean } | undefined> {
  const facts = await readFacts(place);
  if (facts !== undefined && !existsSync(search.mirror.directory)) return undefined;
  // Something else has the name: a link, or a directory that we did not make.
  if (facts === undefined && lstatSync(place.directory, { throwIfNoEntry: false }) !== undefined)
    return undefined;
  if (facts === undefined) return { facts: await make(search, place, memory), isNew: true };
  const last = memory.last ?? (await knownSnapshots(search)).at(-1);
  const isCurrent = last !== undefined && (last.number === facts.from || last.worktree === facts.id);
  if (isCurrent) memory.last = last;
  return isCurrent ? { facts, isNew: false } : undefined;
}

async function make(
  search: WorktreeSearch,
  place: WorktreePaths,
  memory: WorktreeMemory,
): Promise<WorktreeFacts> {
  const { request, mirror } = search;
  const { taskId, attempt, repo, signal } = request;
  makeDirectories(join(place.directory, '..'));
  const { base, start } = await findStart(search);
  const facts: WorktreeFacts = {
    id: randomUUID(),
    from: start.number,
    taskId,
    attempt,
    repo,
    base,
    source: mirror.source,
    isLocal: mirror.isLocal,
    directory: place.directory,
    createdAt: new Date().toISOString(),
  };
  await makeWorktree({ mirror, place, facts, tree: start.number === 0 ? undefined : start.tree, signal });
  memory.last = start;
  memory.tree = start.tree;
  return facts;
}

/**
 * The snapshots of the attempt, oldest first. Takes over that of another machine where this one does not know the last tree of
 * the task, and where another process had the task since: what this machine kept may be overtaken.
 */
async function knownSnapshots({ request, mirror, snapshots }: WorktreeSearch): Promise<readonly Snapshot[]> {
  const { taskId, attempt, lease, signal, tree, isTakeover = false } = request;
  if (!existsSync(mirror.directory)) return [];
  const place = { git: mirror.git, taskId, attempt };
  const known = await snapshotsOf(place);
  const isKnown = tree === undefined ? known.length > 0 : known.some((each) => each.tree === tree);
  if (isKnown && !isTakeover) return known;
  const stored = await snapshots?.find({ mirror, taskId, attempt, lease, signal });
  if (stored === undefined) return known;
  const brought = await stored.bring();
  const identity = await worktreeOf(mirror.git, brought.commit);
  // Those after it were kept here, and not stored any more.
  if (isKnown && known.some((each) => each.number === stored.number && each.worktree === identity))
    return known;
  await adoptSnapshot(place, { number: stored.number, ...brought });
  return snapshotsOf(place);
}

interface Start {
  readonly base: Base;
  readonly start: Snapshot;
}

/** The base and the last snapshot, from here or from the store; a new task starts from the repository as it is now. */
async function findStart(search: WorktreeSearch): Promise<Start> {
  const { request, mirror } = search;
  const { taskId, attempt, signal, tree } = request;
  const place = { git: mirror.git, taskId, attempt };
  await mirror.fetch(signal, request.base);
  const known = await knownSnapshots(search);
  const base = await baseOf(search, known[0]);
  const start = known.at(-1) ?? (await keepBase(place, base));
  if (start === undefined || (tree !== undefined && known.length === 0 && !(await mirror.has(tree, signal))))
    throw new TaskFailure(
      'repository',
      `The last snapshot of task ${taskId} is not on this machine.`,
      'Retry the task on the machine that worked on it, or retry it from the start.',
    );
  return { base, start };
}

/** Keeps the base as the first snapshot. */
async function keepBase(place: AttemptSnapshots, base: Base | FoundBase): Promise<Snapshot | undefined> {
  const { commit } = base;
  await keepSnapshot(place, { number: 0, commit });
  return 'tree' in base ? { number: 0, commit, tree: base.tree, time: base.time } : lastSnapshot(place);
}

/** All attempts of a task start from the same commit, also if the branch moved since. */
async function baseOf(
  { request, mirror }: WorktreeSearch,
  first: Snapshot | undefined,
): Promise<Base | FoundBase> {
  const { taskId, attempt, base, signal } = request;
  const resolved = async () => mirror.resolveBase(base, signal);
  const pinned = first?.commit ?? (attempt === 1 ? undefined : await firstBase(mirror, taskId));
  if (pinned === undefined) return resolved();
  await mirror.bring(pinned, signal);
  // The name of the branch still counts for a pull request; it may be gone by now.
  const branch = await resolved().then(
    ({ branch }) => branch,
    () => undefined,
  );
  return { commit: pinned, ...(branch === undefined ? {} : { branch }) };
}

async function firstBase(mirror: Mirror, taskId: string): Promise<string | undefined> {
  const all = await snapshotsOfTask({ git: mirror.git, taskId });
  return all.find(({ number }) => number === 0)?.commit;
}

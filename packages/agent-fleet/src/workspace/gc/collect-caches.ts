import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { orElse } from '@robota-sdk/agent-core';
import { Git } from '../git/git.ts';
import { SetUpCache } from '../set-up/set-up-cache.ts';
import { tryLock } from '../tree/file-lock.ts';
import { readFacts } from '../tree/working-copy.ts';
import { hashOfTexts, snapshotRefs, type WorkspacePaths } from '../tree/workspace-paths.ts';

export interface CacheRequest {
  readonly paths: WorkspacePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dryRun: boolean;
  /** Mirrors and set-ups that nothing used for so long are removed. */
  readonly unusedMs: number;
  /** True if a task is done: it is never worked on again. */
  isDone(taskId: string): boolean;
}

/** Something that was made once and can be made again. */
export interface RemovedCache {
  readonly kind: 'mirror' | 'set-up';
  readonly directory: string;
}

const dayMs = 86_400_000;
const trash = '.removed-';

/** Removes snapshots of tasks that are done, and mirrors and set-ups that nothing has used for long. */
export async function collectCaches(request: CacheRequest): Promise<readonly RemovedCache[]> {
  const uses = await usesIn(request.paths);
  const removed: RemovedCache[] = [];
  for (const name of directoryNames(request.paths.setUps)) {
    const directory = await collectSetUp(request, name);
    if (directory !== undefined) removed.push({ kind: 'set-up', directory });
  }
  // A worktree that cannot be read may need any of them.
  if (uses === undefined) return removed;
  for (const name of directoryNames(request.paths.mirrors)) {
    const directory = await collectMirror(request, name, uses);
    if (directory !== undefined) removed.push({ kind: 'mirror', directory });
  }
  return removed;
}

interface Uses {
  readonly mirrors: ReadonlySet<string>;
  readonly tasks: ReadonlySet<string>;
}

/** The mirrors and tasks of all worktrees; undefined if one of them cannot be read. */
async function usesIn({ work, attempts }: WorkspacePaths): Promise<Uses | undefined> {
  const names = directoryNames(work).filter((name) => !name.startsWith(trash));
  const facts = await Promise.all(
    names.map((name) => readFacts({ directory: join(work, name), own: join(attempts, name) })),
  );
  if (facts.includes(undefined)) return undefined;
  const known = facts.filter((each) => each !== undefined);
  return {
    mirrors: new Set(known.map(({ source }) => hashOfTexts(source))),
    tasks: new Set(known.map(({ taskId }) => taskId)),
  };
}

async function collectSetUp(
  { paths, dryRun, unusedMs }: CacheRequest,
  name: string,
): Promise<string | undefined> {
  const path = join(paths.setUps, name);
  if (name.startsWith(trash) || (name.startsWith('.new-') && ageOf(path) > dayMs)) {
    if (!dryRun) await rm(path, { recursive: true, force: true });
    return undefined;
  }
  if (ageOf(path) <= unusedMs) return undefined;
  if (name.endsWith('.useless')) {
    if (!dryRun) await rm(path, { force: true });
    return undefined;
  }
  if (!/^[0-9a-f]+$/.test(name)) return undefined;
  const release = tryLock(new SetUpCache(paths.setUps).lockFile(name));
  if (release === undefined) return undefined;
  try {
    return dryRun || (await removeUnused(path, unusedMs)) ? path : undefined;
  } finally {
    release();
  }
}

/** Moves a directory away first: one that came into use at the last moment shows it by its time, and gets back. */
async function removeUnused(path: string, unusedMs: number): Promise<boolean> {
  const aside = join(path, '..', `${trash}${randomUUID()}`);
  await rename(path, aside);
  if (ageOf(aside) <= unusedMs) {
    await rename(aside, path);
    return false;
  }
  await rm(aside, { recursive: true, force: true });
  return true;
}

async function collectMirror(request: CacheRequest, name: string, uses: Uses): Promise<string | undefined> {
  const { paths, dryRun, unusedMs, env } = request;
  const directory = join(paths.mirrors, name);
  if (name.startsWith(trash) && !dryRun) await rm(directory, { recursive: true, force: true });
  if (!/^[0-9a-f]{32}$/.test(name)) return undefined;
  const lock = join(paths.mirrors, `${name}.mirror`);
  const release = tryLock(lock);
  if (release === undefined) return undefined;
  try {
    const git = new Git({ gitDirectory: directory, isOwn: true }, env);
    const left = await dropSnapshots(git, request, uses);
    const stamp = `${lock}.fetched`;
    const isUnused = left === 0 && !uses.mirrors.has(name) && ageOf(stamp, directory) > unusedMs;
    if (!isUnused) return undefined;
    if (dryRun) return directory;
    await rm(stamp, { force: true });
    const aside = join(paths.mirrors, `${trash}${randomUUID()}`);
    await rename(directory, aside);
    await rm(aside, { recursive: true, force: true });
    return directory;
  } finally {
    release();
  }
}

/** Removes the snapshots of tasks that are done and have no worktree; gives the number of those that stay. */
async function dropSnapshots(
  git: Git,
  { dryRun, isDone }: CacheRequest,
  { tasks, mirrors }: Uses,
): Promise<number> {
  const prefix = snapshotRefs('');
  const listed = await git.text(['for-each-ref', '--format=%(refname)', prefix]);
  const refs = listed.split('\n').filter((ref) => ref !== '');
  const done = refs.filter((ref) => {
    const id = ref.slice(prefix.length).split('/')[0] ?? '';
    return isDone(id) && !tasks.has(id);
  });
  if (done.length === 0 || dryRun) return refs.length - done.length;
  const input = done.map((ref) => `delete ${ref}\n`).join('');
  await git.run(['update-ref', '--no-deref', '--stdin'], { input });
  // Worktrees borrow objects of the mirror that no ref of it names.
  if (mirrors.size === 0) await git.run(['gc', '--quiet', '--prune=1.day.ago'], {}).catch(() => {});
  return refs.length - done.length;
}

/** The time since a file was last used, or another one if it is missing. */
function ageOf(path: string, otherwise?: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) return Date.now() - found.mtimeMs;
  return otherwise === undefined ? 0 : ageOf(otherwise);
}

/** The names in a directory, in their order; none where it is missing. */
export function directoryNames(directory: string): string[] {
  return orElse(() => readdirSync(directory).sort(), []);
}

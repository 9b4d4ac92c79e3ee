import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '../git/git.ts';
import { type IndexUpdate, namedPaths, unlockIndex, updateIndex } from '../git/update-index.ts';
import { writeCommit } from '../git/write-commit.ts';
import { snapshotRefs } from './workspace-paths.ts';

/** A tree that was kept, with the commit that holds it. */
export interface Snapshot {
  readonly tree: string;
  readonly commit: string;
  /** Counts from 0, which is the base. */
  readonly number: number;
  /** The id of the worktree that it was taken in; undefined for the base. */
  readonly worktree?: string | undefined;
  /** The time of its commit in seconds. */
  readonly time: number;
}

export interface SnapshotResult extends Snapshot {
  /** False if nothing changed since the last one. */
  readonly isNew: boolean;
  readonly notes: readonly string[];
}

/** The snapshots of one attempt in a mirror. */
export interface AttemptSnapshots {
  readonly git: Git;
  readonly taskId: string;
  readonly attempt: number;
}

/** A worktree to take snapshots of; `git` is the mirror with the worktree and our index of it. */
export interface WorktreeSnapshots extends AttemptSnapshots {
  /** The id of the worktree, which tells it from others of the same attempt. */
  readonly worktree: string;
  readonly memory?: WorktreeMemory;
}

/** Facts about a worktree that this process alone uses, so that git need not be asked for them again. */
export interface WorktreeMemory {
  /** The tree of our index. */
  tree?: string | undefined;
  last?: Snapshot | undefined;
  /** The commit of the snapshot that other machines can get. */
  stored?: string;
  /** True once earlier holders of the task can deliver nothing any more. */
  isTakenOver?: boolean;
}

const largeBytes = 50 * 1024 * 1024;

/** Puts the files, with untracked ones and without ignored ones, into our index; gives their tree. */
export async function readTree({ git, memory = {} }: WorktreeSnapshots): Promise<TreeOfFiles> {
  await unlockIndex(git);
  const before = memory.tree;
  // Not known again until the index is written.
  memory.tree = undefined;
  const { isChanged, present, notes } = await updateIndex(git);
  const tree = isChanged || before === undefined ? await git.text(['write-tree']) : before;
  memory.tree = tree;
  return { tree, before, present, notes };
}

interface TreeOfFiles extends Pick<IndexUpdate, 'present' | 'notes'> {
  readonly tree: string;
  /** The tree that the index had; undefined if that is not known. */
  readonly before: string | undefined;
}

/** Keeps the files as the next snapshot of the attempt unless they are those of the last. */
export async function takeSnapshot(
  place: WorktreeSnapshots,
  assertLease: () => Promise<void>,
): Promise<SnapshotResult> {
  const { memory = {} } = place;
  const { tree, before, present, notes } = await readTree(place);
  const last = memory.last ?? (await lastSnapshot(place));
  memory.last = last;
  if (last === undefined) throw new Error(`Task ${place.taskId} has no base.`);
  if (last.tree === tree) return { ...last, isNew: false, notes };
  const remarks = remarksOn(
    last.tree === before
      ? changedFiles(place.git, present)
      : await changedEntries(place.git, last.tree, tree),
  );
  const number = last.number + 1;
  await assertLease();
  const time = Math.floor(Date.now() / 1000);
  const commit = await commitSnapshot(place, { tree, number, parent: last.commit, time });
  memory.last = undefined;
  await keepSnapshot(place, { number, commit });
  try {
    // A process that was stopped in between must not leave one for the task's next holder.
    await assertLease();
  } catch (thrown) {
    await dropSnapshot(place, { number, commit });
    throw thrown;
  }
  const taken = { tree, commit, number, worktree: place.worktree, time };
  memory.last = taken;
  return { ...taken, isNew: true, notes: [...notes, ...remarks] };
}

interface NewCommit extends Pick<Snapshot, 'tree' | 'number' | 'time'> {
  readonly parent: string;
}

/** Makes the commit of a snapshot; the same snapshot on the same parent gives the same commit. */
export function commitSnapshot(
  { git, taskId, attempt, worktree }: AttemptSnapshots & { readonly worktree?: string | undefined },
  { tree, number, parent, time }: NewCommit,
): Promise<string> {
  const message = `Snapshot ${number} of task ${taskId}, attempt ${attempt}, worktree ${worktree}\n`;
  return writeCommit(git, { tree, parent, time, message });
}

/** The number in the title of a snapshot's commit; undefined if it is none of this task. */
export function snapshotNumber(title: string, taskId: string): number | undefined {
  const found = /^Snapshot (\d+) of task (\S+), attempt /.exec(title);
  return found?.[2] === taskId ? Number(found[1]) : undefined;
}

/** Replaces what is known of an attempt by a snapshot from elsewhere and its base. */
export async function adoptSnapshot(
  place: AttemptSnapshots,
  { number, commit, base }: { readonly number: number; readonly commit: string; readonly base: string },
): Promise<void> {
  const known = (await snapshotsOf(place)).map((each) => `delete ${refOf(place, each.number)}`);
  const kept = [
    `update ${refOf(place, 0)} ${base}`,
    ...(number === 0 ? [] : [`update ${refOf(place, number)} ${commit}`]),
  ];
  // In two steps: git refuses two commands for one ref.
  if (known.length > 0)
    await place.git.run(['update-ref', '--no-deref', '--stdin'], { input: `${known.join('\n')}\n` });
  await place.git.run(['update-ref', '--no-deref', '--stdin'], { input: `${kept.join('\n')}\n` });
}

/** Gives a commit a number; refused if another process has given it already. */
export async function keepSnapshot(
  place: AttemptSnapshots,
  { number, commit }: Pick<Snapshot, 'number' | 'commit'>,
): Promise<void> {
  await place.git.run(['update-ref', '--no-deref', refOf(place, number), commit, '0'.repeat(commit.length)]);
}

/** Takes a number back from a commit. */
export async function dropSnapshot(
  place: AttemptSnapshots,
  { number, commit }: Pick<Snapshot, 'number' | 'commit'>,
): Promise<void> {
  await place.git.run(['update-ref', '--no-deref', '-d', refOf(place, number), commit]);
}

function refOf({ taskId, attempt }: AttemptSnapshots, number: number): string {
  return `${snapshotRefs(taskId)}/${attempt}.${number}`;
}

/** The snapshot of an attempt with the greatest number. */
export async function lastSnapshot(place: AttemptSnapshots): Promise<Snapshot | undefined> {
  return (await snapshotsOf(place)).at(-1);
}

/** All snapshots of an attempt, oldest first. */
export async function snapshotsOf({ git, taskId, attempt }: AttemptSnapshots): Promise<Snapshot[]> {
  const all = await snapshotsOfTask({ git, taskId });
  return all.filter((each) => each.attempt === attempt).sort((one, other) => one.number - other.number);
}

/** All snapshots of a task, with the attempts that they belong to. */
export async function snapshotsOfTask({
  git,
  taskId,
}: Pick<AttemptSnapshots, 'git' | 'taskId'>): Promise<(Snapshot & Pick<AttemptSnapshots, 'attempt'>)[]> {
  const format = '--format=%(refname) %(objectname) %(tree) %(committerdate:unix) %(contents:subject)';
  const text = await git.text(['for-each-ref', format, snapshotRefs(taskId)]);
  const beginning = `${snapshotRefs(taskId)}/`;
  return text.split('\n').flatMap((line) => {
    const [ref = '', commit = '', tree = '', time = '', ...subject] = line.split(' ');
    const name = /^(\d+)\.(\d+)$/.exec(ref.slice(beginning.length));
    if (name === null) return [];
    const [attempt, number] = [Number(name[1]), Number(name[2])];
    const worktree = number === 0 ? undefined : worktreeIn(subject.join(' '));
    return [{ attempt, number, tree, commit, worktree, time: Number(time) }];
  });
}

/** The id of the worktree that a snapshot was taken in; undefined for the base. */
export async function worktreeOf(git: Git, commit: string): Promise<string | undefined> {
  return worktreeIn(await git.text(['log', '-1', '--no-show-signature', '--format=%s', commit]));
}

function worktreeIn(title: string): string | undefined {
  return /^Snapshot .*, worktree (\S+)$/.exec(title)?.[1];
}

/** Makes the files those of a tree. Ignored files stay. */
export async function restoreTree(place: WorktreeSnapshots, tree: string): Promise<void> {
  // Files made since the last snapshot are known to git afterwards, and so removed.
  await readTree(place);
  const { memory = {} } = place;
  memory.tree = undefined;
  await place.git.run(['read-tree', '--reset', '-u', tree]);
  memory.tree = tree;
}

interface ChangedPath {
  readonly path: string;
  /** In bytes; undefined for a repository inside. */
  readonly size: number | undefined;
}

function remarksOn(changes: readonly ChangedPath[]): string[] {
  const links = changes.filter(({ size }) => size === undefined).map(({ path }) => path);
  const large = changes.filter(({ size = 0 }) => size > largeBytes).map(({ path }) => path);
  return [
    ...(links.length === 0
      ? []
      : [
          `Repositories inside the repository are kept by their commit only, not by their files: ${namedPaths(links)}.`,
        ]),
    ...(large.length === 0 ? [] : [`Files larger than 50 MB: ${namedPaths(large)}.`]),
  ];
}

function changedFiles({ place }: Git, paths: readonly string[]): ChangedPath[] {
  return paths.flatMap((path) => {
    const stat = lstatSync(join(place.workTree ?? '', path), { throwIfNoEntry: false });
    return stat === undefined ? [] : [{ path, size: stat.isDirectory() ? undefined : stat.size }];
  });
}

/** The same where only the trees are known. */
async function changedEntries(git: Git, from: string, to: string): Promise<ChangedPath[]> {
  const fields = await git.fields(['diff-tree', '-r', '-z', '--no-renames', '--raw', from, to]);
  const changes: { readonly mode: string; readonly hash: string; readonly path: string }[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , hash = ''] = (fields[at] ?? '').split(' ');
    if (mode !== '000000') changes.push({ mode, hash, path: fields[at + 1] ?? '' });
  }
  const blobs = changes.filter(({ mode }) => mode !== '160000');
  const sizes = await sizesOf(
    git,
    blobs.map(({ hash }) => hash),
  );
  return [
    ...changes.filter(({ mode }) => mode === '160000').map(({ path }) => ({ path, size: undefined })),
    ...blobs.map(({ path }, index) => ({ path, size: sizes[index] ?? 0 })),
  ];
}

async function sizesOf(git: Git, hashes: readonly string[]): Promise<number[]> {
  if (hashes.length === 0) return [];
  const text = await git.text(['cat-file', '--batch-check=%(objectsize)'], {
    input: `${hashes.join('\n')}\n`,
  });
  return text.split('\n').map(Number);
}

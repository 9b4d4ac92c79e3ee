import type { Git } from '../git/git.ts';
import { namedPaths, unlockIndex, updateIndex } from '../git/update-index.ts';
import { snapshotRefs } from './workspace-paths.ts';

/** A tree that was kept, with the commit that holds it. */
export interface Snapshot {
  readonly tree: string;
  readonly commit: string;
  /** Counts from 0, which is the base. */
  readonly number: number;
  /** The id of the worktree that it was taken in; undefined for the base. */
  readonly worktree?: string | undefined;
}

export interface SnapshotResult extends Snapshot {
  /** False if nothing changed since the last one. */
  readonly isNew: boolean;
  readonly notes: readonly string[];
}

/** The snapshots of one attempt in a mirror. */
export interface AttemptPlace {
  readonly git: Git;
  readonly taskId: string;
  readonly attempt: number;
}

/** A worktree to take snapshots of; `git` is the mirror with the worktree and our index of it. */
export interface SnapshotPlace extends AttemptPlace {
  /** The id of the worktree, which tells it from others of the same attempt. */
  readonly worktree: string;
}

const largeBytes = 50 * 1024 * 1024;

/** The commits of snapshots are the same wherever they are made; only trees matter. */
export const snapshotIdentity = {
  GIT_AUTHOR_NAME: 'Robota',
  GIT_AUTHOR_EMAIL: 'robota@localhost',
  GIT_COMMITTER_NAME: 'Robota',
  GIT_COMMITTER_EMAIL: 'robota@localhost',
};

/** Puts the files, with untracked ones and without ignored ones, into our index; gives their tree. */
export async function readTree({ git }: SnapshotPlace): Promise<{ tree: string; notes: readonly string[] }> {
  await unlockIndex(git);
  const notes = await updateIndex(git);
  return { tree: await git.text(['write-tree']), notes };
}

/** Keeps the files as the next snapshot of the attempt unless they are those of the last. */
export async function takeSnapshot(
  place: SnapshotPlace,
  assertLease: () => Promise<void>,
): Promise<SnapshotResult> {
  const { tree, notes } = await readTree(place);
  const last = await lastSnapshot(place);
  if (last === undefined) throw new Error(`Task ${place.taskId} has no base.`);
  if (last.tree === tree) return { ...last, isNew: false, notes };
  const remarks = await remarksOn(place.git, last.tree, tree);
  const number = last.number + 1;
  await assertLease();
  const message = `Snapshot ${number} of task ${place.taskId}, attempt ${place.attempt}, worktree ${place.worktree}\n`;
  const commit = await place.git.text(['commit-tree', tree, '-p', last.commit], {
    input: message,
    variables: snapshotIdentity,
  });
  await keepSnapshot(place, { number, commit });
  try {
    // A process that was stopped in between must not leave one for the task's next holder.
    await assertLease();
  } catch (thrown) {
    await dropSnapshot(place, { number, commit });
    throw thrown;
  }
  return { tree, commit, number, worktree: place.worktree, isNew: true, notes: [...notes, ...remarks] };
}

/** The number in the title of a snapshot's commit; undefined if it is none of this task. */
export function snapshotNumber(title: string, taskId: string): number | undefined {
  const found = /^Snapshot (\d+) of task (\S+), attempt /.exec(title);
  return found?.[2] === taskId ? Number(found[1]) : undefined;
}

/** Replaces what is known of an attempt by a snapshot from elsewhere and its base. */
export async function adoptSnapshot(
  place: AttemptPlace,
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
  place: AttemptPlace,
  { number, commit }: Pick<Snapshot, 'number' | 'commit'>,
): Promise<void> {
  await place.git.run(['update-ref', '--no-deref', refOf(place, number), commit, '0'.repeat(commit.length)]);
}

/** Takes a number back from a commit. */
export async function dropSnapshot(
  place: AttemptPlace,
  { number, commit }: Pick<Snapshot, 'number' | 'commit'>,
): Promise<void> {
  await place.git.run(['update-ref', '--no-deref', '-d', refOf(place, number), commit]);
}

function refOf({ taskId, attempt }: AttemptPlace, number: number): string {
  return `${snapshotRefs(taskId)}/${attempt}.${number}`;
}

/** The snapshot of an attempt with the greatest number. */
export async function lastSnapshot(place: AttemptPlace): Promise<Snapshot | undefined> {
  return (await snapshotsOf(place)).at(-1);
}

/** All snapshots of an attempt, oldest first. */
export async function snapshotsOf({ git, taskId, attempt }: AttemptPlace): Promise<Snapshot[]> {
  const format = '--format=%(refname) %(objectname) %(tree) %(contents:subject)';
  const text = await git.text(['for-each-ref', format, snapshotRefs(taskId)]);
  const beginning = `${snapshotRefs(taskId)}/${attempt}.`;
  return text
    .split('\n')
    .filter((line) => line.startsWith(beginning))
    .map(parseSnapshot)
    .sort((one, other) => one.number - other.number);
}

function parseSnapshot(line: string): Snapshot {
  const [ref = '', commit = '', tree = '', ...subject] = line.split(' ');
  const number = Number(ref.slice(ref.lastIndexOf('.') + 1));
  const worktree = number === 0 ? undefined : /, worktree (\S+)$/.exec(subject.join(' '))?.[1];
  return { tree, commit, number, worktree };
}

/** Makes the files those of a tree. Ignored files stay. */
export async function restoreTree(place: SnapshotPlace, tree: string): Promise<void> {
  // Files made since the last snapshot are known to git afterwards, and so removed.
  await readTree(place);
  await place.git.run(['read-tree', '--reset', '-u', tree]);
}

async function remarksOn(git: Git, from: string, to: string): Promise<string[]> {
  const fields = await git.fields(['diff-tree', '-r', '-z', '--no-renames', '--raw', from, to]);
  const changes: { readonly mode: string; readonly hash: string; readonly path: string }[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , hash = ''] = (fields[at] ?? '').split(' ');
    if (mode !== '000000') changes.push({ mode, hash, path: fields[at + 1] ?? '' });
  }
  const links = changes.filter(({ mode }) => mode === '160000').map(({ path }) => path);
  const blobs = changes.filter(({ mode }) => mode !== '160000');
  const sizes = await sizesOf(
    git,
    blobs.map(({ hash }) => hash),
  );
  const large = blobs.filter((_, index) => (sizes[index] ?? 0) > largeBytes).map(({ path }) => path);
  return [
    ...(links.length === 0
      ? []
      : [
          `Repositories inside the repository are kept by their commit only, not by their files: ${namedPaths(links)}.`,
        ]),
    ...(large.length === 0 ? [] : [`Files larger than 50 MB: ${namedPaths(large)}.`]),
  ];
}

async function sizesOf(git: Git, hashes: readonly string[]): Promise<number[]> {
  if (hashes.length === 0) return [];
  const text = await git.text(['cat-file', '--batch-check=%(objectsize)'], {
    input: `${hashes.join('\n')}\n`,
  });
  return text.split('\n').map(Number);
}

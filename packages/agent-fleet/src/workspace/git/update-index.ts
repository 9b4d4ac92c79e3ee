import { existsSync, lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, GitError } from './git.ts';

const mostNamed = 5;

export interface IndexUpdate {
  readonly isChanged: boolean;
  /** The files and directories that were put into the index. */
  readonly present: readonly string[];
  /** Remarks on what had to be left out. */
  readonly notes: readonly string[];
}

/**
 * Puts all files of a working tree into the index, with untracked ones and without ignored ones. Unlike `git add`, it looks
 * into no repository inside: git would run the programs that its configuration names.
 */
export async function updateIndex(git: Git): Promise<IndexUpdate> {
  const { deleted, present } = await changedPaths(git);
  const impossible = present.filter(isDotGit);
  if (deleted.length > 0)
    await git.run(['update-index', '-z', '--force-remove', '--stdin'], { input: joined(deleted) });
  const refused = await addPaths(
    git,
    present.filter((path) => !isDotGit(path)),
  );
  const left = [...impossible, ...refused];
  const isChanged = deleted.length + present.length > 0;
  const note = `Not in the snapshot, because git cannot read or store them: ${namedPaths(left)}.`;
  return { isChanged, present, notes: left.length === 0 ? [] : [note] };
}

/** Changes of the working tree since the index, in one call of git. */
async function changedPaths(git: Git): Promise<{ deleted: string[]; present: string[] }> {
  const words = ['ls-files', '-z', '-t', '--deleted', '--modified', '--others', '--exclude-standard'];
  const deleted = new Set<string>();
  const present = new Set<string>();
  for (const field of await git.fields(words)) {
    const [kind, path] = [field[0], field.slice(2)];
    // A repository inside ends with a slash.
    if (kind === '?') present.add(path.replace(/\/$/, ''));
    else (kind === 'R' || isFolder(git, path) ? deleted : present).add(path);
  }
  // Deleted files are named as modified, too.
  return { deleted: [...deleted], present: [...present].filter((path) => !deleted.has(path)) };
}

/** True where a directory that is no repository took the place of a file. */
function isFolder({ place }: Git, path: string): boolean {
  const at = join(place.workTree ?? '', path);
  return existsSync(at) && lstatSync(at).isDirectory() && !existsSync(join(at, '.git'));
}

/** Git stores no such name, in whatever case. */
function isDotGit(path: string): boolean {
  return path.split('/').some((part) => part.toLowerCase() === '.git');
}

/** Adds paths; one that git refuses, such as an unreadable file, does not keep the others out. Gives the refused ones. */
async function addPaths(git: Git, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  try {
    await git.run(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], {
      input: joined(paths),
    });
    return [];
  } catch (thrown) {
    if (!(thrown instanceof GitError) || thrown.stderr.includes('index.lock')) throw thrown;
    if (paths.length === 1) return paths;
    const middle = Math.ceil(paths.length / 2);
    const refused = await addPaths(git, paths.slice(0, middle));
    return [...refused, ...(await addPaths(git, paths.slice(middle)))];
  }
}

function joined(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join('');
}

/** A few paths for a remark. */
export function namedPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, mostNamed).map((path) => JSON.stringify(path));
  return paths.length > mostNamed
    ? `${shown.join(', ')} and ${paths.length - mostNamed} more`
    : shown.join(', ');
}

/** Removes the lock that a killed git left; only for an index that no other process uses. */
export async function unlockIndex(git: Git): Promise<void> {
  if (git.place.indexFile !== undefined) await rm(`${git.place.indexFile}.lock`, { force: true });
}

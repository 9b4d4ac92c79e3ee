import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readRegularFile } from '@robota-sdk/agent-core';

/** The branch that a directory's repository is on, or the first letters of its commit; nothing outside of one. */
export async function findBranch(directory: string): Promise<string | undefined> {
  const head = await headOf(directory);
  if (head === undefined) return undefined;
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim() ?? head.trim().slice(0, 7);
}

async function headOf(directory: string): Promise<string | undefined> {
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    const found = await stat(git).catch(() => undefined);
    if (found) return readHead(git, folder, { isFolder: found.isDirectory() }).catch(() => undefined);
    if (dirname(folder) === folder) return undefined;
  }
}

/** A worktree has a file that says where its own folder is. */
async function readHead(
  git: string,
  folder: string,
  { isFolder }: { isFolder: boolean },
): Promise<string | undefined> {
  if (isFolder) return textOf(join(git, 'HEAD'));
  const [, path] = /^gitdir: (.+)$/m.exec(await textOf(git)) ?? [];
  return path === undefined ? undefined : textOf(join(resolve(folder, path.trim()), 'HEAD'));
}

async function textOf(path: string): Promise<string> {
  return (await readRegularFile(path, { largest: largestPointer })).toString();
}

const largestPointer = 64 * 1024;

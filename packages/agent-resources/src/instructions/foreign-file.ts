import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWithin, repositoryOf } from '@robota-sdk/agent-core';

/**
 * True for directories above a project, where others may have put files: above its repository, otherwise above itself.
 */
export function isAboveProject(directory: string, cwd: string): boolean {
  const root = repositoryOf(cwd) ?? cwd;
  return directory !== root && isWithin(directory, root);
}

/** Why a file may not belong to the user; undefined if it is theirs or the system's. */
export function foreignness(path: string): string | undefined {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  try {
    // For a link, its own owner and that of its target count.
    const [entry, file, directory] = [lstatSync(path), statSync(path), statSync(dirname(path))];
    if ([entry.uid, file.uid].some((owner) => owner !== user && owner !== 0))
      return 'it belongs to another user';
    if ((file.mode & 0o002) !== 0) return 'anyone can write to it';
    const isOpen = (directory.mode & 0o1002) === 0o002;
    return isOpen ? 'anyone can write to its directory' : undefined;
  } catch {
    // Reading it will say why it can't be read.
    return undefined;
  }
}

import { dirname } from 'node:path';

/** The fix for a file or directory that cannot be written. */
export function diskAdvice(error: unknown, path: string): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') return `Make ${dirname(path)} writable for you.`;
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'A file is where a directory should be: move it away.';
  return fullOrReadOnly(error) ?? 'Check the disk.';
}

/** Advice that fits any write; undefined for errors that need more context. */
export function fullOrReadOnly(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'Free some space on the disk.';
  if (code !== 'EROFS') return undefined;
  return 'The disk is read-only: mount it for writing, or set ROBOTA_HOME to another place.';
}

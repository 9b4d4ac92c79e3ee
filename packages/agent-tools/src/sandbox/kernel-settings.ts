import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Everything in `/proc` that belongs to the kernel and not to a process: directories, and files that somebody may write.
 * Root owns most of it and needs no capability to change it, and some of it names programs that the kernel starts
 * outside of every namespace.
 */
export function kernelSettings(): readonly string[] {
  return readdirSync('/proc', { withFileTypes: true })
    .filter((entry) => !/^\d+$/.test(entry.name) && !entry.isSymbolicLink())
    .filter((entry) => entry.isDirectory() || isWritable(join('/proc', entry.name)))
    .map((entry) => join('/proc', entry.name));
}

function isWritable(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o222) !== 0;
}

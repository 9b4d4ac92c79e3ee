import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { orElse } from '../problem/or-else.ts';

/**
 * Makes a directory and those above it. Node's own recursive way never returns where a file system says that a directory
 * does not exist right after saying that it does, as `/proc` does.
 */
export function makeDirectories(path: string, mode = 0o777): void {
  if (isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectories(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    // Another process may have been faster.
    if (!isDirectory(path)) throw failure(path, thrown as NodeJS.ErrnoException);
  }
}

/** Names the one directory that fails, which may be far above the one that was wanted. */
function failure(path: string, thrown: NodeJS.ErrnoException): Error {
  const { code = '' } = thrown;
  const isBlocked = code === 'EEXIST' || code === 'ENOTDIR';
  const why = isBlocked ? `${code}: ${path} is not a directory` : thrown.message;
  return Object.assign(new Error(`the directory ${path} cannot be made: ${why}`, { cause: thrown }), {
    code,
  });
}

function isDirectory(path: string): boolean {
  return orElse(() => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false, false);
}

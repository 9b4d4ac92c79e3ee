import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage } from '../problem/agent-error.ts';
import { orElse } from '../problem/or-else.ts';

/**
 * Creates a directory and its parents. Node's recursive mkdir never returns on file systems such as `/proc`, where a
 * directory "exists" and is missing at the same time.
 */
export function makeDirectories(path: string, mode = 0o777): void {
  if (isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectories(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    // Another process may have created it meanwhile.
    if (!isDirectory(path)) throw failure(path, thrown as NodeJS.ErrnoException);
  }
}

/** Names the directory that failed, which may be far above the requested one. */
function failure(path: string, thrown: NodeJS.ErrnoException): Error {
  const { code = '' } = thrown;
  const isBlocked = code === 'EEXIST' || code === 'ENOTDIR';
  const why = isBlocked ? `${path} is not a directory` : errorMessage(thrown);
  return Object.assign(new Error(`the directory cannot be created: ${why}`, { cause: thrown }), { code });
}

function isDirectory(path: string): boolean {
  return orElse(() => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false, false);
}

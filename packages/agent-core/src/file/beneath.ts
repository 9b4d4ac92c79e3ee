import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, sep } from 'node:path';
import { orElse } from '../problem/or-else.ts';
import { temporaryBeside, temporaryGone } from './temporary-files.ts';

const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
/** Linux: opens a place in the tree, without the right to read it. */
const O_PATH = 0o10000000;
/** Another process that exchanges folders is given up on after as many tries. */
const mostTries = 3;

/** How a file beneath a root is written. */
export interface WriteBeneathOptions {
  /** The file's mode. Default: the usual one. */
  readonly mode?: number;
  /** Replaces a file that is there, or refuses with `EEXIST`. Default: `replace`. */
  readonly existing?: 'replace' | 'refuse';
}

/**
 * Opens a regular file beneath a root for reading. No part of `path` is followed if it is a link, and a folder that
 * another process exchanges meanwhile has no effect: each part is opened from the one before it, and the work uses the
 * opened folder. The root itself is trusted.
 */
export function openBeneath(root: string, path: string): number {
  return inFolderOf(root, path, false, (folder, name) => {
    const file = openSync(join(folder, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (fstatSync(file).isFile()) return file;
    closeSync(file);
    throw Object.assign(new Error('it is not a regular file'), { code: 'ENOTREG' });
  });
}

/** Reads a file beneath a root, opened by `openBeneath`. */
export function readBeneath(root: string, path: string): Buffer {
  const file = openBeneath(root, path);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Writes a file beneath a root in one step, and makes its folders. A link of its name is replaced, not followed. The
 * content is given as bytes, or as an open file to copy.
 */
export function writeBeneath(
  root: string,
  path: string,
  content: Uint8Array | number,
  { mode, existing = 'replace' }: WriteBeneathOptions = {},
): void {
  inFolderOf(root, path, true, (folder, name) => {
    if (existing === 'refuse') return fill(join(folder, name), content, mode);
    const noted = temporaryBeside(join(root, path));
    const temporary = join(folder, basename(noted));
    try {
      fill(temporary, content, mode);
      renameSync(temporary, join(folder, name));
    } catch (thrown) {
      orElse(() => unlinkSync(temporary), undefined);
      throw thrown;
    } finally {
      temporaryGone(noted);
    }
  });
}

/** Creates a file; fails if the name is taken, by a link too. */
function fill(path: string, content: Uint8Array | number, mode: number | undefined): void {
  const file = openSync(path, 'wx', mode);
  try {
    if (typeof content === 'number') copy(content, file);
    else writeFileSync(file, content);
    if (mode !== undefined) fchmodSync(file, mode);
    fsyncSync(file);
  } catch (thrown) {
    unlinkSync(path);
    throw thrown;
  } finally {
    closeSync(file);
  }
}

function copy(from: number, to: number): void {
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (let size = readSync(from, chunk); size > 0; size = readSync(from, chunk))
    writeFileSync(to, chunk.subarray(0, size));
}

/** Does `work` in the folder that holds `path`. What it is given as the folder stays the same place, whatever is renamed. */
export function inFolderOf<T>(
  root: string,
  path: string,
  make: boolean,
  work: (folder: string, name: string) => T,
  hold = opensByDescriptor() ? byDescriptor : byDirectory,
): T {
  const parts = path.split(sep === '\\' ? /[\\/]/ : '/');
  const name = parts.pop() ?? '';
  if ([...parts, name].some((part) => part === '' || part === '.' || part === '..' || part.includes('\0')))
    throw failure(path, 'it does not name a file beneath it', 'EINVAL');
  for (let tries = 1; ; tries++) {
    try {
      return hold(root, parts, make, (folder) => work(folder, name));
    } catch (thrown) {
      const { code = '' } = thrown as NodeJS.ErrnoException;
      if (code !== 'ELOOP' && code !== 'ENOTDIR' && code !== 'EMLINK') throw thrown;
      if (tries === mostTries)
        throw failure(path, 'a part of it is a link or no folder, or is being replaced', 'ELOOP', thrown);
    }
  }
}

function failure(path: string, why: string, code: string, cause?: unknown): Error {
  return Object.assign(new Error(`${path} cannot be opened: ${why}`, { cause }), { code, path });
}

/** True on Linux with `/proc`. */
function opensByDescriptor(): boolean {
  return process.platform === 'linux' && statSync('/proc/self/fd', { throwIfNoEntry: false }) !== undefined;
}

/** An open folder has a name that follows it wherever it is moved: `/proc/self/fd/N`. */
export function byDescriptor<T>(
  root: string,
  parts: readonly string[],
  make: boolean,
  work: (folder: string) => T,
): T {
  let folder = openSync(root, O_PATH | O_DIRECTORY);
  try {
    for (const part of parts) {
      const path = `/proc/self/fd/${folder}/${part}`;
      if (make) makeFolder(path);
      const next = openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
      closeSync(folder);
      folder = next;
    }
    return work(`/proc/self/fd/${folder}`);
  } finally {
    closeSync(folder);
  }
}

/**
 * Without `/proc`, the working directory of the process is what stays the same place. All of it happens in one turn of
 * the event loop, so no other code sees it; a worker thread has no working directory of its own, and is refused by Node.
 */
export function byDirectory<T>(
  root: string,
  parts: readonly string[],
  make: boolean,
  work: (folder: string) => T,
): T {
  const before = process.cwd();
  try {
    process.chdir(root);
    for (const part of parts) {
      if (make) makeFolder(part);
      const named = lstatSync(part, { bigint: true });
      if (!named.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
      process.chdir(part);
      const entered = statSync('.', { bigint: true });
      if (entered.ino !== named.ino || entered.dev !== named.dev)
        throw Object.assign(new Error('replaced'), { code: 'ELOOP' });
    }
    return work('.');
  } finally {
    process.chdir(before);
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  }
}

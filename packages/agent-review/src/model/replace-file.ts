import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { atomicWrite, walkPath } from '@robota-sdk/agent-core';

/** A file as it was found: enough to notice that it is another one or has another content. */
export interface FoundFile {
  /** Device and inode; `absent` if there is no file. */
  readonly identity: string;
  readonly hash: string;
  readonly bytes?: Buffer;
}

const absent = 'absent';

/** Looks at a path without following links; undefined behind one, for a larger file and for anything but a file. */
export function regularFileAt(path: string, largest = Number.POSITIVE_INFINITY): FoundFile | undefined {
  const folder = dirname(path);
  if (walkPath(folder).real !== folder) return undefined;
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { identity: absent, hash: '' };
    return stats.isFile() && stats.size <= largest ? readFound(path) : undefined;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { identity: absent, hash: '' };
    throw thrown;
  }
}

export interface FileReplacement {
  readonly path: string;
  /** Nothing is written if another file or content is found. */
  readonly expected: FoundFile;
  /** The new content; undefined removes the file. */
  readonly content: Buffer | undefined;
  /** The mode of a file that is created; an existing one keeps its own. */
  readonly mode?: number | undefined;
}

/** Replaces a file in one step if it is still the one that is expected; returns undefined if it is not. */
export async function replaceFile(replacement: FileReplacement): Promise<FoundFile | undefined> {
  const { path, expected, content, mode } = replacement;
  if (!isSame(regularFileAt(path), expected)) return undefined;
  if (content === undefined) {
    await unlink(path);
    return regularFileAt(path);
  }
  const isCreated = expected.identity === absent;
  let hasChanged = false;
  const beforeReplace = () => {
    hasChanged = !isSame(regularFileAt(path), expected);
    if (hasChanged) throw new Error('it changed meanwhile');
  };
  try {
    await atomicWrite(path, content, { beforeReplace, ...(isCreated && mode !== undefined ? { mode } : {}) });
  } catch (thrown) {
    if (hasChanged) return undefined;
    throw thrown;
  }
  return regularFileAt(path);
}

function isSame(found: FoundFile | undefined, expected: FoundFile): boolean {
  if (found?.hash !== expected.hash) return false;
  return found.identity === expected.identity;
}

/** The file may be exchanged meanwhile: what counts is what was opened. */
function readFound(path: string): FoundFile | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const { dev, ino, ...stats } = fstatSync(file);
    if ((stats.mode & constants.S_IFMT) !== constants.S_IFREG) return undefined;
    const bytes = readFileSync(file);
    return { identity: `${dev}:${ino}`, hash: contentHash(bytes), bytes };
  } finally {
    closeSync(file);
  }
}

/** Identifies a content. */
export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

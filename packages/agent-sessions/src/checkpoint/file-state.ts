import { hash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { walkPath } from '@robota-sdk/agent-core';

/** The state of a path: enough to detect changes, and to restore it if its content was saved. */
export type FileState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly mode: number; readonly size: number; readonly hash: string }
  | { readonly kind: 'symlink'; readonly target: string }
  /** A file whose content was not saved; the stamp distinguishes its versions. */
  | { readonly kind: 'unkept'; readonly mode: number; readonly size: number; readonly stamp: string }
  /** A pipe, socket or device: never touched. */
  | { readonly kind: 'other' };

/** A state together with the content it was read with. */
export interface Look {
  readonly state: FileState;
  readonly bytes?: Buffer;
}

/** Larger files are not saved. */
export const largestFile = 10 * 1024 * 1024;

export const absent: FileState = { kind: 'absent' };

/** Reads a path without following a final link; files beyond the limit are not read. */
export function lookAt(path: string, limit = largestFile): Look {
  const stats = lstatOf(path);
  // A directory is not a file; it is implied by its contents.
  if (stats === undefined || stats.isDirectory()) return { state: absent };
  if (stats.isSymbolicLink()) return { state: { kind: 'symlink', target: readlinkSync(path) } };
  if (!stats.isFile()) return { state: { kind: 'other' } };
  return stats.size > limit ? { state: unkeptState(stats) } : readFile(path);
}

/** The state of a path, without its content. */
export function stateOf(path: string): FileState {
  return lookAt(path).state;
}

/** The state of a path; absent if a link replaced one of its directories. */
export function placedStateOf(path: string): FileState {
  return redirectionOf(dirname(path)) === undefined ? stateOf(path) : absent;
}

/** The targets of links in a directory's path; undefined if there are none. */
export function redirectionOf(directory: string): string | undefined {
  const { real, problem } = walkPath(directory);
  if (problem === 'SymlinkLoop') return 'nowhere';
  return real === directory ? undefined : real;
}

/** A file known only by its metadata. */
export function unkeptState(stats: Stats): FileState {
  return { kind: 'unkept', mode: stats.mode & 0o7777, size: stats.size, stamp: stampOf(stats) };
}

/** Changes whenever the file does, as far as the file system shows. */
export function stampOf({ size, mtimeMs, ctimeMs, ino, mode }: Stats): string {
  return `${size}:${mtimeMs}:${ctimeMs}:${ino}:${mode}`;
}

export function sameState(a: FileState, b: FileState): boolean {
  if (a.kind === 'file' && b.kind === 'file') return a.hash === b.hash && a.mode === b.mode;
  if (a.kind === 'symlink' && b.kind === 'symlink') return a.target === b.target;
  if (a.kind === 'unkept' && b.kind === 'unkept') return a.stamp === b.stamp;
  return a.kind === b.kind;
}

/** The stats of a path without following a final link; undefined if missing. */
export function lstatOf(path: string | Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (thrown) {
    // One of its directories is now a file or a circular link.
    if (['ENOTDIR', 'ELOOP'].includes((thrown as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw thrown;
  }
}

/** The file may be replaced meanwhile: the opened one counts. */
function readFile(path: string): Look {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return { state: { kind: 'other' } };
    const bytes = readFileSync(file);
    const state = {
      kind: 'file',
      mode: stats.mode & 0o7777,
      size: bytes.length,
      hash: hashOf(bytes),
    } as const;
    return { state, bytes };
  } finally {
    closeSync(file);
  }
}

export function hashOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

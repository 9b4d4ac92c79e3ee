import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectories } from '@robota-sdk/agent-core';

/** An open file, by the name it was opened by. */
export interface NamedFile {
  readonly fd: number;
  readonly file: string;
  /** How far it is sound. */
  readonly size: number;
}

/** The new file for the lines, and the notice for the user. */
export interface RelocatedFile {
  readonly fd: number;
  readonly file: string;
  readonly message: string;
}

const chunkBytes = 1024 * 1024;

/** True if the path still refers to the open file. */
export function isInPlace({ fd, file }: Pick<NamedFile, 'fd' | 'file'>): boolean {
  const named = statSync(file, { throwIfNoEntry: false });
  const open = fstatSync(fd);
  return named !== undefined && named.ino === open.ino && named.dev === open.dev;
}

/**
 * Gives a file that was deleted or replaced while open a name again, with all its content. A file that replaced it is
 * never written to, unless it is a copy of the beginning of this one.
 */
export function putInPlace(lost: NamedFile): RelocatedFile {
  const { file } = lost;
  const named = statSync(file, { throwIfNoEntry: false });
  if (!named) {
    makeDirectories(dirname(file), 0o700);
    const message = `${file} was deleted while the session was open. It was written again, with everything in it.`;
    return { fd: copyTo(file, lost), file, message };
  }
  const size = named.isFile() ? commonSize(lost, named.size) : undefined;
  if (size !== undefined) {
    const fd = openSync(file, 'a+');
    append(fd, lost, size);
    const message = `${file} was replaced by a copy of it while the session was open. The copy was brought up to date and is used from now on.`;
    return { fd, file, message };
  }
  const { fd, rescued } = newRescue(lost);
  const message = `${file} was replaced by another file while the session was open. That one stays as it is; the session continues in ${rescued}. Open it again with: robota --session ${rescued}`;
  return { fd, file: rescued, message };
}

function newRescue(lost: NamedFile): { fd: number; rescued: string } {
  const base = lost.file.replace(/\.jsonl$/, '');
  for (let number = 1; ; number++) {
    const rescued = `${base}-rescued${number === 1 ? '' : `-${number}`}.jsonl`;
    if (!statSync(rescued, { throwIfNoEntry: false })) return { fd: copyTo(rescued, lost), rescued };
  }
}

function copyTo(path: string, lost: NamedFile): number {
  const fd = openSync(path, 'ax+', 0o600);
  try {
    append(fd, lost, 0);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function append(to: number, { fd, size }: NamedFile, from: number): void {
  for (let at = from; at < size; ) {
    const piece = pieceAt(fd, at, size - at);
    if (piece.length === 0) break;
    for (let written = 0; written < piece.length; ) written += writeSync(to, piece, written);
    at += piece.length;
  }
  fdatasyncSync(to);
}

/** The size of a file that contains only the beginning of the lost one, up to the end of a line. */
function commonSize({ fd, file, size }: NamedFile, otherSize: number): number | undefined {
  if (otherSize === 0 || otherSize > size) return undefined;
  const other = openSync(file, 'r');
  try {
    let last = Buffer.alloc(0);
    for (let at = 0; at < otherSize; at += last.length) {
      last = pieceAt(other, at, otherSize - at);
      if (last.length === 0 || !last.equals(pieceAt(fd, at, last.length))) return undefined;
    }
    return last.at(-1) === 0x0a ? otherSize : undefined;
  } finally {
    closeSync(other);
  }
}

function pieceAt(fd: number, position: number, length: number): Buffer<ArrayBuffer> {
  const buffer = Buffer.alloc(Math.min(chunkBytes, length));
  return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, position));
}

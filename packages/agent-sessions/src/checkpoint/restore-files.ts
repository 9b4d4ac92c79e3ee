import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectories, temporaryBeside, temporaryGone } from '@robota-sdk/agent-core';
import { diskProblem } from './disk-problem.ts';
import type { FileState } from './file-state.ts';
import type { ObjectStore } from './object-store.ts';

export interface Restoration {
  readonly path: string;
  readonly target: FileState;
  /** Directories to remove with it, where they are empty then. */
  readonly directories: readonly string[];
}

/** Restores files, each in one step; returns failures with reasons. */
export function restoreFiles(files: readonly Restoration[], store: ObjectStore): Map<string, string> {
  const failed = new Map<string, string>();
  const attempt = (path: string, work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      failed.set(path, `${diskProblem(thrown)}; run the same /rewind again once that is fixed`);
    }
  };
  const gone = files.filter(({ target }) => target.kind === 'absent');
  for (const { path } of gone) attempt(path, () => unlinkSync(path));
  const directories = new Set(gone.flatMap((file) => file.directories));
  for (const directory of [...directories].sort((a, b) => b.length - a.length)) removeIfEmpty(directory);
  for (const { path, target } of files) attempt(path, () => putBack(path, target, store));
  return failed;
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // It is not empty, so it is kept.
  }
}

function putBack(path: string, target: FileState, store: ObjectStore): void {
  if (target.kind !== 'file' && target.kind !== 'symlink') return;
  const directory = dirname(path);
  const temporary = temporaryBeside(path);
  makeDirectories(directory);
  try {
    if (target.kind === 'symlink') symlinkSync(target.target, temporary);
    else writeWhole(temporary, contentOf(target.hash, store), target.mode);
    renameSync(temporary, path);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw thrown;
  } finally {
    temporaryGone(temporary);
  }
}

function contentOf(hash: string, store: ObjectStore): Buffer {
  const bytes = store.read(hash);
  if (bytes === undefined) throw new Error('its content is no longer saved, or damaged');
  return bytes;
}

function writeWhole(path: string, bytes: Buffer, mode: number): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { orElse } from '../problem/or-else.ts';
import { atExit } from '../process/at-exit.ts';
import { isProcessAlive } from '../process/is-process-alive.ts';
import { parseJson } from '../shape/json.ts';
import { makeDirectories } from './make-directories.ts';

/** Younger files of a process that seems gone may be those of another container with the same home. */
const settledMs = 5_000;

const ownName = /^\.robota-[0-9a-f]{16}\.tmp$/;

/** The directory of the notes, and this process's own, once there is one. */
let notes: { readonly directory: string; file?: number } | undefined;
const open = new Set<string>();

/**
 * Takes note of temporary files in a directory from now on, and removes those that killed processes have left. Without
 * it they are only removed by the process that made them.
 */
export function noteTemporaryFiles(directory: string): void {
  if (notes !== undefined) return;
  notes = { directory };
  removeLeftBehind(directory);
}

/** A name for a temporary file beside another, which a rename can put in its place. */
export function temporaryBeside(path: string): string {
  const temporary = join(dirname(path), `.robota-${randomBytes(8).toString('hex')}.tmp`);
  noteTemporary(temporary);
  return temporary;
}

/** Takes note of a file that is about to be made and goes soon. */
function noteTemporary(path: string): void {
  if (notes === undefined) return;
  open.add(path);
  try {
    notes.file ??= openNotes(notes.directory);
    writeSync(notes.file, `${JSON.stringify(path)}\n`);
  } catch {
    // Unrecorded files can only be removed by this process.
  }
}

/** The file is gone, or has become another. */
export function temporaryGone(path: string): void {
  open.delete(path);
  if (open.size > 0 || notes?.file === undefined) return;
  try {
    ftruncateSync(notes.file, 0);
  } catch {
    // Paths that are too many do no harm.
  }
}

function openNotes(directory: string): number {
  makeDirectories(directory, 0o700);
  const path = join(directory, String(process.pid));
  const file = openSync(path, 'a', 0o600);
  atExit(() => {
    closeSync(file);
    if (open.size === 0) rmSync(path, { force: true });
  });
  return file;
}

function removeLeftBehind(directory: string): void {
  for (const name of namesIn(directory)) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid <= 0 || isProcessAlive(pid)) continue;
    const note = join(directory, name);
    const isDone = pathsIn(note).map(removeTemporary).every(Boolean);
    if (isDone) rmSync(note, { force: true });
  }
}

/** Only what has a name of ours and is no directory; says whether it is gone. */
function removeTemporary(path: string): boolean {
  if (!ownName.test(basename(path))) return true;
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return true;
    if (Date.now() - stats.ctimeMs < settledMs) return false;
    unlinkSync(path);
    return true;
  } catch {
    return true;
  }
}

function pathsIn(note: string): string[] {
  return orElse(() => readFileSync(note, 'utf8').split('\n').flatMap(pathOf), []);
}

function pathOf(line: string): string[] {
  const path = parseJson(line);
  return typeof path === 'string' ? [path] : [];
}

function namesIn(directory: string): string[] {
  return orElse(() => readdirSync(directory), []);
}

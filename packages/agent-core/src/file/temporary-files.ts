import { randomBytes } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { orElse } from '../problem/or-else.ts';
import { atExit } from '../process/at-exit.ts';
import { isProcessAlive } from '../process/send-signal.ts';
import { parseJson } from '../shape/json.ts';
import { makeDirectories } from './make-directories.ts';

/** Younger files may belong to another container with the same home, even if their process seems gone. */
const settledMs = 5_000;

/** Names of files, and of folders in the directory of the system for temporary files. */
const ownFile = /^\.robota-[0-9a-f]{16}\.tmp$/;
const ownFolder = /^robota-sandbox-[A-Za-z0-9]{6}$/;

/** The directory of the records, and this process's own file once it exists. */
let notes: { readonly directory: string; file?: number } | undefined;
const open = new Set<string>();

/**
 * Records temporary files in `directory` from now on, and removes those of killed processes. Without it, only the
 * process that created a file removes it.
 */
export function noteTemporaryFiles(directory: string): void {
  if (notes !== undefined) return;
  notes = { directory };
  removeLeftBehind(directory);
}

/** Returns a name for a temporary file in the same directory, so that it can be renamed over `path`. */
export function temporaryBeside(path: string): string {
  const temporary = join(dirname(path), `.robota-${randomBytes(8).toString('hex')}.tmp`);
  noteTemporary(temporary);
  return temporary;
}

/** Makes a folder for what a sandbox needs; one of a killed process is removed like its temporary files. */
export function sandboxFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'robota-sandbox-'));
  noteTemporary(path);
  return path;
}

/** Records a temporary file before it is created, or a folder after that. */
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

/** Records that a temporary file was removed or renamed. */
export function temporaryGone(path: string): void {
  open.delete(path);
  if (open.size > 0 || notes?.file === undefined) return;
  try {
    ftruncateSync(notes.file, 0);
  } catch {
    // Extra records do no harm.
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

/** Removes a file or folder only if its name is one of ours; returns whether it is gone. */
function removeTemporary(path: string): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const isOwn = stats?.isDirectory()
      ? ownFolder.test(basename(path)) && dirname(path) === tmpdir()
      : ownFile.test(basename(path));
    if (stats === undefined || !isOwn) return true;
    if (Date.now() - stats.ctimeMs < settledMs) return false;
    rmSync(path, { recursive: true });
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

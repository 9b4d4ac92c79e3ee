import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { errorMessage } from '@robota-sdk/agent-core';

/** A session whose end could not be written. */
export interface UnsavedSession {
  readonly file: string;
  /** How far the file is sound; 0 if it was never made. */
  readonly size: number;
  /** The lines that are missing in it. */
  readonly lines: string;
}

/** Saves a whole session elsewhere when its file cannot be written, and explains how to resume it. */
export function rescueSession({ file, size, lines }: UnsavedSession): string {
  const name = basename(file) === 'session.jsonl' ? basename(dirname(file)) : basename(file, '.jsonl');
  const saved = () => (size === 0 ? '' : readFileSync(file).subarray(0, size));
  return rescueLines({ name, target: file, pieces: [saved, () => lines] });
}

export interface UnsavedLines {
  readonly name: string;
  /** The path that could not be written. */
  readonly target: string;
  /** All lines of the session. */
  readonly pieces: Iterable<() => Uint8Array | string>;
}

/** As `rescueSession`, of lines from anywhere. */
export function rescueLines({ name, target, pieces }: UnsavedLines): string {
  const failures: string[] = [];
  for (const directory of rescueDirectories()) {
    const path = join(directory, `robota-unsaved-${name}-${process.pid}.jsonl`);
    try {
      writeFileSync(path, '', { mode: 0o600, flag: 'wx' });
      for (const piece of pieces) appendFileSync(path, piece(), { flush: true });
      const limit = directory === tmpdir() ? '' : ' until the machine restarts';
      return `The end of the session could not be saved to ${target}. All of it is in ${path}${limit}; resume with: robota --session ${path}`;
    } catch (error) {
      rmSync(path, { force: true });
      failures.push(`${path} (${errorMessage(error)})`);
    }
  }
  return `The end of the session could not be saved to ${target}, nor to ${failures.join(', nor to ')}: it is lost when the program ends.`;
}

/** The directory for temporary files, and those of Linux in memory: they have space when the disk has none. */
function rescueDirectories(): readonly string[] {
  const inMemory = [process.env['XDG_RUNTIME_DIR'], '/dev/shm'].filter((path) => path && existsSync(path));
  return [...new Set([tmpdir(), ...inMemory.map(String)])];
}

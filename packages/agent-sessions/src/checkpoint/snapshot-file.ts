import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, makeDirectories } from '@robota-sdk/agent-core';
import type { KnownFile } from './workspace-snapshot.ts';

/**
 * The last snapshot on disk, for the case that the process is killed while a command runs: the next one can still tell
 * what changed. Only what differs from the time before is written.
 */
export class SnapshotFile {
  readonly #directory: string;
  readonly #saved = new Map<string, ReadonlyMap<string, KnownFile>>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Writes a snapshot down; a later one of the same map costs no more than what changed. */
  save(root: string, files: ReadonlyMap<string, KnownFile>): void {
    const before = this.#saved.get(root) ?? new Map<string, KnownFile>();
    let lines = '';
    for (const [path, known] of files)
      if (before.get(path) !== known) lines += `${JSON.stringify({ root, path, known })}\n`;
    for (const path of before.keys()) if (!files.has(path)) lines += `${JSON.stringify({ root, path })}\n`;
    const isFirst = this.#saved.size === 0;
    this.#saved.set(root, files);
    if (lines === '' && !isFirst) return;
    makeDirectories(this.#directory, 0o700);
    try {
      (isFirst ? writeFileSync : appendFileSync)(this.#path, lines, { mode: 0o600 });
    } catch (thrown) {
      // Half of it is of no use to anybody; the next one is whole.
      this.#saved.clear();
      this.remove();
      throw thrown;
    }
  }

  /** Loads the snapshot of a directory from another process. */
  load(root: string): Map<string, KnownFile> {
    const files = new Map<string, KnownFile>();
    for (const line of readLines(this.#path)) {
      if (line.root !== root) continue;
      if (line.known === undefined) files.delete(line.path);
      else files.set(line.path, line.known);
    }
    return files;
  }

  /** No command is running any more. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }

  get #path(): string {
    return join(this.#directory, 'snapshot.jsonl');
  }
}

interface SnapshotLine {
  readonly root: string;
  readonly path: string;
  readonly known?: KnownFile;
}

/** Lines that are not whole are passed over: the process was killed while it wrote them. */
function readLines(path: string): SnapshotLine[] {
  try {
    return readFileSync(path, 'utf8').split('\n').flatMap(parseLine);
  } catch {
    return [];
  }
}

function parseLine(text: string): SnapshotLine[] {
  try {
    const value: unknown = JSON.parse(text);
    return isLine(value) ? [value] : [];
  } catch {
    return [];
  }
}

function isLine(value: unknown): value is SnapshotLine {
  return isJsonObject(value);
}

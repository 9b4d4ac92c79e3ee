import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  lazy,
  makeDirectories,
  number,
  object,
  orElse,
  parseJson,
  Report,
  type Shape,
  text,
  variants,
  words,
} from '@robota-sdk/agent-core';
import type { FileState } from './file-state.ts';
import type { KnownFile } from './workspace-snapshot.ts';

/**
 * The last snapshot on disk, in case the process is killed while a command runs: the next process can still find the
 * changes. Only differences are written.
 */
export class SnapshotFile {
  readonly #directory: string;
  readonly #saved = new Map<string, ReadonlyMap<string, KnownFile>>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Writes a snapshot; a later one of the same map writes only what changed. */
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

const fileState: Shape<FileState> = lazy(() =>
  variants('kind', {
    absent: [{}],
    file: [{ mode: number, size: number, hash: text }],
    symlink: [{ target: text }],
    unkept: [{ mode: number, size: number, stamp: text }],
    other: [{}],
  }),
);

const knownFile: Shape<KnownFile> = lazy(() =>
  object(
    {
      stamp: text,
      seenAt: number,
      changedAt: number,
      madeAt: number,
      inode: number,
      state: fileState,
      source: words('unread', 'store', 'git', 'none'),
    },
    { blob: text },
  ),
);

const snapshotLine: Shape<SnapshotLine> = lazy(() =>
  object({ root: text, path: text }, { known: knownFile }),
);

/** Lines that are not whole are skipped: the process was killed while it wrote them, or the file was changed. */
function readLines(path: string): SnapshotLine[] {
  return orElse(() => readFileSync(path, 'utf8').split('\n').flatMap(parseLine), []);
}

function parseLine(line: string): SnapshotLine[] {
  const { parsed, isFit } = new Report().trial(snapshotLine, parseJson(line));
  return isFit && parsed !== undefined ? [parsed] : [];
}

import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { childPath } from '@robota-sdk/agent-core';
import { Turns } from '../process/turns.ts';
import { IgnoreScope, searchIgnoreNames } from './ignore-scope.ts';

/** Limits and errors of a search. */
export interface SearchEnd {
  /** Directories and files that could not be read. */
  readonly unreadable: number;
  readonly isTimedOut: boolean;
}

export interface WalkOptions {
  /** A real, absolute directory. */
  readonly root: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Maximum depth of files; 1 is the root itself. */
  readonly maxDepth?: number | undefined;
  /** Receives each file's path relative to the root; a returned promise pauses the walk. */
  onFile(path: string): Promise<void> | undefined;
  /** Receives each directory that is not ignored, even if it is too deep to be visited. */
  onDirectory?(path: string): void;
  /** Receives the absolute path of each directory with some of the `searchIgnoreNames`, and those names. */
  onIgnoreFiles?(directory: string, names: ReadonlySet<string>): Promise<void>;
}

const repositoryInternals = new Set(['.git', '.hg', '.svn', '.jj']);
// More at once are no faster, and their entries would all be handled in one turn.
const parallelReads = 4;
const entriesAtOnce = 500;

interface Directory {
  readonly path: string;
  readonly relative: string;
  readonly depth: number;
  readonly scope: IgnoreScope;
}

/**
 * Visits the files ripgrep would search, in no order: ignore files are respected, hidden files included, symbolic links
 * not followed, and unreadable directories counted.
 */
export async function walkFiles(options: WalkOptions): Promise<SearchEnd> {
  const { root, signal, maxDepth = Number.POSITIVE_INFINITY } = options;
  const deadline = performance.now() + options.timeoutMs;
  const turns = new Turns();
  const waiting: Directory[] = [{ path: root, relative: '', depth: 1, scope: await IgnoreScope.above(root) }];
  let unreadable = 0;
  let isTimedOut = false;
  const isOver = () => {
    signal.throwIfAborted();
    isTimedOut ||= performance.now() > deadline;
    return isTimedOut;
  };
  const visit = async (directory: Directory) => {
    const entries = await entriesOf(directory.path, turns);
    if (entries === undefined) {
      unreadable += 1;
      return;
    }
    const names = new Set(entries.flatMap(({ name }) => (searchIgnoreNames.has(name) ? [name] : [])));
    if (names.size > 0) await options.onIgnoreFiles?.(directory.path, names);
    // Most directories have no ignore file of their own: they share their parent's scope.
    const scope = names.size > 0 ? await directory.scope.enter(directory.path, names) : directory.scope;
    const isIgnored = scope.in(directory.path);
    const prefix = directory.relative === '' ? '' : `${directory.relative}/`;
    for (const entry of entries) {
      if (turns.isOver) {
        await turns.pause();
        if (isOver()) return;
      }
      if (repositoryInternals.has(entry.name)) continue;
      const isDirectory = entry.isDirectory();
      if ((!isDirectory && !entry.isFile()) || isIgnored(entry.name, isDirectory)) continue;
      const relative = prefix + entry.name;
      if (isDirectory) {
        options.onDirectory?.(relative);
        const path = childPath(directory.path, entry.name);
        if (directory.depth < maxDepth) waiting.push({ path, relative, depth: directory.depth + 1, scope });
      } else {
        const pause = options.onFile(relative);
        if (pause !== undefined) await pause;
      }
    }
  };
  while (waiting.length > 0 && !isOver()) await Promise.all(waiting.splice(-parallelReads).map(visit));
  signal.throwIfAborted();
  return { unreadable, isTimedOut };
}

/** Opened instead of read, because a directory of a million entries would arrive in one turn. */
async function entriesOf(path: string, turns: Turns): Promise<Dirent[] | undefined> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(path, { bufferSize: entriesAtOnce })) {
      entries.push(entry);
      if (entries.length % entriesAtOnce === 0) await turns.pause();
    }
    return entries;
  } catch {
    return undefined;
  }
}

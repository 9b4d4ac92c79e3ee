import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  fuzzyScore,
  type HiddenFiles,
  isInWorkspace,
  realPathOf,
  type Workspace,
} from '@robota-sdk/agent-core';
import { findRipgrep } from '../search/find-ripgrep.ts';
import { hiddenBelow } from '../search/hidden-from-search.ts';
import { listFiles } from '../search/list-files.ts';
import { walkFiles } from '../search/walk-files.ts';

export interface FileQuestion {
  /** The typed part of a path. */
  readonly typed: string;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  /** Total time limit. */
  readonly timeoutMs: number;
  /** Files that must not be shown. */
  readonly hidden?: HiddenFiles | undefined;
}

/** Completes a path to files and directories, the likeliest first; directories end with a slash. */
export async function completeFiles(question: FileQuestion): Promise<readonly string[]> {
  const place = placeOf(question);
  const best = new BestMatches(place);
  const isHidden = hiddenBelow(place.root, question.hidden?.search());
  const directories = new Set<string>();
  const addDirectory = (path: string) => {
    if (directories.has(path) || isHidden(path, 'directory')) return;
    directories.add(path);
    best.add(`${path}/`);
  };
  const addFile = (path: string) => {
    if (isHidden(path)) return;
    best.add(path);
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const directory = path.slice(0, slash);
      if (directories.has(directory)) return;
      addDirectory(directory);
    }
  };
  const { root } = place;
  const { signal, timeoutMs } = question;
  // Near entries are found quickly even in a large tree, including empty directories.
  const near = walkFiles({
    root,
    signal,
    timeoutMs,
    maxDepth: place.isOutside ? 1 : 2,
    onFile: (path) => {
      addFile(path);
      return undefined;
    },
    onDirectory: addDirectory,
  });
  const isDeep = place.query !== '' && !place.isOutside;
  const deep = async () =>
    isDeep &&
    listFiles({
      root,
      signal,
      timeoutMs,
      ripgrep: await findRipgrep(),
      onFile: addFile,
      // Found paths are found again, and counted once.
      onRestart: () => {},
    });
  await within(question, Promise.allSettled([near, deep()]));
  return best.paths().map((path) => place.prefix + path);
}

interface FileQuery {
  readonly root: string;
  /** Prepended to results below the root. */
  readonly prefix: string;
  readonly query: string;
  /** True outside the workspace, where only entries of the directory itself are offered, by prefix. */
  readonly isOutside: boolean;
}

/** Searches start in the typed directory, if it exists. */
function placeOf({ typed, workspace }: FileQuestion): FileQuery {
  const prefix = typed.slice(0, typed.lastIndexOf('/') + 1);
  const root = resolve(workspace.cwd, prefix.replace(/^~(?=\/)/, workspace.home));
  const isThere = prefix !== '' && statSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isThere) return { root: workspace.cwd, prefix: '', query: typed, isOutside: false };
  const real = realPathOf(root);
  return {
    root: real,
    prefix,
    query: typed.slice(prefix.length),
    isOutside: !isInWorkspace(real, workspace),
  };
}

const maxItems = 50;

/** The paths that fit a query best, of any number. */
class BestMatches {
  readonly #query: FileQuery;
  #found = new Map<string, number>();
  /** A path with a worse score cannot be among the best. */
  #worst = Number.POSITIVE_INFINITY;

  constructor(query: FileQuery) {
    this.#query = query;
  }

  add(path: string): void {
    const { query, isOutside } = this.#query;
    const slash = path.indexOf('/');
    const isNear = slash === -1 || slash === path.length - 1;
    if (isOutside && !path.toLowerCase().startsWith(query.toLowerCase())) return;
    const score = query === '' ? (isNear ? 0 : undefined) : fuzzyScore(query, path);
    if (score === undefined || score > this.#worst) return;
    this.#found.set(path, score);
    if (this.#found.size >= 20 * maxItems) this.#shorten();
  }

  paths(): readonly string[] {
    this.#shorten();
    return [...this.#found.keys()];
  }

  #shorten(): void {
    const best = [...this.#found].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).slice(0, maxItems);
    this.#found = new Map(best);
    if (best.length === maxItems) this.#worst = best.at(-1)?.[1] ?? this.#worst;
  }
}

/** Waits for work up to the time limit, even if a file system does not respond. */
async function within({ timeoutMs, signal }: FileQuestion, work: Promise<unknown>): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, timeoutMs);
    signal.addEventListener('abort', end);
    void work.then(end, end);
  });
}

import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { HiddenPlaces } from '@robota-sdk/agent-core';
import { compileGlob, splitGlob } from '../match/glob.ts';
import { findRipgrep } from '../search/find-ripgrep.ts';
import { FirstByPath, type Weighted } from '../search/first-by-path.ts';
import { hiddenBelow } from '../search/hidden-from-search.ts';
import { listFiles } from '../search/list-files.ts';
import { searchTimeout } from '../search/search-text.ts';
import type { SearchEnd } from '../search/walk-files.ts';

/** A glob, split into the directory to search and the pattern below it. */
export interface GlobPlan {
  /** As requested: absolute, or relative to the working directory. */
  readonly directory: string;
  /** The glob for paths relative to the directory. */
  readonly rest: string;
}

/**
 * Finds the directory that a glob names before its first wildcard. Names such as `[id]` are literal if they exist. A
 * pattern without wildcards that names a directory means everything in it.
 */
export async function planGlob(pattern: string, path: string, cwd: string): Promise<GlobPlan> {
  const names = splitGlob(pattern.endsWith('/') && pattern !== '/' ? `${pattern}**` : pattern);
  let directory = isAbsolute(pattern) ? '/' : path;
  let index = 0;
  for (; index < names.length - 1; index += 1) {
    const name = names[index] ?? '';
    if (!isPlain(name) && !(await isLiteralName(name, resolve(cwd, directory)))) break;
    directory = join(directory, name);
  }
  const rest = names.slice(index);
  const [last = ''] = rest;
  const isFile = rest.length === 1 && (isPlain(last) || (await isLiteralName(last, resolve(cwd, directory))));
  if (!isFile) return { directory, rest: rest.join('/') || '**' };
  const found = await stat(resolve(cwd, directory, last)).catch(() => undefined);
  if (found?.isDirectory()) return { directory: join(directory, last), rest: '**' };
  return { directory, rest: last.replace(/[*?[\]{}\\]/g, '\\$&') };
}

function isPlain(name: string): boolean {
  return !/[*?[\]{}\\]/.test(name);
}

async function isLiteralName(name: string, directory: string): Promise<boolean> {
  if (/[*?\\]/.test(name)) return false;
  return stat(join(directory, name)).then(
    () => true,
    () => false,
  );
}

export interface PathQuestion {
  /** The glob for paths relative to the root. */
  readonly rest: string;
  /** A directory with symlinks resolved. */
  readonly root: string;
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly places: HiddenPlaces | undefined;
}

export interface FoundPaths extends SearchEnd {
  /** The first paths in order, relative to the root. */
  readonly paths: readonly string[];
  readonly total: number;
  /** Number of matching files that must not be shown. */
  readonly hidden: number;
}

/** Finds the files that match a glob, and keeps the first by path. */
export async function findPaths({ rest, root, limit, signal, places }: PathQuestion): Promise<FoundPaths> {
  const { test, names, maxDepth } = compileGlob(rest);
  const isHidden = hiddenBelow(root, places);
  let first = new FirstByPath<Weighted>(limit);
  let total = 0;
  let hidden = 0;
  const end = await listFiles({
    root,
    signal,
    timeoutMs: searchTimeout,
    ripgrep: await findRipgrep(),
    names,
    maxDepth,
    onFile: (path) => {
      if (!test(path)) return;
      if (isHidden(path)) {
        hidden += 1;
        return;
      }
      total += 1;
      // Copied, because a substring would keep the larger string in memory.
      if (first.isWanted(path)) first.add({ path: Buffer.from(path).toString(), weight: 1 });
    },
    onRestart: () => {
      first = new FirstByPath(limit);
      total = 0;
      hidden = 0;
    },
  });
  return { ...end, total, hidden, paths: first.sorted().map(({ path }) => path) };
}

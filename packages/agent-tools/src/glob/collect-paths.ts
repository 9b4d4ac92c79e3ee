import { join } from 'node:path';
import { findRipgrep } from '../search/find-ripgrep.ts';
import { FirstByPath, type Weighted } from '../search/first-by-path.ts';
import { compileGlob } from '../search/glob-pattern.ts';
import { listFiles } from '../search/list-files.ts';
import type { GlobPlan } from '../search/plan-glob.ts';
import { searchTimeout } from '../search/search-text.ts';
import type { SearchEnd } from '../search/walk-files.ts';

export interface PathQuestion {
  readonly plan: GlobPlan;
  /** The plan's directory with symlinks resolved. */
  readonly root: string;
  readonly limit: number;
  readonly signal: AbortSignal;
  /** True if a file, by absolute path, must not be shown. */
  readonly isHidden?: ((file: string) => boolean) | undefined;
}

export interface CollectedPaths extends SearchEnd {
  /** The first paths in order, relative to the root. */
  readonly paths: readonly string[];
  readonly total: number;
  /** Number of matching files that must not be shown. */
  readonly hidden: number;
}

/** Finds the files that match a glob, and keeps the first by path. */
export async function collectPaths({
  plan,
  root,
  limit,
  signal,
  isHidden,
}: PathQuestion): Promise<CollectedPaths> {
  const first = new FirstByPath<Weighted>(limit);
  const pattern = compileGlob(plan.rest);
  let total = 0;
  let hidden = 0;
  const onFile = (path: string) => {
    if (!plan.isNameOnly && !pattern.test(path)) return;
    if (isHidden?.(join(root, path))) {
      hidden += 1;
      return;
    }
    total += 1;
    // Copied, because a substring would keep the larger string in memory.
    if (first.isWanted(path)) first.add({ path: Buffer.from(path).toString(), weight: 1 });
  };
  const { nameGlob, maxDepth } = plan;
  const end = await listFiles({
    root,
    signal,
    timeoutMs: searchTimeout,
    ripgrep: await findRipgrep(),
    onFile,
    ...(nameGlob === undefined ? {} : { nameGlob }),
    ...(maxDepth === undefined ? {} : { maxDepth }),
  });
  return { ...end, total, hidden, paths: first.sorted().map(({ path }) => path) };
}

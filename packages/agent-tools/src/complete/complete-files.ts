import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fuzzyScore, isInWorkspace, realPathOf, type Workspace } from '@robota-sdk/agent-core';
import { listEntries, listPaths } from '../search/list-paths.ts';

export interface FileQuestion {
  /** The typed part of a path. */
  readonly typed: string;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  /** Total time limit. */
  readonly timeoutMs: number;
  /** True if a file must not be shown. */
  readonly isHidden?: ((file: string) => boolean) | undefined;
}

const maxItems = 50;
/** Larger trees are not loaded for a few names. */
const maxCandidates = 50_000;

/** Completes a path to files and directories, the likeliest first; directories end with a slash. */
export async function completeFiles(question: FileQuestion): Promise<readonly string[]> {
  const place = placeOf(question);
  const candidates = new Set<string>();
  const add = (path: string) => {
    if (candidates.size >= maxCandidates || question.isHidden?.(join(place.root, path))) return;
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
      candidates.add(path.slice(0, slash + 1));
    if (!path.endsWith('/')) candidates.add(path);
  };
  const { root } = place;
  const { signal, timeoutMs } = question;
  // Near entries are found quickly even in a large tree, including empty directories.
  const maxDepth = place.isOutside ? 1 : 2;
  const onDirectory = (path: string) => add(`${path}/`);
  const near = listEntries({ root, signal, timeoutMs, maxDepth, onFile: add, onDirectory });
  const isDeep = place.query !== '' && !place.isOutside;
  const deep = isDeep ? listPaths({ root, signal, timeoutMs, onFile: add }) : undefined;
  await within(question, Promise.allSettled([near, deep]));
  return best(candidates, place).map((path) => place.prefix + path);
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

function best(candidates: ReadonlySet<string>, { query, isOutside }: FileQuery): readonly string[] {
  const scored: { readonly path: string; readonly score: number }[] = [];
  for (const path of candidates) {
    const isNear = path.indexOf('/') === -1 || path.indexOf('/') === path.length - 1;
    if (isOutside && !path.toLowerCase().startsWith(query.toLowerCase())) continue;
    const score = query === '' ? (isNear ? 0 : undefined) : fuzzyScore(query, path);
    if (score !== undefined) scored.push({ path, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.path < b.path ? -1 : 1));
  return scored.slice(0, maxItems).map(({ path }) => path);
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

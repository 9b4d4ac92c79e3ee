import { countByFolder } from './folder-summary.ts';
import type { CallResult, PlannedCall, Steps } from './plan.ts';
import { type FoundPaths, parseCommand, parsePaths } from './tool-output.ts';

/** Numbers of files; `listed` is smaller than `total` where only the first files could be counted by folder and kind. */
export interface FileCounts {
  readonly total: number;
  readonly listed: number;
  readonly folders: ReadonlyMap<string, number>;
  readonly kinds: ReadonlyMap<string, number>;
}

/** More folders than these are counted with the folder that they are in. */
const mostFolders = 30;
const allFiles = 'git ls-files -co --exclude-standard';
const byFolder = `${allFiles} | grep -oE '^[^/]*/([^/]*/)?' | sort | uniq -c`;
const byKind = `${allFiles} | grep -oE '[^/][.][A-Za-z0-9]+$' | grep -oE '[^.]+$' | sort | uniq -c`;

/**
 * Counts all files of the project by folder and kind. A long listing holds only the first of them, so the others are
 * counted by git, or else folder by folder.
 */
export function* countFiles(all: FoundPaths, tools: ReadonlySet<string>): Steps<FileCounts> {
  const listed = countListed(all);
  if (listed.listed === all.total || !tools.has('Bash')) return listed;
  const [folders, kinds] = yield { calls: [bash(byFolder), bash(byKind)] };
  const counted = countOfGit(folders, kinds, all.total) ?? (yield* countEachFolder(all));
  return counted ?? listed;
}

function countListed({ paths, total }: FoundPaths): FileCounts {
  const kinds = new Map<string, number>();
  for (const path of paths) {
    const kind = /[^/]\.([a-z\d]+)$/i.exec(path)?.[1];
    if (kind !== undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return { total, listed: paths.length, folders: countByFolder(paths), kinds };
}

function bash(command: string): PlannedCall {
  return { tool: 'Bash', input: { command } };
}

function countOfGit(
  folders: CallResult | undefined,
  kinds: CallResult | undefined,
  total: number,
): FileCounts | undefined {
  const deep = countedLines(folders);
  if (deep.size === 0) return undefined;
  const top = topCounts(deep);
  const atTop = total - sum(top);
  if (atTop < 0) return undefined;
  const shown = deep.size <= mostFolders ? deep : withLargestUnfolded(top, deep);
  return { total, listed: total, folders: withTopLevel(shown, atTop), kinds: countedLines(kinds) };
}

/** The lines of `uniq -c`: a number and what it counts. */
function countedLines(result: CallResult | undefined): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (!result || result.isError) return counts;
  for (const line of parseCommand(result).text.split('\n')) {
    const [, count, what] = /^\s*(\d+) (.+)$/.exec(line) ?? [];
    if (what !== undefined) counts.set(what, Number(count));
  }
  return counts;
}

function topCounts(deep: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const top = new Map<string, number>();
  for (const [folder, count] of deep) {
    const first = folder.slice(0, folder.indexOf('/') + 1);
    top.set(first, (top.get(first) ?? 0) + count);
  }
  return top;
}

/** A folder with most of the files says little, so its own folders are counted if they are not too many. */
function withLargestUnfolded(
  top: ReadonlyMap<string, number>,
  deep: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const [largest = ''] = [...top].sort((one, other) => other[1] - one[1])[0] ?? [];
  const inside = [...deep].filter(([folder]) => folder.startsWith(largest));
  if (inside.length > mostFolders) return top;
  return new Map([...top].flatMap((entry) => (entry[0] === largest ? inside : [entry])));
}

function* countEachFolder(all: FoundPaths): Steps<FileCounts | undefined> {
  const [names] = yield { calls: [bash('ls -A -p')] };
  if (!names || names.isError) return undefined;
  const folders = parseCommand(names)
    .text.split('\n')
    .filter((name) => /^[^*?[\]{}]+\/$/.test(name));
  if (folders.length === 0 || folders.length > mostFolders) return undefined;
  const found = yield { calls: folders.map((name) => ({ tool: 'Glob', input: { pattern: `${name}**/*` } })) };
  const counts = new Map(
    folders.flatMap((name, index) => {
      const result = found[index];
      const count = result && !result.isError ? parsePaths(result).total : 0;
      return count > 0 ? [[name, count] as const] : [];
    }),
  );
  const atTop = all.total - sum(counts);
  if (atTop < 0) return undefined;
  // Kinds are known only of the files that were listed, so none is given.
  return { total: all.total, listed: all.total, folders: withTopLevel(counts, atTop), kinds: new Map() };
}

function withTopLevel(folders: ReadonlyMap<string, number>, atTop: number): ReadonlyMap<string, number> {
  return new Map([...(atTop > 0 ? [['(top level)', atTop] as const] : []), ...folders]);
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

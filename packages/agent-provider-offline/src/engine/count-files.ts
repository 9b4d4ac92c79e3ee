import { countByFolder, countText, longestList } from './folder-summary.ts';
import type { CallResult, PlannedCall, Steps } from './plan.ts';
import { shellQuote } from './shell-quote.ts';
import { type FoundPaths, parseCommand, parsePaths } from './tool-output.ts';

/** Numbers of files; `listed` is smaller than `total` where only the first files could be counted by folder and kind. */
export interface FileCounts {
  readonly total: number;
  readonly listed: number;
  readonly folders: ReadonlyMap<string, number>;
  readonly kinds: ReadonlyMap<string, number>;
}

/** The files of a listing, and the tools that can count them. */
export interface FileScope {
  /** The project unless given. */
  readonly folder?: string | undefined;
  /** A pattern such as `*.{ts,tsx}`. */
  readonly names?: string;
  readonly tools: ReadonlySet<string>;
}

/** More folders than these are counted with the folder that they are in. */
const mostFolders = 30;
/** Outside of git each folder needs a search of its own. */
const mostSearches = 100;
/** The kinds that a summary names. */
const mostKinds = 6;

/**
 * Counts all files of a listing by folder and kind. A long listing holds only the first of them, so the others are
 * counted by git, or else folder by folder.
 */
export function* countFiles(all: FoundPaths, scope: FileScope): Steps<FileCounts> {
  const listed = countListed(all);
  if (listed.listed === all.total || !scope.tools.has('Bash')) return listed;
  const files = `git ls-files -co --exclude-standard${pathspecs(scope)}`;
  const depth = depthOf(scope) + 2;
  const byFolder = `${files} | grep -oE '^([^/]*/){1,${depth}}' | sort | uniq -c`;
  const byKind = `${files} | grep -oE '[^/][.][A-Za-z0-9]+$' | grep -oE '[^.]+$' | sort | uniq -c`;
  const [folders, kinds] = yield { calls: [bash(byFolder), bash(byKind)] };
  const git = { folders: countedLines(folders), kinds: countedLines(kinds) };
  return countOfGit(git, all.total, depth - 1) ?? (yield* countEachFolder(all, scope)) ?? listed;
}

/** The number of folders above those that are counted. */
function depthOf({ folder }: FileScope): number {
  return folder === undefined ? 0 : folder.split('/').length;
}

function pathspecs({ folder, names = '*' }: FileScope): string {
  if (folder === undefined && names === '*') return '';
  const [, before = '', choices = names, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(names) ?? [];
  const paths = choices.split(',').map((choice) => `${folder ? `${folder}/` : ''}${before}${choice}${after}`);
  return ` -- ${paths.map(shellQuote).join(' ')}`;
}

/** Lists files one by one where they are few, and counts them by folder where they are many. */
export function* folderSummary(found: FoundPaths, place: string, scope: FileScope): Steps<string> {
  const head = `${countText(found.total, 'file')} in ${place}`;
  if (found.total <= longestList)
    return [`${head}:`, '', ...found.paths.toSorted().map((path) => `- ${path}`), ...found.notes].join('\n');
  const { folders, total, listed } = yield* countFiles(found, scope);
  const part = total > listed ? `; the first ${listed.toLocaleString('en-US')} by folder` : ', by folder';
  const rows = [...folders].map(([folder, count]) => `- ${folder}: ${countText(count, 'file')}`);
  return [`${head}${part}:`, '', ...rows].join('\n');
}

function countListed({ paths, total }: FoundPaths): FileCounts {
  const kinds = new Map<string, number>();
  for (const path of paths) {
    const kind = /[^/]\.([a-z\d]+)$/i.exec(path)?.[1];
    if (kind !== undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return { total, listed: paths.length, folders: countByFolder(paths.toSorted()), kinds };
}

function bash(command: string): PlannedCall {
  return { tool: 'Bash', input: { command } };
}

function countOfGit(
  { folders: deep, kinds }: Pick<FileCounts, 'folders' | 'kinds'>,
  total: number,
  depth: number,
): FileCounts | undefined {
  if (deep.size === 0) return undefined;
  const top = topCounts(deep, depth);
  const atTop = total - sum(top);
  if (atTop < 0) return undefined;
  const shown = deep.size <= mostFolders ? deep : withLargestUnfolded(top, deep);
  return { total, listed: total, folders: withTopLevel(shown, atTop), kinds };
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

function topCounts(deep: ReadonlyMap<string, number>, depth: number): ReadonlyMap<string, number> {
  const top = new Map<string, number>();
  for (const [folder, count] of deep) {
    const first = `${folder.split('/').slice(0, -1).slice(0, depth).join('/')}/`;
    top.set(first, (top.get(first) ?? 0) + count);
  }
  return top;
}

/** A folder with most of the files says little, so its own folders are counted if they are not too many. */
function withLargestUnfolded(
  top: ReadonlyMap<string, number>,
  deep: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const [largest = ''] = byCount(top)[0] ?? [];
  const inside = [...deep].filter(([folder]) => folder.startsWith(largest));
  if (inside.length > mostFolders) return top;
  return new Map([...top].flatMap((entry) => (entry[0] === largest ? inside : [entry])));
}

function* countEachFolder(all: FoundPaths, scope: FileScope): Steps<FileCounts | undefined> {
  const { folder: parent, names: pattern = '*' } = scope;
  const [names] = yield { calls: [bash(`ls -A -p${parent ? ` ${shellQuote(parent)}` : ''}`)] };
  if (!names || names.isError) return undefined;
  const below = parent === undefined ? '' : `${parent}/`;
  const folders = parseCommand(names)
    .text.split('\n')
    .filter((name) => /^[^*?[\]{}]+\/$/.test(name))
    .map((name) => `${below}${name}`);
  if (folders.length === 0) return undefined;
  const isSearched = folders.length <= mostSearches;
  const patterns = isSearched ? folders.map((name) => `${name}**/${pattern}`) : [`${below}${pattern}`];
  const found = yield* countMatches(patterns);
  const top = isSearched ? all.total - sum(found) : sum(found);
  if (top < 0 || top > all.total) return undefined;
  const counts = isSearched
    ? withoutSmallest(new Map(folders.map((name) => [name, found.get(`${name}**/${pattern}`) ?? 0])))
    : new Map([['(in folders)', all.total - top]]);
  const kinds = yield* countKinds(all, scope);
  return { total: all.total, listed: all.total, folders: withTopLevel(counts, top), kinds };
}

/** The most common kinds of a listing, counted among all files. */
function* countKinds(all: FoundPaths, { folder, names }: FileScope): Steps<FileCounts['kinds']> {
  if (names !== undefined) return new Map();
  const kinds = byCount(countListed(all).kinds).slice(0, mostKinds);
  const patternOf = (kind: string) => `${folder === undefined ? '' : `${folder}/`}**/*.${kind}`;
  const found = yield* countMatches(kinds.map(([kind]) => patternOf(kind)));
  return new Map(kinds.map(([kind]) => [kind, found.get(patternOf(kind)) ?? 0]));
}

/** The number of files of each pattern. */
function* countMatches(patterns: readonly string[]): Steps<ReadonlyMap<string, number>> {
  if (patterns.length === 0) return new Map();
  const found = yield { calls: patterns.map((pattern) => ({ tool: 'Glob', input: { pattern } })) };
  return new Map(
    patterns.map((pattern, index) => {
      const result = found[index];
      return [pattern, result && !result.isError ? parsePaths(result).total : 0];
    }),
  );
}

/** The largest folders in their order; all others in one row. */
function withoutSmallest(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const filled = [...counts].filter(([, count]) => count > 0);
  if (filled.length <= mostFolders) return new Map(filled);
  const largest = new Set(
    byCount(counts)
      .slice(0, mostFolders)
      .map(([folder]) => folder),
  );
  const others = filled.filter(([folder]) => !largest.has(folder));
  const rest = [`(${others.length} other folders)`, sum(new Map(others))] as const;
  return new Map([...filled.filter(([folder]) => largest.has(folder)), rest]);
}

function byCount(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].toSorted((one, other) => other[1] - one[1]);
}

function withTopLevel(folders: ReadonlyMap<string, number>, atTop: number): ReadonlyMap<string, number> {
  return new Map([...(atTop > 0 ? [['(top level)', atTop] as const] : []), ...folders]);
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

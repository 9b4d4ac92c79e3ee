import { compileGlob } from '../match/glob.ts';
import { Turns } from '../process/turns.ts';
import { fileTypeMatcher } from './file-types.ts';
import { type RipgrepEnd, runRipgrep } from './ripgrep-process.ts';
import { type SearchEnd, walkFiles } from './walk-files.ts';

/** The root and time limit of a search. */
export interface SearchScope {
  /** A real, absolute directory. */
  readonly root: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The ripgrep to use; without one, the search runs in this process with the same results. */
  readonly ripgrep: string | undefined;
}

/** Filters files by name: globs without slashes of which one must match, or a ripgrep file type. */
export interface NameFilter {
  readonly names?: readonly string[] | undefined;
  readonly type?: string | undefined;
}

export interface ListOptions extends SearchScope, NameFilter {
  /** Maximum depth of files; 1 is the root itself. */
  readonly maxDepth?: number | undefined;
  /** Receives each file's path relative to the root, in no order. */
  onFile(path: string): void;
  /** Called if all paths so far must be forgotten, because they will come again. */
  onRestart(): void;
}

/** Lists the files of a directory that are not ignored. */
export async function listFiles(options: ListOptions): Promise<SearchEnd> {
  const { ripgrep } = options;
  const end = ripgrep === undefined ? 'unusable' : await listByRipgrep(options, ripgrep);
  return end === 'unusable' ? listByWalking(options) : end;
}

// Ripgrep's other wildcards differ from ours in details.
const plainName = /^[\p{L}\p{N}_.*-]+$/u;

/** Arguments that restrict ripgrep to names. Its `--glob` would include ignored files; types do not. */
export function nameArgs({ names, type }: NameFilter): string[] {
  if (type !== undefined) return [`--type=${type}`];
  if (names === undefined || !names.every((name) => plainName.test(name) && !name.includes('**'))) return [];
  return [...names.map((name) => `--type-add=robota:${name}`), '--type=robota'];
}

/** Returns a function that tests whether a path matches the filter. */
export function nameMatcher({ names, type }: NameFilter): (path: string) => boolean {
  if (type !== undefined) return fileTypeMatcher(type);
  if (names === undefined) return () => true;
  const patterns = names.map(compileGlob);
  return (path) => patterns.some((pattern) => pattern.test(path.slice(path.lastIndexOf('/') + 1)));
}

/** Paths after which the time is looked at. */
const pathsAtOnce = 64;

async function listByRipgrep(options: ListOptions, program: string): Promise<SearchEnd | 'unusable'> {
  const { maxDepth, onFile } = options;
  const turns = new Turns();
  let rest: Buffer = Buffer.alloc(0);
  const onOutput = async (chunk: Buffer) => {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = data.lastIndexOf(0) + 1;
    rest = data.subarray(end);
    const paths = data.toString('utf8', 0, end).split('\0');
    paths.pop();
    for (const [index, path] of paths.entries()) {
      onFile(path);
      if (index % pathsAtOnce === 0) await turns.pause();
    }
  };
  const depth = maxDepth === undefined ? [] : [`--max-depth=${maxDepth}`];
  const args = ['--files', ...depth, ...nameArgs(options)];
  const end = await runRipgrep({ ...options, program, args, onOutput });
  if (end.isUsable) return searchEnd(end);
  options.onRestart();
  return 'unusable';
}

/** Translates the exit of ripgrep. */
export function searchEnd({ isTimedOut, errorLines }: RipgrepEnd): SearchEnd {
  return { isTimedOut, unreadable: errorLines };
}

function listByWalking(options: ListOptions): Promise<SearchEnd> {
  const isMeant = nameMatcher(options);
  return walkFiles({
    ...options,
    onFile: (path) => {
      if (isMeant(path)) options.onFile(path);
      return undefined;
    },
  });
}

import { fileTypeMatcher } from './file-types.ts';
import { compileGlob } from './glob-pattern.ts';
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

/** Filters files by name: a glob without slashes, or a ripgrep file type. */
export interface NameFilter {
  readonly nameGlob?: string;
  readonly type?: string;
}

export interface ListOptions extends SearchScope, NameFilter {
  /** Maximum depth of files; 1 is the root itself. */
  readonly maxDepth?: number;
  /** Receives each file's path relative to the root, in no order. */
  onFile(path: string): void;
}

/** Lists the files of a directory that are not ignored. */
export async function listFiles(options: ListOptions): Promise<SearchEnd> {
  const { ripgrep } = options;
  const end = ripgrep === undefined ? 'unusable' : await listByRipgrep(options, ripgrep);
  return end === 'unusable' ? listByWalking(options) : end;
}

/** Arguments that restrict ripgrep to names. Its `--glob` would include ignored files; types do not. */
export function nameArgs({ nameGlob, type }: NameFilter): string[] {
  if (type !== undefined) return [`--type=${type}`];
  return nameGlob === undefined ? [] : [`--type-add=robota:${nameGlob}`, '--type=robota'];
}

/** Returns a function that tests whether a path matches the filter. */
export function nameMatcher({ nameGlob, type }: NameFilter): (path: string) => boolean {
  if (type !== undefined) return fileTypeMatcher(type);
  if (nameGlob === undefined) return () => true;
  const pattern = compileGlob(nameGlob);
  return (path) => pattern.test(path.slice(path.lastIndexOf('/') + 1));
}

async function listByRipgrep(options: ListOptions, program: string): Promise<SearchEnd | 'unusable'> {
  const { root, signal, timeoutMs, onFile } = options;
  let rest: Buffer | undefined;
  const onOutput = (chunk: Buffer) => {
    const data = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    const end = data.lastIndexOf(0);
    rest = end + 1 < data.length ? data.subarray(end + 1) : undefined;
    if (end === -1) return;
    for (const path of data.toString('utf8', 0, end).split('\0')) onFile(path);
  };
  const depth = options.maxDepth === undefined ? [] : [`--max-depth=${options.maxDepth}`];
  const args = ['--files', ...depth, ...nameArgs(options)];
  const end = await runRipgrep({ program, args, cwd: root, signal, timeoutMs, onOutput });
  return end.isUsable ? searchEnd(end) : 'unusable';
}

/** Translates the exit of ripgrep. */
export function searchEnd({ isTimedOut, errorLines }: RipgrepEnd): SearchEnd {
  return { isTimedOut, unreadable: errorLines };
}

async function listByWalking(options: ListOptions): Promise<SearchEnd> {
  const { root, signal, timeoutMs } = options;
  const isMeant = nameMatcher(options);
  return walkFiles({
    root,
    signal,
    deadline: Date.now() + timeoutMs,
    ...(options.maxDepth === undefined ? {} : { maxDepth: options.maxDepth }),
    onFile: (path) => {
      if (isMeant(path)) options.onFile(path);
      return undefined;
    },
  });
}

import { compileGitGlob, globCharacters } from './git-glob.ts';

/** One line of an ignore file that hides files or re-includes them. */
export interface IgnoreLine {
  /** The pattern as written, without trailing spaces. */
  readonly text: string;
  /** Counts from 1. */
  readonly line: number;
  readonly isNegated: boolean;
  /** True if the pattern matches only directories. */
  readonly onlyDirectories: boolean;
  /** The pattern without `!` and slashes at its ends. */
  readonly glob: string;
  /** True if the pattern is relative to the file's directory; otherwise it matches names at any depth. */
  readonly isAnchored: boolean;
  /** True if the pattern matches a path relative to the ignore file's directory. */
  matches(path: IgnorePath): boolean;
}

/** A path prepared for matching: split once for all lines. */
export interface IgnorePath {
  readonly whole: readonly string[];
  /** The last name of the path. */
  readonly name: readonly string[];
}

/** Splits a path for lines that were read with the same options. */
export function ignorePath(path: string, options: { readonly ignoreCase: boolean }): IgnorePath {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { whole: globCharacters(path, options), name: globCharacters(name, options) };
}

/** Parses an ignore file like git; invalid lines match nothing and are skipped. */
export function readIgnoreLines(
  text: string,
  options: { readonly ignoreCase: boolean },
): readonly IgnoreLine[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((line, index) => readLine(line, index + 1, options));
}

// biome-ignore format: one parameter a line says nothing more.
function readLine(written: string, line: number, options: { readonly ignoreCase: boolean }): readonly IgnoreLine[] {
  if (written.startsWith('#')) return [];
  const text = withoutSpaces(written.replace(/\r$/, ''));
  const isNegated = text.startsWith('!');
  const pattern = isNegated ? text.slice(1) : text;
  const onlyDirectories = pattern.endsWith('/');
  const body = onlyDirectories ? pattern.slice(0, -1) : pattern;
  const isAnchored = body.includes('/');
  const glob = body.startsWith('/') ? body.slice(1) : body;
  const compiled = glob === '' ? undefined : compileGitGlob(glob, options);
  if (compiled === undefined) return [];
  const matches = ({ whole, name }: IgnorePath) => compiled.test(isAnchored ? whole : name);
  return [{ text, line, isNegated, onlyDirectories, glob, isAnchored, matches }];
}

/** Trailing spaces are ignored unless escaped by a backslash. */
function withoutSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && !isEscaped(line, end - 1)) end -= 1;
  return line.slice(0, end);
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

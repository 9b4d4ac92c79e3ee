import { AgentError } from '@robota-sdk/agent-core';
import { matchSegments, readSegments, type Segment } from './glob.ts';

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
}

/** The line that decides about a name in one directory; undefined if none does. */
export type NameJudge<Line extends IgnoreLine = IgnoreLine> = (
  name: string,
  isDirectory: boolean,
) => Line | undefined;

interface Compiled<Line> {
  readonly line: Line;
  /** All segments of an anchored pattern but the last. */
  readonly above: readonly Segment[] | undefined;
  readonly name: (name: string) => boolean;
}

/** More lines would make every search slow; git itself needs seconds for them. */
const mostLines = 20_000;
export const largestIgnoreFile = 1024 * 1024;
export const ignoreFileLimit = '20,000 lines or 1 MB';

/** The lines of one ignore file, read as git reads them. Invalid lines match nothing. */
export class IgnoreRules<Line extends IgnoreLine = IgnoreLine> {
  /** The last line first, because it decides. */
  readonly #lines: readonly Compiled<Line>[];
  readonly #fold: (text: string) => string;

  /** `fold` maps the spellings of a name that mean the same file to one of them. */
  constructor(text: string, complete: (line: IgnoreLine) => Line, fold: (text: string) => string = same) {
    const lines = text.replace(/^\ufeff/, '').split('\n');
    if (lines.length > mostLines) throw new IgnoreFileTooLarge();
    this.#fold = fold;
    this.#lines = lines
      .flatMap((written, index) => {
        const line = readLine(written, index + 1);
        const segments = line && readSegments(fold(line.glob));
        const name = typeof segments === 'object' ? segments.at(-1) : undefined;
        if (line === undefined || typeof segments !== 'object' || typeof name !== 'function') return [];
        return [{ line: complete(line), above: line.isAnchored ? segments.slice(0, -1) : undefined, name }];
      })
      .reverse();
  }

  get lines(): readonly Line[] {
    return this.#lines.map(({ line }) => line);
  }

  /**
   * Judges the names in a directory, which is given by its names below the file's. A pattern ends with one
   * name, so all before it is compared once for the directory.
   */
  in(directory: readonly string[]): NameJudge<Line> {
    const names = directory.map(this.#fold);
    const here = this.#lines.filter(({ above }) => above === undefined || matchSegments(above, names));
    return (name, isDirectory) => {
      const folded = this.#fold(name);
      const found = here.find((one) => one.name(folded) && (isDirectory || !one.line.onlyDirectories));
      return found?.line;
    };
  }
}

/** An ignore file that is too large to be read. */
export class IgnoreFileTooLarge extends AgentError {
  constructor(file = 'An ignore file') {
    super(
      'tool',
      `The search was not made: ${file} has more than ${ignoreFileLimit}. Ignore whole directories instead of single files, or search a directory without it.`,
    );
  }
}

function same(text: string): string {
  return text;
}

function readLine(written: string, line: number): IgnoreLine | undefined {
  if (written.startsWith('#')) return undefined;
  const text = withoutSpaces(written.replace(/\r$/, ''));
  const isNegated = text.startsWith('!');
  const pattern = isNegated ? text.slice(1) : text;
  const onlyDirectories = pattern.endsWith('/');
  const body = onlyDirectories ? pattern.slice(0, -1) : pattern;
  const isAnchored = body.includes('/');
  const glob = body.startsWith('/') ? body.slice(1) : body;
  return glob === '' ? undefined : { text, line, isNegated, onlyDirectories, glob, isAnchored };
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

import { compileGlob } from './glob-pattern.ts';

/** The verdict of an ignore file about a path; undefined if none. */
export type Verdict = 'ignore' | 'keep' | undefined;

interface Rule {
  readonly matches: (path: string, name: string) => boolean;
  readonly verdict: 'ignore' | 'keep';
  readonly onlyDirectories: boolean;
}

/** The rules of one ignore file. Paths are relative to the directory of the file. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  /** Parses a `.gitignore`; invalid lines are skipped, as in git and ripgrep. */
  constructor(text: string) {
    this.#rules = text
      .replace(/^\ufeff/, '')
      .split('\n')
      .flatMap(parseLine)
      .reverse();
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** The last matching rule decides. Only the path itself is judged; its parents were judged when entered. */
  judge(path: string, isDirectory: boolean): Verdict {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const decisive = this.#rules.find(
      (rule) => (isDirectory || !rule.onlyDirectories) && rule.matches(path, name),
    );
    return decisive?.verdict;
  }
}

function parseLine(line: string): Rule[] {
  if (line.startsWith('#')) return [];
  let glob = line.endsWith('\\ ') ? line : line.trimEnd();
  if (glob === '') return [];
  let verdict: Rule['verdict'] = 'ignore';
  let isAnchored = false;
  if (/^\\[!#]/.test(glob)) {
    glob = glob.slice(1);
  } else {
    if (glob.startsWith('!')) {
      verdict = 'keep';
      glob = glob.slice(1);
    }
    isAnchored = glob.startsWith('/');
    if (isAnchored) glob = glob.slice(1);
  }
  const onlyDirectories = glob.endsWith('/');
  if (onlyDirectories) glob = glob.slice(0, glob.endsWith('\\/') ? -2 : -1);
  const matches = matcherOf(glob, isAnchored);
  return matches ? [{ matches, verdict, onlyDirectories }] : [];
}

function matcherOf(glob: string, isAnchored: boolean): Rule['matches'] | undefined {
  const isName = !isAnchored && !glob.includes('/');
  if (isName && isLiteral(glob)) return (_path, name) => name === glob;
  try {
    if (isName && glob !== '**') {
      const pattern = compileGlob(glob);
      return (_path, name) => pattern.test(name);
    }
    const pattern = compileGlob(glob.endsWith('/**') ? `${glob}/*` : glob);
    return (path) => pattern.test(path);
  } catch {
    return undefined;
  }
}

function isLiteral(glob: string): boolean {
  return glob !== '' && !/[*?[\]{}\\]/.test(glob);
}

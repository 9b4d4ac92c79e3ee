import path from 'node:path';
import { gitArguments } from '../commands/git-operands.ts';
import { excludedBy } from '../path/excluded-by.ts';
import { globsOverlap, matchGlob, openGlob } from '../path/glob-match.ts';
import type { PolicyFiles } from '../path/policy-files.ts';
import { wordList } from '../read-only/read-only-spec.ts';
import { literalOf, type ShellWord } from '../word/shell-word.ts';

/** The directory that git is started in, and the root of its repository. */
export interface GitContext {
  readonly directory: string;
  readonly top: string;
  readonly files: PolicyFiles | undefined;
}

/** Subcommands that print changes unless an option requests a summary. */
const differences: ReadonlySet<string> = new Set(
  wordList('diff diff-files diff-index diff-tree difftool format-patch range-diff show whatchanged'),
);
/** Subcommands that print changes only if an option requests them. */
const histories: ReadonlySet<string> = new Set(wordList('log reflog'));
/** Subcommands that always print contents. */
const printers: ReadonlySet<string> = new Set(wordList('annotate archive blame cat-file grep'));

const summaries: ReadonlySet<string> = new Set(
  wordList(
    '--stat --shortstat --numstat --name-only --name-status --raw --summary --quiet -q --no-patch -s --compact-summary',
  ),
);
/** Options that do not affect whether contents are printed. */
const silent: ReadonlySet<string> = new Set([
  ...summaries,
  ...wordList(
    '--no-color --color --exit-code --no-ext-diff --no-textconv --no-renames --find-renames --relative --diff-filter --abbrev ' +
      '--merge-base --cached --staged --oneline --graph --all --decorate --no-decorate --follow --merges --no-merges ' +
      '--first-parent --reverse --abbrev-commit --branches --tags --remotes --topo-order --date-order --left-right --since ' +
      '--until --after --before --author --committer --grep --format --pretty --date --max-count --skip --no-commit-id --root',
  ),
  ...wordList('-M -C -R -a -g -i -n -r -t -z'),
]);
const objectTypes: ReadonlySet<string> = new Set(wordList('blob commit tag tree'));
/** Options that take no value in the next word. */
const valueless =
  /^-[abcefghimpqrstuvwzDRW]+$|^-\d+$|^--(?:cached|staged|patch|no-color|no-ext-diff|word-diff|stat|oneline)$/;
/** Options that print files under other names, or untracked files. */
const widening = /^--(?:fol|no-i|rec|std|unt)/;

/** The tracked files that a git command may print, relative to the root. */
export interface PrintedFiles {
  mayHold(file: string): boolean;
  /** Globs for all of them; `*` crosses directories. */
  readonly globs: readonly string[];
}

/** Returns the files whose contents a git command may print. Anything not understood counts as printed. */
export function printedByGit(words: readonly ShellWord[], place: GitContext): PrintedFiles {
  const { subcommand, texts } = read(words);
  const { includes, excludes } = new Pathspecs(place).of(subcommand, texts);
  return {
    mayHold: (file) =>
      (includes === undefined || includes.some((one) => one.mayHold(file))) &&
      !excludes.some((one) => one.holds(file)),
    globs: includes?.flatMap(({ globs }) => globs) ?? ['*'],
  };
}

/** True for a git command that may print contents in any directory. */
export function mayPrintContents(words: readonly ShellWord[]): boolean {
  const { subcommand, texts } = read(words);
  return printsContents(subcommand, texts);
}

/** True for a git command that may print contents of files that git does not track. */
export function mayPrintUntracked(words: readonly ShellWord[]): boolean {
  const { texts } = read(words);
  return texts.some((text) => text === undefined || /^--(?:no-i|rec|unt)/.test(text));
}

interface GitCommand {
  readonly subcommand: string;
  /** The arguments; undefined for one that only the shell can expand. */
  readonly texts: readonly (string | undefined)[];
}

function read(words: readonly ShellWord[]): GitCommand {
  const { subcommand, rest } = gitArguments(words);
  return { subcommand, texts: rest.map((word) => literalOf(word)) };
}

function printsContents(subcommand: string, texts: readonly (string | undefined)[]): boolean {
  const [first = ''] = texts;
  const { before } = cut(texts);
  const options = before.filter((text) => text?.startsWith('-') ?? true);
  if (options.some((text) => text?.includes('%(raw'))) return true;
  if (subcommand === 'cat-file') return !options.some((text) => /^-[est]$/.test(text ?? ''));
  if (printers.has(subcommand)) return true;
  if (subcommand === 'status')
    return options.some((text) => text === undefined || /^-[A-Za-z]*v|^--v/.test(text));
  const isSilent = options.every(isSilentOption);
  if (histories.has(subcommand) || (subcommand === 'stash' && first === 'list')) return !isSilent;
  if (!differences.has(subcommand) && !(subcommand === 'stash' && first === 'show')) return false;
  // `git show` prints a blob even if a summary is requested.
  if (subcommand === 'show' && before.some(mayBeBlob)) return true;
  return !isSilent || !options.some((text) => summaries.has(optionName(text ?? '')));
}

function isSilentOption(text: string | undefined): boolean {
  return text !== undefined && (silent.has(optionName(text)) || /^-(?:n?\d+|[CM]\d+%?)$/.test(text));
}

function optionName(text: string): string {
  return text.startsWith('--') ? (text.split('=', 1)[0] ?? text) : text;
}

/** True if a word may name the contents of a file: an object's name, or a path in a revision. */
function mayBeBlob(text: string | undefined): boolean {
  if (text === undefined) return true;
  if (text.startsWith('-')) return false;
  return (
    /^[0-9a-fA-F]{4,64}$/.test(text) || (/[:{]/.test(text) && !/^:[(!^/]/.test(text) && !isReflogEntry(text))
  );
}

/** `stash@{0}`, `main@{yesterday}`. */
function isReflogEntry(text: string): boolean {
  const [, entry, more] = text.split('@{');
  return more === undefined && entry !== undefined && /^[^{}:]*\}$/.test(entry);
}

function cut(texts: readonly (string | undefined)[]) {
  const end = texts.indexOf('--');
  return end === -1
    ? { before: texts, after: [] }
    : { before: texts.slice(0, end), after: texts.slice(end + 1) };
}

/** A pathspec, as far as it is understood. */
interface Pathspec {
  /** True if it may match a file. */
  mayHold(file: string): boolean;
  /** True if it matches a file for certain. */
  holds(file: string): boolean;
  /** Globs that match the same files, for use when the files are unknown. */
  readonly globs: readonly string[];
}

interface Limits {
  /** Undefined if no path limits the command. */
  readonly includes: readonly Pathspec[] | undefined;
  readonly excludes: readonly Pathspec[];
}

const unlimited: Limits = { includes: undefined, excludes: [] };
const everything: Pathspec = { mayHold: () => true, holds: () => false, globs: ['*'] };

/** Reads the paths among the arguments of a git command. */
class Pathspecs {
  readonly #place: GitContext;

  constructor(place: GitContext) {
    this.#place = place;
  }

  of(subcommand: string, texts: readonly (string | undefined)[]): Limits {
    const { before, after } = cut(texts);
    const isLog = histories.has(subcommand);
    if (subcommand === 'stash' || before.some((text) => text === undefined || widening.test(text)))
      return unlimited;
    if (isLog && before.some((text) => text?.startsWith('-L'))) return unlimited;
    const objects = after.length > 0 ? undefined : this.#objects(subcommand, before);
    if (objects !== undefined) return { includes: objects, excludes: [] };
    const isBlobs = subcommand === 'cat-file' || (!isLog && subcommand !== 'grep' && before.some(mayBeBlob));
    const named = isBlobs ? undefined : this.#named(subcommand, before);
    if (named === undefined) return unlimited;
    const given = [...named, ...after];
    const excludes = given.map(excludedBy).filter((text) => text !== undefined);
    const included = given.filter((text) => excludedBy(text) === undefined);
    return {
      includes: included.length === 0 ? undefined : included.map((text) => this.#pathspec(text)),
      excludes: excludes.map((text) => this.#pathspec(text)),
    };
  }

  /**
   * The words before `--` that are paths: git treats a word as a path if it is a file and not a revision, and refuses
   * it if it is both. Undefined if a file may be the value of an option.
   */
  #named(subcommand: string, before: readonly (string | undefined)[]): readonly string[] | undefined {
    const named: string[] = [];
    if (subcommand === 'grep') return named;
    for (const [index, text = ''] of before.entries()) {
      if (text.startsWith('-')) continue;
      const isPattern = /^:[(!^/]/.test(text) || (/[*?[]/.test(text) && !text.includes('{'));
      if (!isPattern && !this.#exists(text)) continue;
      const previous = before[index - 1] ?? '';
      if (previous.startsWith('-') && !valueless.test(previous)) return undefined;
      named.push(text);
    }
    return named;
  }

  /** `HEAD:file`, if nothing else is named. */
  #objects(subcommand: string, before: readonly (string | undefined)[]): readonly Pathspec[] | undefined {
    if (!['cat-file', 'diff', 'show'].includes(subcommand)) return undefined;
    if (before.some((text) => text?.startsWith('--batch'))) return undefined;
    const words = before.filter((text) => !text?.startsWith('-'));
    const operands = subcommand === 'cat-file' ? words.filter((text) => !objectTypes.has(text ?? '')) : words;
    const { directory, top } = this.#place;
    const paths = operands.map((text) => {
      const name = /^(?::[0-3]|[\w./~^@-]*):([^:/(!^][^:]*)$/.exec(text ?? '')?.[1];
      if (name === undefined) return undefined;
      const from = /^\.\.?(?:\/|$)/.test(name) ? directory : top;
      return path.posix.relative(top, path.posix.resolve(from, name));
    });
    const known = paths.filter((one) => one !== undefined);
    return known.length === 0 || known.length < paths.length ? undefined : known.map(objectSpec);
  }

  #exists(text: string): boolean {
    const { files, directory } = this.#place;
    return files?.look(path.posix.resolve(directory, text)) !== undefined;
  }

  #pathspec(text: string | undefined): Pathspec {
    if (text === undefined) return everything;
    const { directory, top } = this.#place;
    const fromTop = /^:(?:\/|\(top\))(.*)$/s.exec(text)?.[1];
    if (fromTop === undefined && text.startsWith(':')) return everything;
    const from = fromTop === undefined ? directory : top;
    const name = path.posix.relative(top, path.posix.resolve(from, fromTop ?? text));
    return /[*?[\\]/.test(name) ? globSpec(name) : literalSpec(name);
  }
}

function literalSpec(name: string): Pathspec {
  const holds = (file: string) => name === '' || file === name || file.startsWith(`${name}/`);
  return { mayHold: holds, holds, globs: name === '' ? ['*'] : [name, `${name}/*`] };
}

/** The contents of one file; for a directory only names are printed. */
function objectSpec(name: string): Pathspec {
  return { ...literalSpec(name), globs: [name] };
}

/** `*` crosses directories. */
function globSpec(name: string): Pathspec {
  const open = openGlob(name).replaceAll('\\', '*');
  return {
    mayHold: (file) => globsOverlap(open, file) || globsOverlap(`${open}/*`, file),
    holds: (file) => !/[?[\\]/.test(name) && matchGlob(name, file),
    globs: [open],
  };
}

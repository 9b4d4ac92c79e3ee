import path from 'node:path';
import { literalOf, type ShellWord, textWord } from '../word/shell-word.ts';
import type { FileOperand } from './file-operands.ts';

/** Subcommands that show what is in the files they name. */
const gitReaders: ReadonlySet<string> = new Set(
  (
    'annotate apply archive blame cat-file diff diff-files diff-index diff-tree difftool format-patch grep hash-object ' +
    'log rev-list show stash whatchanged'
  ).split(' '),
);

/** Options of git itself that take the next word as their value. */
const valuedOptions: ReadonlySet<string> = new Set([
  '-C',
  '-c',
  '--attr-source',
  '--config-env',
  '--exec-path',
  '--git-dir',
  '--namespace',
  '--super-prefix',
  '--work-tree',
]);

/** Options of `clone`, `init` and `submodule add` that take the next word as their value. */
const cloneOptions: ReadonlySet<string> = new Set(
  (
    '-b --branch -o --origin -j --jobs --depth --reference --reference-if-able --filter --name --shallow-since --shallow-exclude ' +
    '--server-option --bundle-uri --ref-format --object-format --revision --initial-branch'
  ).split(' '),
);

/** The words of a git command, split at its subcommand. */
export interface GitArguments {
  readonly subcommand: string;
  readonly rest: readonly ShellWord[];
  /** The directory of `-C`, relative to the command's. */
  readonly directory: string;
  /** Words before the subcommand. */
  readonly optionCount: number;
}

/** Finds git's subcommand after git's own options; `words` start after `git`. */
export function gitArguments(words: readonly ShellWord[]): GitArguments {
  let directory = '';
  let at = 0;
  while (at < words.length) {
    const text = shownText(words[at]);
    if (!text.startsWith('-')) break;
    const target = shownText(words[at + 1]);
    if (text === '-C') directory = target.startsWith('/') ? target : path.posix.join(directory, target);
    at += valuedOptions.has(text) ? 2 : 1;
  }
  return { subcommand: shownText(words[at]), rest: words.slice(at + 1), directory, optionCount: at };
}

/** The files that a git command shows, named as paths, as pathspecs or in a revision. */
export function gitReadOperands(words: readonly ShellWord[]): FileOperand[] {
  const { subcommand, rest, directory } = gitArguments(words);
  if (!gitReaders.has(subcommand)) return [];
  const names = rest.flatMap((word) => {
    const text = literalOf(word) ?? word.text;
    // `-L1,5:file` names a file too.
    if (text.startsWith('-') && !text.startsWith('-L')) return [];
    return namesIn(text.replace(/^-L/, ''));
  });
  return [...new Set(names)].map((name) => pathspecOperand(path.posix.join(directory, name)));
}

/** The files and directories that a git command creates; all operands if they cannot be told apart. */
export function gitWrittenOperands(words: readonly ShellWord[]): FileOperand[] {
  const { subcommand, rest, directory } = gitArguments(words);
  const made = madeBy(
    subcommand,
    rest.filter((word, index) => !word.text.startsWith('-') && !cloneOptions.has(shownText(rest[index - 1]))),
  );
  return made.map((word) => {
    const text = literalOf(word);
    return {
      kind: 'write',
      word: text === undefined || text.startsWith('/') ? word : textWord(path.posix.join(directory, text)),
    };
  });
}

function madeBy(subcommand: string, operands: readonly ShellWord[]): readonly ShellWord[] {
  if (subcommand === 'init') return operands;
  if (subcommand === 'mv') return operands.slice(-1);
  if (subcommand === 'merge-file') return operands.slice(0, 1);
  if (subcommand === 'mailinfo') return operands.slice(0, 2);
  if (subcommand === 'clone') return clonedInto(operands);
  const action = `${subcommand} ${shownText(operands[0])}`;
  if (action === 'submodule add') return clonedInto(operands.slice(1));
  if (action === 'worktree move') return operands.slice(2);
  if (action !== 'worktree add' && action !== 'bundle create') return [];
  return operands.slice(1).filter((word, index) => index === 0 || !word.text.startsWith('HEAD'));
}

/** The named directory, or the one named after the last part of the URL. */
function clonedInto(operands: readonly ShellWord[]): ShellWord[] {
  const [source, target] = operands;
  if (target !== undefined) return [target];
  const address = shownText(source)
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/?\.git$/, '');
  const name = address.slice(Math.max(address.lastIndexOf('/'), address.lastIndexOf(':')) + 1);
  return source === undefined || literalOf(source) === undefined || name === '' ? [] : [textWord(name)];
}

/** A path as git matches it: its wildcards cross directories and match a leading dot. */
function pathspecOperand(name: string): FileOperand {
  const pieces = /[*?[]/.test(name)
    ? [{ kind: 'glob', value: name } as const]
    : [{ kind: 'text', value: name } as const];
  return { kind: 'read', word: { text: name, pieces, plain: false }, isPathspec: true };
}

/** Every file that an argument may name: `x`, `HEAD:x`, `:0:x`, `:(top)x`, `:/x`, `1,5:x`. */
export function namesIn(text: string): string[] {
  const magic = /^:(?:\(([^)]*)\)|([/!^]+):?)(.*)$/s.exec(text);
  if (magic !== null) {
    const isExclusion = magic[1]?.includes('exclude') || /[!^]/.test(magic[2] ?? '');
    return isExclusion || !magic[3] ? [] : [magic[3]];
  }
  const candidates = [text, text.slice(text.indexOf(':') + 1), text.slice(text.lastIndexOf(':') + 1)];
  return [...new Set(candidates)].filter((name) => name !== '');
}

function shownText(word: ShellWord | undefined): string {
  return word === undefined ? '' : (literalOf(word) ?? word.text);
}

import { wordList } from '../read-only/read-only-spec.ts';
import { optionTexts } from '../word/attached-value.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { literalOf, type ShellWord, unknownText, wordOf } from '../word/shell-word.ts';
import { executingAliases } from './executing-aliases.ts';
import programs from './executing-programs.json' with { type: 'json' };
import { executingSedWords } from './executing-sed.ts';
import { type ExecutingSpec, executingSpecs, gitSpecs, runningSubcommands } from './executing-table.ts';
import { gitArguments } from './git-operands.ts';
import { baseName } from './nested-runs.ts';

/** Programs that run something else or read another script only by some options; describes these options. */
const executingPrograms: Readonly<Record<string, string>> = programs;

/** The arguments by which a command would run something else; a rule's wildcard must not cover them. */
export function executingOptionsOf(command: SimpleCommand): string[] {
  const name = knownAs(baseName(command.words[0]) ?? '');
  const spec = specOf(name);
  // `npx eslint --rulesdir x`: the inner program has options too.
  const reached = [...(command.reaches ?? []), ...moduleOf(command), ...cloneOf(command)].flatMap(
    executingOptionsOf,
  );
  if (spec === undefined) return reached;
  const words = command.words.slice(1);
  if (name === 'sed') return executingSedWords(words);
  if (name !== 'git') return [...executing(words, spec), ...reached];
  const { subcommand, rest, optionCount } = gitArguments(words);
  const inner = Object.hasOwn(gitSpecs, subcommand) ? gitSpecs[subcommand] : undefined;
  const found = inner === undefined ? [] : executing(rest, inner);
  // Any key can be configured, so a rule for `git config` is specific enough.
  const own = subcommand === 'config' ? found.map(() => subcommand) : found;
  const pushed = subcommand === 'push' ? pushedDirectory(rest) : [];
  return [
    ...executing(words, spec),
    ...own,
    ...pushed,
    ...(runningSubcommands.has(subcommand) ||
    subcommand.includes('/') ||
    subcommand.startsWith('credential') ||
    isOpen(words[optionCount])
      ? [subcommand]
      : []),
  ];
}

/** A subcommand that is unknown until it runs may be any. */
function isOpen(word: ShellWord | undefined): boolean {
  return word !== undefined && literalOf(word) === undefined;
}

/** A repository in a local directory runs its own hooks when pushed to. */
function pushedDirectory(rest: readonly ShellWord[]): string[] {
  const target = rest.find((word) => !word.text.startsWith('-'));
  const isDirectory = /^(?:file:|\.{0,2}\/|~|[\w.-]+\/[^:]*$)/;
  return target !== undefined && optionTexts(target).some((text) => isDirectory.test(text))
    ? [target.text]
    : [];
}

/** `python3 -m pytest …` runs a module like a program of that name. */
function moduleOf(command: SimpleCommand): SimpleCommand[] {
  const [program, ...words] = command.words;
  if (!/^python[\d.]*$/.test(baseName(program) ?? '')) return [];
  const at = words.findIndex((word) => literalOf(word) === '-m');
  const inner = at < 0 ? [] : words.slice(at + 1);
  return inner.length === 0 ? [] : [{ ...command, words: inner }];
}

/** `gh repo clone x -- -c key=value`: options of `git clone` follow `--`. */
function cloneOf(command: SimpleCommand): SimpleCommand[] {
  const [program, ...words] = command.words;
  if (!/^(?:gh|glab)$/.test(baseName(program) ?? '')) return [];
  const at = words.findIndex((word) => literalOf(word) === '--');
  return at < 0 ? [] : [{ ...command, words: [wordOf('git'), wordOf('clone'), ...words.slice(at + 1)] }];
}

/** True if a program's executing options are listed. */
export function hasExecutingOptions(name: string): boolean {
  return specOf(knownAs(name)) !== undefined;
}

/** The name of a program in the table. */
function knownAs(name: string): string {
  return executingAliases.get(name) ?? name;
}

function specOf(name: string): ExecutingSpec | undefined {
  if (Object.hasOwn(executingSpecs, name)) return executingSpecs[name];
  const options = Object.hasOwn(executingPrograms, name) ? executingPrograms[name] : undefined;
  return options === undefined ? undefined : { options: wordList(options) };
}

function executing(words: readonly ShellWord[], spec: ExecutingSpec): string[] {
  const { options = [], elsewhere = [], letters = '', naming = [] } = spec;
  return words.flatMap((word, index) => {
    const following = words[index + 1];
    const next = following === undefined ? '' : literalOf(following);
    const isExecuting = optionTexts(word).some((text) => {
      if (options.some((option) => isOption(text, option)) || spec.word?.(text, index, next)) return true;
      if (spec.first?.test(text) && mayBeFirst(words, index)) return true;
      if (/^-[A-Za-z0-9]/.test(text) && hasLetter(text, letters)) return true;
      if (naming.some((option) => mayBeFile(namedValue(text, option, words[index + 1])))) return true;
      const away = elsewhere.find((option) => isOption(text, option));
      return away !== undefined && !staysInside(optionValue(text, away, words[index + 1]));
    });
    const text = literalOf(word);
    const isNaming = mayBeFirst(words, index) || continuesName(words.slice(0, index + 1), spec);
    const isFile = spec.namesProgram && mayBeFile(text ?? unknownText) && isNaming;
    if (isExecuting || isFile) return [text ?? word.text];
    return text === undefined && mayBecomeOption(word, spec) ? [word.text] : [];
  });
}

/** True if only options and their possible values precede a word. */
function mayBeFirst(words: readonly ShellWord[], index: number): boolean {
  return words
    .slice(0, index)
    .every(({ text }, at) => text.startsWith('-') || /^-[^=]*$/s.test(words[at - 1]?.text ?? ''));
}

/** True if words, without an option among them, are joined to the name of a program. */
function continuesName(words: readonly ShellWord[], { own }: ExecutingSpec): boolean {
  return (
    own !== undefined && !own.test(words[0]?.text ?? '') && words.every(({ text }) => !text.startsWith('-'))
  );
}

/** Finds a letter after one dash, up to the first character that cannot be an option. */
function hasLetter(text: string, letters: string): boolean {
  const bundle = /^-([A-Za-z0-9]+)/.exec(text)?.[1] ?? '';
  return [...letters].some((letter) => bundle.includes(letter));
}

function isOption(text: string, option: string): boolean {
  const name = text.split('=', 1)[0] ?? text;
  if (name === option) return true;
  if (option.startsWith('--')) return name.length > 2 && name.startsWith('--') && option.startsWith(name);
  return option.length === 2 && text.length > 2 && text.startsWith(option) && !text.startsWith('--');
}

/** Arguments from xargs may be anything; variables and globs matter only for some programs. */
function mayBecomeOption(word: ShellWord, { isOpen }: ExecutingSpec): boolean {
  const first = word.pieces[0];
  if (!isOpen && word.text !== unknownText) return false;
  return first !== undefined && first.kind !== 'text' && first.kind !== 'home';
}

/** The value of an option that a word may be, also at the end of several letters. */
function namedValue(text: string, option: string, next: ShellWord | undefined): string {
  const following = next === undefined ? '' : (literalOf(next) ?? unknownText);
  if (option.startsWith('--')) {
    const [name = '', value] = text.split(/=(.*)/s);
    return isOption(name, option) ? (value ?? following) : '';
  }
  const at = /^-[A-Za-z]/.test(text) ? text.indexOf(option.charAt(1)) : -1;
  return at < 0 ? '' : text.slice(at + 1) || following;
}

function mayBeFile(name: string): boolean {
  return name.includes('/') || name.includes(unknownText);
}

function optionValue(text: string, option: string, next: ShellWord | undefined): string | undefined {
  if (text.includes('=')) return text.slice(text.indexOf('=') + 1);
  if (text.length > option.length && !text.startsWith('--')) return text.slice(option.length);
  return next === undefined ? undefined : literalOf(next);
}

function staysInside(value: string | undefined): boolean {
  return value !== undefined && !/^[/\uE001]/.test(value) && !value.split('/').includes('..');
}

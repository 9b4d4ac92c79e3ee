import type { Redirection as RedirectNode } from 'unbash';
import type { ReadingBudget } from '../word/reading-budget.ts';
import { roughWords } from '../word/rough-words.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import {
  assumedName,
  literalOf,
  markedText,
  type ShellWord,
  textWord,
  unknownWord,
  wordOf,
  wordsFrom,
} from '../word/shell-word.ts';
import { withSplitStrings } from '../word/split-string.ts';
import { executedTexts, startsAmong } from './executed-texts.ts';
import { reachedCommands } from './runners.ts';
import { mayRunArguments } from './unknown-name.ts';
import { shells, unwrap, type WrapperSpec, wrappers } from './wrappers.ts';

/** The commands that a simple command runs. */
export interface NestedRuns {
  readonly commands: readonly SimpleCommand[];
  /** Texts that are run as scripts. */
  readonly scripts: readonly string[];
  readonly stripped?: SimpleCommand;
  readonly reaches?: readonly SimpleCommand[];
  /** Describes what it runs, if that cannot be read. */
  readonly unreadable?: string;
}

const openName = 'a program whose name is only known when it runs';
const openScript = 'a script that is not literal';
const nothing: NestedRuns = { commands: [], scripts: [] };
const tooManyWrappers: NestedRuns = { ...nothing, unreadable: 'too many wrappers' };
/** Options of builtins whose value is run: for each line read, or to create completions. */
const callbackOptions: Readonly<Record<string, RegExp>> = {
  bind: /^-[A-Za-wyz]*x/,
  compgen: /^-[ABDEG-Za-z]*[CF]/,
  complete: /^-[ABDEG-Za-z]*[CF]/,
  mapfile: /^-[ABD-Za-z]*C/,
  readarray: /^-[ABD-Za-z]*C/,
};
const maximumDepth = 8;
const maximumDeepWords = 32;
const maximumOpenWords = 500;
const execActions = new Set(['-exec', '-execdir', '-ok', '-okdir', '-x', '-X', '--exec', '--exec-batch']);

/** Context for an inner command: its input, its depth and the remaining budget. */
interface Reading {
  readonly redirects: readonly RedirectNode[];
  readonly depth: number;
  readonly budget: ReadingBudget;
}

/** Reads wrappers, shells with `-c` or a here-document, `eval`, and `find -exec`. */
export function nestedRuns(
  command: SimpleCommand,
  redirects: readonly RedirectNode[],
  budget: ReadingBudget,
): NestedRuns {
  return readNested(command, { redirects, depth: 0, budget });
}

/** The name of a command without its directory. */
export function baseName(word: ShellWord | undefined): string | undefined {
  const text = word === undefined ? undefined : literalOf(word);
  return text?.slice(text.lastIndexOf('/') + 1);
}

/** The command as it is if the unknown parts of its name are empty. */
export function withAssumedName(command: SimpleCommand): SimpleCommand {
  const [name, ...rest] = command.words;
  if (name === undefined || literalOf(name) !== undefined || assumedName(name) === '') return command;
  return { ...command, words: [textWord(assumedName(name)), ...rest] };
}

function readNested(given: SimpleCommand, reading: Reading): NestedRuns {
  const command = withAssumedName(given);
  const nested = readNamed(command, reading);
  const isOpen = command !== given && nested.unreadable === undefined && mayRunArguments(given);
  return isOpen ? { ...nested, unreadable: openName } : nested;
}

function readNamed(command: SimpleCommand, reading: Reading): NestedRuns {
  const { budget, depth } = reading;
  if (depth > 0 && !budget.takeWords(command.words.length)) return tooManyWrappers;
  const nested = readKnown(command, reading);
  if (depth > maximumDepth) return nested;
  const name = baseName(command.words[0]) ?? '';
  const texts = executedTexts(name, command.words, budget)
    .flatMap(roughWords)
    .map((words) => innerCommand(words.map(wordOf)))
    .flatMap((one) => readInner(one, reading).commands);
  const starts = startsAmong(name, command.words.slice(0, maximumDeepWords)).map((index) =>
    innerCommand(command.words.slice(index, index + maximumOpenWords)),
  );
  const deepest = { redirects: [], depth: maximumDepth, budget };
  const inner = starts.flatMap((one) => withRuns(one, readKnown(one, deepest)));
  if (texts.length + inner.length === 0) return nested;
  return { ...nested, reaches: [...(nested.reaches ?? []), ...inner, ...texts] };
}

/** A command that another one runs, with its own inner commands. */
function readInner(command: SimpleCommand, { depth, budget }: Reading): NestedRuns {
  const nested = readNested(command, { redirects: [], depth: depth + 1, budget });
  return { ...nested, commands: withRuns(command, nested) };
}

function readKnown(command: SimpleCommand, reading: Reading): NestedRuns {
  const { words } = command;
  const name = baseName(words[0]);
  if (name === undefined) return nothing;
  if (reading.depth > maximumDepth) return readDeepWrappers(command);
  if (shells.has(name)) return readShell(words, reading.redirects);
  if (readsScript(name, words)) return readInput(reading.redirects);
  if (name === 'xargs' && reading.redirects.length > 0) return readFedWrapper(command, reading);
  if (name === 'alias') return { ...nothing, scripts: aliasTexts(words) };
  // `hash -p file name` renames a program; `fc` runs a line of the history.
  if (name === 'fc' || (name === 'hash' && words.some((word) => /^-[a-z]*p/.test(word.text))))
    return { ...nothing, unreadable: 'a program that it does not name' };
  if (name === 'let') return { ...nothing, scripts: arithmeticTexts(words) };
  if (name === 'git') return readGit(words, reading);
  if (name === 'find' || name === 'fd' || name === 'fdfind') return readActions(words, reading);
  const callback = Object.hasOwn(callbackOptions, name) ? callbackOptions[name] : undefined;
  if (callback !== undefined) return readCallbacks(words, callback, reading);
  const spec = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  return spec === undefined ? readRunner(words, reading) : readWrapper(command, spec, reading);
}

function readRunner(words: readonly ShellWord[], reading: Reading): NestedRuns {
  const inner = reachedCommands(words, reading.budget).map((one) => readInner(innerCommand(one), reading));
  if (inner.length === 0) return nothing;
  return {
    ...nothing,
    scripts: inner.flatMap((one) => one.scripts),
    reaches: inner.flatMap((one) => one.commands),
    ...unreadableAmong(inner),
  };
}

/** Callbacks of builtins: an option's value is run as a command. */
function readCallbacks(words: readonly ShellWord[], option: RegExp, { redirects }: Reading): NestedRuns {
  const texts = words.flatMap((word, index) => {
    if (index === 0 || !option.test(word.text)) return [];
    const attached = literalOf(word)?.replace(option, '');
    return attached === '' ? [literalOf(words[index + 1] ?? unknownWord())] : [attached];
  });
  // `mapfile` calls back for its input; `bind` and `complete` at a prompt.
  const isCalled = redirects.length > 0 || baseName(words[0]) === 'compgen';
  const scripts = isCalled ? texts.filter((text) => text !== undefined) : [];
  return { ...nothing, scripts, ...(scripts.length < texts.length ? { unreadable: openScript } : {}) };
}

/** `git bisect run`, `git submodule foreach` and `--exec` run their arguments. */
function readGit(words: readonly ShellWord[], reading: Reading): NestedRuns {
  const texts = words.map((word) => literalOf(word));
  const run = texts.findIndex((text, index) => text === 'run' && texts[index - 1] === 'bisect');
  const each = texts.findIndex((text, index) => text === 'foreach' && texts[index - 1] === 'submodule');
  const options = texts.flatMap((text, index) => {
    if (text === '--exec' || (text === '-x' && texts.includes('rebase'))) return [texts[index + 1]];
    return text?.startsWith('--exec=') ? [text.slice('--exec='.length)] : [];
  });
  const scripts = [
    ...options.filter((text) => text !== undefined),
    ...(each === -1 ? [] : joinedScript(words.slice(each)).map((word) => literalOf(word) ?? '')),
  ];
  if (run === -1) return { commands: [], scripts };
  const inner = readInner(innerCommand(words.slice(run + 1)), reading);
  return { ...inner, scripts: [...scripts, ...inner.scripts] };
}

/** The texts of an alias definition. */
function aliasTexts(words: readonly ShellWord[]): string[] {
  return words.slice(1).flatMap((word) => {
    const text = literalOf(word);
    const equals = text?.indexOf('=') ?? -1;
    return text === undefined || equals === -1 ? [] : [text.slice(equals + 1)];
  });
}

/** `let` evaluates its arguments and runs substitutions in their subscripts. */
function arithmeticTexts(words: readonly ShellWord[]): string[] {
  return words.slice(1).flatMap((word) => {
    const text = literalOf(word);
    return text === undefined ? [] : [`(( ${text} ))`];
  });
}

function readWrapper(command: SimpleCommand, spec: WrapperSpec, reading: Reading): NestedRuns {
  const given = baseName(command.words[0]) === 'env' ? withSplitStrings(command.words) : command.words;
  const read = unwrap(given, spec, reading.budget);
  const inner = read.commands.map((words) => innerCommand(spec.appends ? [...words, unknownWord()] : words));
  const nested = inner.map((one) => readInner(one, reading));
  const commands = nested.flatMap((one) => one.commands);
  const joined = spec.joined ? joinedScript(command.words) : [];
  // `flock file -c script`: the option is in the position of the command.
  const late = read.commands.flatMap(([option, text]) =>
    spec.script?.includes(literalOf(option ?? unknownWord()) ?? '') && text !== undefined ? [text] : [],
  );
  const texts = [...read.scripts, ...late, ...joined].map(literalOf);
  const scripts = [...texts.filter((text) => text !== undefined), ...nested.flatMap((one) => one.scripts)];
  const isOpen =
    texts.includes(undefined) || replacesInside(command.words, [...scripts, ...commands.flatMap(namesOf)]);
  const unreadable = isOpen ? { unreadable: openScript } : unreadableAmong(nested);
  const [only] = commands;
  const isStripped = spec.transparent === 'always' || (spec.transparent === 'bare' && !read.hasOptions);
  const stripped =
    isStripped && read.certain && command.words[0]?.plain && only !== undefined ? only : undefined;
  return {
    commands,
    scripts,
    ...(stripped === undefined ? {} : { stripped }),
    ...unreadable,
  };
}

function namesOf({ words: [name], runs }: SimpleCommand): string[] {
  return [(name && literalOf(name)) ?? '', ...runs.flatMap(namesOf)];
}

/** `xargs -I% sh -c '% x'` inserts its input into the script, `xargs -I% env %` into the name of a program. */
function replacesInside(words: readonly ShellWord[], texts: readonly string[]): boolean {
  if (baseName(words[0]) !== 'xargs') return false;
  return words.some((word, index) => {
    const [, attached] = /^(?:-[A-Za-z0-9]*?[Ii]|--replace=?)(.*)$/s.exec(literalOf(word) ?? '') ?? [];
    if (attached === undefined) return false;
    const next = literalOf(words[index + 1] ?? unknownWord()) ?? '{}';
    const marks = attached === '' ? ['{}', next] : [attached];
    return marks.some((mark) => texts.some((text) => text.includes(mark)));
  });
}

function unreadableAmong(nested: readonly NestedRuns[]): { unreadable?: string } {
  const unreadable = nested.find((one) => one.unreadable !== undefined)?.unreadable;
  return unreadable === undefined ? {} : { unreadable };
}

function readDeepWrappers(command: SimpleCommand): NestedRuns {
  return { commands: everyStart(command), scripts: [], unreadable: 'too many wrappers' };
}

/** Beyond the reading limits, every word may start a command. */
export function everyStart({ words }: SimpleCommand): SimpleCommand[] {
  const seen = new Set<string>();
  return words.flatMap((word, index) => {
    if (seen.has(word.text)) return [];
    seen.add(word.text);
    return [innerCommand(words.slice(index, index + maximumDeepWords))];
  });
}

/** Joins the words of eval, watch or trap into the text they run. */
function joinedScript(words: readonly ShellWord[]): ShellWord[] {
  const first = words.findIndex((word, index) => index > 0 && !(literalOf(word) ?? '').startsWith('-'));
  if (first === -1) return [];
  const pieces = words
    .slice(first)
    .flatMap((word, index) =>
      index === 0 ? word.pieces : [{ kind: 'text', value: ' ' } as const, ...word.pieces],
    );
  return [{ text: '', pieces, plain: false }];
}

function readShell(words: readonly ShellWord[], redirects: readonly RedirectNode[]): NestedRuns {
  const at = words.findIndex(
    (word, index) => index > 0 && /^-[ABD-Zabd-z]*c[A-Za-z]*$/.test(literalOf(word) ?? ''),
  );
  const options = words.slice(1, at === -1 ? undefined : at);
  const isFile =
    options.some((word) => !/^[-+]/.test(word.text)) &&
    !options.some((word) => /^[-+]o$|^[-+]O$|^--(rc|init-)file$/.test(word.text));
  if (at !== -1 && !isFile) return readShellText(words, at);
  return readInput(redirects);
}

/** `. /dev/stdin` and `at` run their input. */
function readsScript(name: string, words: readonly ShellWord[]): boolean {
  if (name === 'at' || name === 'batch') return true;
  const isStandardInput = words.some((word) =>
    /^\/(?:dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)$/.test(literalOf(word) ?? ''),
  );
  return (name === '.' || name === 'source') && isStandardInput;
}

/** `xargs` with its input in the same script. */
function readFedWrapper(command: SimpleCommand, reading: Reading): NestedRuns {
  const unfed = { ...reading, redirects: [] };
  const own = readKnown(command, unfed);
  const fed = reading.redirects.flatMap(inputWords);
  if (fed.length === 0) return own;
  const inner = readKnown({ ...command, words: [...command.words, ...fed] }, unfed);
  return { ...own, reaches: [...(own.reaches ?? []), ...inner.commands] };
}

function readInput(redirects: readonly RedirectNode[]): NestedRuns {
  const input = redirects.flatMap(inputText);
  const scripts = input.filter((text) => text !== undefined);
  return {
    commands: [],
    scripts,
    ...(input.includes(undefined) ? { unreadable: openScript, reaches: unknownInput(redirects) } : {}),
  };
}

/** The shell runs the expanded here-string as a command. */
function unknownInput(redirects: readonly RedirectNode[]): SimpleCommand[] {
  return redirects
    .flatMap((one) => (one.type === 'HereString' && one.target !== undefined ? wordsFrom(one.target) : []))
    .map((word) => innerCommand([word]));
}

function readShellText(words: readonly ShellWord[], at: number): NestedRuns {
  const script = words.slice(at + 1).find((word) => !/^[-+]/.test(literalOf(word) ?? ''));
  if (script === undefined) return nothing;
  const text = literalOf(script);
  return text === undefined ? { ...nothing, unreadable: openScript } : { ...nothing, scripts: [text] };
}

/** The words of a here-document or here-string. */
export function inputWords(redirect: RedirectNode): ShellWord[] {
  if (redirect.type === 'HereString' && redirect.target !== undefined)
    return wordsFrom(redirect.target).flatMap(splitWord);
  return redirect.type === 'HereDoc' ? splitWord(wordOf(redirect.body.text ?? '')) : [];
}

/** The words a program would find if it split the word's text. */
export function splitWord(word: ShellWord): ShellWord[] {
  const text = literalOf(word);
  if (text === undefined) return [word];
  return text
    .split(/\s+|\\[n0]/)
    .filter((one) => one !== '')
    .map(wordOf);
}

/** The literal text of a here-document or here-string. */
export function inputText(redirect: RedirectNode): (string | undefined)[] {
  if (redirect.type === 'HereDoc') return [redirect.body.text];
  if (redirect.type !== 'HereString' || redirect.target === undefined) return [];
  return wordsFrom(redirect.target).map(literalOf);
}

/** The same with unknown parts marked. */
export function givenText(redirect: RedirectNode): string[] {
  if (redirect.type === 'HereDoc') return [redirect.body.text];
  if (redirect.type !== 'HereString' || redirect.target === undefined) return [];
  return wordsFrom(redirect.target).map(markedText);
}

function readActions(words: readonly ShellWord[], reading: Reading): NestedRuns {
  const ends = words.flatMap((word, index) => ([';', '+'].includes(literalOf(word) ?? '') ? [index] : []));
  const nested = words.flatMap((word, index) => {
    if (!execActions.has(literalOf(word) ?? '') || !reading.budget.takeWords(1)) return [];
    return [
      readInner(
        innerCommand(
          words.slice(
            index + 1,
            ends.find((end) => end > index),
          ),
        ),
        reading,
      ),
    ];
  });
  return {
    commands: nested.flatMap((one) => one.commands),
    scripts: nested.flatMap((one) => one.scripts),
    ...unreadableAmong(nested),
  };
}

function innerCommand(words: readonly ShellWord[]): SimpleCommand {
  return { words, assignments: [], redirections: [], expandsInput: false, runs: [] };
}

function withRuns(command: SimpleCommand, nested: NestedRuns): SimpleCommand[] {
  if (command.words.length === 0) return [];
  const { commands: runs, stripped, reaches } = nested;
  return [
    {
      ...command,
      runs,
      ...(stripped === undefined ? {} : { stripped }),
      ...(reaches === undefined ? {} : { reaches }),
    },
  ];
}

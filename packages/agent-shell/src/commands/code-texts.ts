import { readOnlyCommands } from '../read-only/read-only-commands.ts';
import { isHarmlessVariable } from '../word/harmless-variables.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import {
  literalOf,
  markedText,
  type ShellWord,
  unknownText,
  type Variables,
  valuesOf,
} from '../word/shell-word.ts';
import {
  codeOption,
  isCodeVariable,
  isMessageOption,
  isMessageVariable,
  isPatternOption,
  isRunningOption,
  knownTextUse,
  plainRemotes,
  remoteActions,
  takesNames,
} from './code-programs.ts';
import { assemblesCommand, computesProgram, runsPatternSpace } from './computed-programs.ts';
import { isGivenName } from './executed-texts.ts';
import { executingOptionsOf, hasExecutingOptions } from './executing-options.ts';
import { executingSedWords } from './executing-sed.ts';
import { interpretsInput } from './fed-input.ts';
import { hasKnownOperands } from './file-operands.ts';
import { baseName } from './nested-runs.ts';
import { isRunner } from './runners.ts';
import { mayStartPrograms } from './starting-code.ts';
import { shells, wrappers } from './wrappers.ts';

/**
 * Text that a program may run. `code` is run, or tells the program what to run; `option` is the value of an argument
 * that makes a program run something; `text` may be anything.
 */
export interface CodeText {
  readonly text: string;
  readonly kind: 'code' | 'option' | 'text';
  /** The program or variable that receives the text. */
  readonly by: string;
  /** True for code that is not completely known before it runs. */
  readonly isOpen?: true;
}

const awkNames: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'nawk', 'original-awk', 'goawk']);
const editors: ReadonlySet<string> = new Set(['ex', 'gvim', 'nvim', 'vi', 'view', 'vim', 'vimdiff']);
const sedNames: ReadonlySet<string> = new Set(['sed', 'gsed']);
const assigners: ReadonlySet<string> = new Set([
  'declare',
  'doas',
  'env',
  'export',
  'local',
  'readonly',
  'sudo',
  'systemd-run',
  'typeset',
]);
/** Common commands that run nothing. */
const silent: ReadonlySet<string> = new Set([':', 'cd', 'echo', 'false', 'pwd', 'sleep', 'true']);
/** Awk syntax that can start a program: a call, a pipe, or code from elsewhere. */
const runningAwk = /system|\||@|getline/;
/** Matches more than a name, a number or a path. */
const isProse = /[\s;|&`$(){}"'<>\\]/;
const codeValue = /^(?:-[A-Za-z0-9]*[ceEr]|--?(?:eval|print|command|execute)|eval)$/;
const awkFile = /^-[A-Za-z]*[fEi]|^--(?:exec|file|include)/;
const isEscape = /[\s;|&`$(){}"'<>\\=!+:%]/;
const assignment = /^([^-=][^=]*?)\+?=(.*)$/s;

/** All texts among a command's arguments, variables and input that may be run. */
export function codeTexts(
  command: SimpleCommand,
  { variables, input }: { readonly variables: Variables; readonly input: readonly string[] },
): CodeText[] {
  const name = baseName(command.words[0]) ?? '';
  if (command.assignments.length === 0 && silent.has(name)) return [];
  const given = command.words.slice(1).map(markedText);
  const isStarting = knownTextUse(name) === undefined || mayStartPrograms(name, [...given, ...input]);
  const kind = input.length === 0 || !isStarting ? undefined : inputKind(command);
  const all: WordText[] = [
    ...assignedTexts(command, name),
    ...(isStarting ? argumentTexts(command, name) : []),
    ...(kind === undefined ? [] : input.map((text) => ({ text, kind, by: name }))),
  ];
  return all.flatMap(({ word, ...code }) =>
    (word === undefined || literalOf(word) !== undefined ? [code.text] : valuesOf(word, variables)).map(
      (text) => withDoubt({ ...code, text }),
    ),
  );
}

/** Code of an interpreter, marked if not all that it runs can be read. */
function withDoubt(code: CodeText): CodeText {
  if (code.isOpen && code.kind === 'code' && !code.text.includes(unknownText)) {
    const { isOpen: _, ...known } = code;
    return withDoubt(known);
  }
  return code.kind === 'code' && isComputed(code) ? { ...code, isOpen: true } : code;
}

function isComputed({ by, text }: CodeText): boolean {
  if (editors.has(by)) return assemblesCommand(text);
  return (awkNames.has(by) || knownTextUse(by) === 'interpreter') && computesProgram(text);
}

/** A text and the word that contains it. */
interface WordText extends CodeText {
  readonly word?: ShellWord;
}

/** How a command treats its input as code. */
function inputKind(command: SimpleCommand): CodeText['kind'] | undefined {
  const name = baseName(command.words[0]);
  if (name === undefined || shells.has(name) || Object.hasOwn(wrappers, name)) return undefined;
  const use = knownTextUse(name);
  if (use === 'interpreter' || use === 'escape') return 'code';
  if (sedNames.has(name)) return executingSedWords(command.words.slice(1)).length > 0 ? 'option' : undefined;
  if (awkNames.has(name))
    return command.words.some(({ text }) => runningAwk.test(text) || awkFile.test(text)) ? 'code' : undefined;
  if (executingOptionsOf(command).length > 0) return 'option';
  return use !== 'data' && interpretsInput(command, 'text') ? 'text' : undefined;
}

/** Values of variables that programs run. */
export function variableTexts(assigned: ReadonlyMap<string, readonly string[]>): CodeText[] {
  return [...assigned].flatMap(([name, values]) =>
    isCodeVariable(name) ? values.map((text): CodeText => ({ text, kind: 'code', by: name })) : [],
  );
}

function assignedTexts({ words, assignments }: SimpleCommand, name: string): CodeText[] {
  const before = words.length === 0 ? [] : assignments.map((one) => ({ name: one.name, word: one.value }));
  const given = assigners.has(name)
    ? words.slice(1).flatMap((word) => {
        const [, key, text] = assignment.exec(markedText(word)) ?? [];
        return key === undefined ? [] : [{ name: key, text }];
      })
    : [];
  const values = [
    ...before.map((one) => ({ name: one.name, text: one.word === undefined ? '' : markedText(one.word) })),
    ...given,
  ];
  return values.flatMap(({ name: by, text = '' }): CodeText[] => {
    if (isCodeVariable(by)) return [{ text, kind: 'code', by }];
    return isHarmlessVariable(by, text) || isMessageVariable(by) || !isProse.test(text)
      ? []
      : [{ text, kind: 'text', by }];
  });
}

function argumentTexts(command: SimpleCommand, name: string): WordText[] {
  const given = command.words.slice(1);
  if (name === '' || given.length === 0) return [];
  const as = (kind: CodeText['kind'], words: readonly ShellWord[]) =>
    words.map((word): WordText => ({ text: markedText(word), kind, by: name, word }));
  if (sedNames.has(name)) return sedTexts(given, name);
  if (awkNames.has(name)) return given.some((word) => runningAwk.test(word.text)) ? as('code', given) : [];
  if (shells.has(name)) return [];
  const use = knownTextUse(name);
  // The module of `python3 -m` is judged as a separate program.
  if (/^(?:python|pypy)/.test(name) && given.find(({ text }) => codeOption.test(text))?.text === '-m')
    return [];
  if (use === 'interpreter') return hasCode(given) ? codeWords(given, name) : as('text', prose(given, name));
  const executing = as('option', executingWords(command));
  if (use === 'escape')
    return [
      ...executing,
      ...as(
        'code',
        given.filter((word) => isEscape.test(markedText(word))),
      ),
    ];
  if (use === 'remote') return [...executing, ...as('text', remoteWords(name, given))];
  if (use === 'data' || Object.hasOwn(wrappers, name) || isFileProgram(name)) return executing;
  // The argument of a runner is judged as a separate program.
  if (isRunner(command.words)) return executing;
  const started = hasExecutingOptions(name) || takesNames(name) ? [] : startedWords(given);
  return [
    ...executing,
    ...as('option', runningValues(given, name)),
    ...as('text', [...prose(given, name), ...started]),
  ];
}

function sedTexts(given: readonly ShellWord[], by: string): WordText[] {
  if (executingSedWords(given).length === 0) return [];
  return given.map((word) => ({
    text: markedText(word),
    kind: 'option',
    by,
    ...(runsPatternSpace(markedText(word)) ? { isOpen: true } : {}),
  }));
}

/** The words at which an unknown program may take a command: its first operand, and after `--`. */
function startedWords(given: readonly ShellWord[]): ShellWord[] {
  const first = given.findIndex((word) => !word.text.startsWith('-'));
  const end = given.findIndex((word) => word.text === '--');
  return given.filter((_, index) => index === first || (end !== -1 && index === end + 1));
}

function isFileProgram(name: string): boolean {
  return hasKnownOperands(name) || Object.hasOwn(readOnlyCommands, name);
}

/** True if an interpreter gets code in addition to files, or only options. */
function hasCode(given: readonly ShellWord[]): boolean {
  return (
    given.some(({ text }) => codeOption.test(text) || text === 'eval') ||
    given.every(({ text }) => /^-/.test(text))
  );
}

/** All words of an interpreter: the code, and possible arguments of the code. */
function codeWords(given: readonly ShellWord[], by: string): WordText[] {
  return given.map((word, index) => {
    const isCode = codeValue.test(given[index - 1]?.text ?? '') || codeOption.test(word.text);
    return { text: markedText(word), kind: 'code', by, word, ...(isCode ? { isOpen: true } : {}) };
  });
}

/** Words that are more than names and are not messages. */
function prose(given: readonly ShellWord[], name: string): ShellWord[] {
  return given.filter(
    (word, index) =>
      isProse.test(markedText(word)) &&
      ![word.text, given[index - 1]?.text ?? ''].some(
        (text) => isMessageOption(text) || isPatternOption(name, text),
      ),
  );
}

/** Values of options whose names suggest that they are run. */
function runningValues(given: readonly ShellWord[], name: string): ShellWord[] {
  return given.flatMap((word, index) => {
    if (!isRunningOption(word.text) || isPatternOption(name, word.text)) return [];
    const next = given[index + 1];
    return word.text.includes('=') || next === undefined ? [word] : [next];
  });
}

/** The arguments by which a program runs another one, with their values. */
function executingWords(command: SimpleCommand): ShellWord[] {
  const options = new Set(executingOptionsOf(command));
  if (options.size === 0) return [];
  const given = command.words.slice(1);
  const name = baseName(command.words[0]) ?? '';
  // Settings are judged by their key, because most are names and messages.
  if (name === 'git') options.delete('config');
  // After `go run .` come arguments of the built program.
  const first =
    name === 'go'
      ? -1
      : given.findIndex((word) => options.has(literalOf(word) ?? word.text) && !word.text.startsWith('-'));
  return given.filter(
    (word, index) =>
      !isGivenName(name, given[index - 1]?.text ?? '') &&
      ((first !== -1 && index >= first) ||
        options.has(literalOf(word) ?? word.text) ||
        options.has(given[index - 1]?.text ?? '')),
  );
}

/** The command for a container or another machine. */
function remoteWords(name: string, given: readonly ShellWord[]): readonly ShellWord[] {
  if (plainRemotes.has(name)) return given;
  const at = given.findIndex((word) => remoteActions.has(literalOf(word) ?? ''));
  return at === -1 ? [] : given.slice(at + 1);
}

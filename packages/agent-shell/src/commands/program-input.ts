import type { Assignment, Command, Word } from 'unbash';
import type { SimpleCommand } from '../word/shell-script.ts';
import { literalOf, type ShellWord, unknownText, wordsFrom } from '../word/shell-word.ts';
import { codeOption, knownTextUse } from './code-programs.ts';
import { baseName } from './nested-runs.ts';
import { interpreters, shells } from './wrappers.ts';

const asksOnly = /^-(?:[hvV]|-help|-version)$/;
const inputFile = /^(?:-|\/dev\/stdin|\/(?:dev|proc\/[^/]+)\/fd\/\d+)$/;

/** True if a command is or runs a shell that takes its script from input, a substitution or words not in the line. */
export function takesUnseenScript(command: SimpleCommand): boolean {
  return takesInput(command) || command.runs.some(takesUnseenScript);
}

function takesInput({ words }: SimpleCommand): boolean {
  const name = baseName(words[0]) ?? '';
  const given = words.slice(1);
  const isSource = name === '.' || name === 'source';
  if (name === 'parallel') return takesCommands(given);
  if (!isSource && !shells.has(name)) return false;
  if (given.some((word) => /^[<>]\(/.test(word.text) || inputFile.test(literalOf(word) ?? ''))) return true;
  if (isSource) return false;
  if (given.some(({ text }) => /^-[A-Za-z]+$/.test(text) && text.includes('s'))) return true;
  const first = given.find((word) => !/^[-+]/.test(word.text));
  const hasText = given.some((word) => /^-[A-Za-z]*c|^--(?:help|version)$/.test(word.text));
  return first === undefined ? !hasText : first.text === unknownText;
}

/** True if `parallel` has no command, so that each line of its input is one. */
function takesCommands(given: readonly ShellWord[]): boolean {
  const first = given.find(
    ({ text }, index) =>
      !/^-|^\d+$/.test(text) && !/^(?:-[aCdEIjLnNPsS]|--[a-z-]+)$/.test(given[index - 1]?.text ?? ''),
  );
  return first === undefined || /^(?:\{|::::|\uE001)/.test(first.text);
}

/** True if a command is or runs an interpreter that takes its program from its input. */
export function takesUnseenProgram(command: SimpleCommand): boolean {
  return takesProgram(command) || command.runs.some(takesUnseenProgram);
}

function takesProgram({ words }: SimpleCommand): boolean {
  if (knownTextUse(baseName(words[0]) ?? '') !== 'interpreter') return false;
  return words
    .slice(1)
    .every(
      ({ text }) =>
        inputFile.test(text) || (/^-/.test(text) && !codeOption.test(text) && !asksOnly.test(text)),
    );
}

/** True if everything a command prints is in the line. */
export function printsKnownText(command: Command): boolean {
  if (echoedText(command) === undefined) return false;
  return command.args.every(
    (one) => one.type === 'Word' && wordsFrom(one).every((word) => literalOf(word) !== undefined),
  );
}

/** True if a command runs the files it names as scripts. */
export function runsFiles(command: Command): boolean {
  const name = command.name?.value.split('/').pop() ?? '';
  return name === '.' || name === 'source' || shells.has(name);
}

/** True if a command runs its input as a program. */
export function readsProgram(command: Command): boolean {
  const name = command.name?.value.split('/').pop() ?? '';
  if (name === 'at' || name === 'batch') return true;
  if (name === '.' || name === 'source') return command.args.some(({ text }) => text.startsWith('/dev/'));
  if (!shells.has(name) && !interpreters.has(name)) return false;
  const operands = command.args.filter(
    (argument) => argument.type !== 'Word' || !argument.value.startsWith('-'),
  );
  return (
    operands.length === 0 || command.args.some((argument) => argument.text === '-' || argument.text === '-s')
  );
}

/** The exact output of a command, if known. */
export function echoedText(command: Command): string | undefined {
  const input = command.redirects.find((redirect) => redirect.type === 'HereDoc');
  if (command.name?.value === 'cat' && input !== undefined) return input.body.text;
  if (!['echo', 'printf'].includes(command.name?.value ?? '')) return undefined;
  const words = command.args.map((argument) => (argument.type === 'Word' ? argument.value : argument.text));
  return words
    .filter((word) => !/^-[neE]+$/.test(word))
    .join(' ')
    .replaceAll('\\n', '\n');
}

/** The texts that `sh <(echo …)` runs. */
export function substitutedTexts(argument: Word | Assignment): string[] {
  if (argument.type !== 'Word') return [];
  return (argument.parts ?? []).flatMap((part) => {
    const inner = part.type === 'ProcessSubstitution' ? part.script?.commands[0]?.command : undefined;
    return (inner?.type === 'Command' ? echoedText(inner) : undefined) ?? [];
  });
}

import { excludedBy } from '../path/excluded-by.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { literalOf, type ShellWord, unknownText, wordOf } from '../word/shell-word.ts';
import { passesCheck } from './read-only-checks.ts';
import { readOnlyCommands, versionPrinters } from './read-only-commands.ts';
import { readOnlyGit } from './read-only-git.ts';
import { readArguments, wordText } from './read-only-options.ts';
import type { ReadOnlySpec } from './read-only-spec.ts';

/** A command that may do more than read. */
export interface NotReadOnly {
  readonly ok: false;
  readonly why: string;
  /** True if the only reason is that the command is not listed. */
  readonly isUnlisted?: true;
}

/** Whether a command only reads, and which files. */
export type ReadOnly = { readonly ok: true; readonly files: readonly ShellWord[] } | NotReadOnly;

/** Commands with more or longer words are not judged. */
const maximumWords = 1_000;
const longestText = 20_000;

/** Judges a command by the table of read-only commands. */
export function readOnly(command: SimpleCommand): ReadOnly {
  const [first, ...words] = command.words;
  const name = first?.plain ? literalOf(first) : undefined;
  if (name === undefined) return no('it is not a built-in read-only command');
  if (command.assignments.length > 0) return no('it sets variables for the command');
  if (command.expandsInput) return no('its input is expanded by the shell');
  if (words.length > maximumWords || words.some((word) => word.text.length > longestText))
    return no('it is too long to be judged');
  if (asksForVersion(name, words)) return { ok: true, files: [] };
  if (name === 'git') return readOnlyGitCommand(words);
  const spec = Object.hasOwn(readOnlyCommands, name) ? readOnlyCommands[name] : undefined;
  if (spec === undefined) return { ...no(`${name} is not a built-in read-only command`), isUnlisted: true };
  return applySpec(name, spec, words);
}

function asksForVersion(name: string, words: readonly ShellWord[]): boolean {
  const [option, another] = words;
  if (option === undefined || another !== undefined || literalOf(option) !== '--version') return false;
  return versionPrinters.has(name) || Object.hasOwn(readOnlyCommands, name);
}

function readOnlyGitCommand(words: readonly ShellWord[]): ReadOnly {
  const at = words.findIndex((word) => word.text !== '--no-pager' && word.text !== '-P');
  const [subcommand = '', action = ''] = words.slice(Math.max(at, 0)).map((word) => word.text);
  const name = Object.hasOwn(readOnlyGit, `${subcommand} ${action}`) ? `${subcommand} ${action}` : subcommand;
  const spec = Object.hasOwn(readOnlyGit, name) ? readOnlyGit[name] : undefined;
  if (spec === undefined)
    return { ...no(`git ${subcommand} is not a built-in read-only command`), isUnlisted: true };
  const judged = applySpec(`git ${name}`, spec, words.slice(at + name.split(' ').length));
  return judged.ok ? { ok: true, files: judged.files.flatMap(pathsOfRevision) } : judged;
}

/** `HEAD:../x` has a path after a revision; files excluded by a pathspec are not read. */
function pathsOfRevision(word: ShellWord): ShellWord[] {
  const text = literalOf(word);
  if (excludedBy(text) !== undefined) return [];
  const colon = text?.indexOf(':') ?? -1;
  return text === undefined || colon === -1
    ? [word]
    : [word, { ...wordOf(text.slice(colon + 1)), plain: false }];
}

function applySpec(name: string, spec: ReadOnlySpec, words: readonly ShellWord[]): ReadOnly {
  const unknown = words.find((word) => !isKnown(word, spec));
  if (unknown !== undefined)
    return no(`${unknown.text === unknownText ? 'an argument' : unknown.text} is only known when it runs`);
  const given = readArguments(words, spec);
  if (!given.ok && spec.reading !== undefined && !words.some(({ text }) => spec.reading?.includes(text)))
    return { ...no(`${name} is not a built-in read-only command`), isUnlisted: true };
  if (!given.ok) return no(`${name} ${given.word} is not known to only read`);
  const { options, operands } = given;
  const has = (names: readonly string[]): boolean => options.some((option) => names.includes(option.name));
  if (mayHaveMore(operands, spec) || (operands.length > 0 && spec.operandsNeed && !has(spec.operandsNeed)))
    return no(`${name} may write with these operands`);
  if (spec.check !== undefined && spec.operands === 'pattern' && operands[0] && !isFixed(operands[0]))
    return no(`${operands[0].text} is only known when it runs`);
  if (spec.check !== undefined && !passesCheck(spec.check, { options, operands: operands.map(wordText) }))
    return { ...no(`${name} may do more than read here`), isUnlisted: true };
  const isPatternGiven = spec.patternOptions !== undefined && has(spec.patternOptions);
  const files = [...given.files, ...filesAmong(operands, spec, { isPatternGiven })];
  return { ok: true, files: files.filter((word) => word.text !== '-') };
}

function filesAmong(
  operands: readonly ShellWord[],
  spec: ReadOnlySpec,
  { isPatternGiven }: { isPatternGiven: boolean },
): readonly ShellWord[] {
  if (spec.operands === 'files') return operands;
  if (spec.operands === 'archive') return operands.slice(1, 2);
  if (spec.operands === 'pattern' && operands[0] !== undefined && isFixed(operands[0]))
    return isPatternGiven ? operands : operands.slice(1);
  if (spec.operands === 'pattern') return operands;
  // A glob lists its directory, whatever the command does with the names.
  return operands.filter((word) => word.pieces.some((piece) => piece.kind === 'glob'));
}

/** A glob may match any number of operands. */
function mayHaveMore(operands: readonly ShellWord[], spec: ReadOnlySpec): boolean {
  const maximum = spec.operands === 'none' ? 0 : spec.maximumOperands;
  if (maximum === undefined) return false;
  return operands.length > maximum || operands.some((word) => !isFixed(word));
}

/** Text, home and globs; only variables with a known meaning. */
function isKnown(word: ShellWord, spec: ReadOnlySpec): boolean {
  return word.pieces.every((piece) => {
    if (piece.kind === 'text' || piece.kind === 'home') return true;
    const isFree = spec.operands === 'free' || spec.operands === 'archive';
    if (piece.kind === 'glob') return spec.check === undefined || !isFree;
    if (piece.kind !== 'variable' || spec.operands !== 'free' || spec.check === 'test') return false;
    return piece.text === '$?' || piece.text === '$PWD';
  });
}

function isFixed(word: ShellWord): boolean {
  return literalOf(word) !== undefined;
}

function no(why: string): NotReadOnly {
  return { ok: false, why };
}

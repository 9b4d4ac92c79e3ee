import { passesCheck } from './read-only-checks.ts';
import { type ReadOnlySpec, readOnlyCommands } from './read-only-commands.ts';
import { readOnlyGit, readOnlyGitActions } from './read-only-git.ts';
import type { SimpleCommand } from './shell-script.ts';
import { literalOf, type ShellWord, wordOf } from './shell-word.ts';

/** Whether a command only reads, and which files. */
export type ReadOnly =
  | { readonly ok: true; readonly files: readonly ShellWord[] }
  | { readonly ok: false; readonly why: string };

/** Judges a command by the table of read-only commands. */
export function readOnly(command: SimpleCommand): ReadOnly {
  const [first] = command.words;
  const name = first?.plain ? literalOf(first) : undefined;
  if (name === undefined) return no('it is not a built-in read-only command');
  if (command.assignments.length > 0) return no('it sets variables for the command');
  if (command.expandsInput) return no('its input is expanded by the shell');
  if (name === 'git') return readOnlyGitCommand(command.words.slice(1));
  const spec = Object.hasOwn(readOnlyCommands, name) ? readOnlyCommands[name] : undefined;
  if (spec === undefined) return no(`${name} is not a built-in read-only command`);
  return applySpec(name, spec, command.words.slice(1));
}

function readOnlyGitCommand(words: readonly ShellWord[]): ReadOnly {
  const at = words.findIndex((word) => word.text !== '--no-pager' && word.text !== '-P');
  const subcommand = words[at]?.text ?? '';
  const rest = words.slice(at + 1);
  const actions = Object.hasOwn(readOnlyGitActions, subcommand) ? readOnlyGitActions[subcommand] : undefined;
  if (actions !== undefined) {
    const isListed = isReadingAction(actions, rest) || (rest.length === 0 && subcommand !== 'stash');
    return isListed ? { ok: true, files: [] } : no(`git ${subcommand} may change the repository here`);
  }
  const spec = Object.hasOwn(readOnlyGit, subcommand) ? readOnlyGit[subcommand] : undefined;
  if (spec === undefined) return no(`git ${subcommand} is not a built-in read-only command`);
  return applySpec(`git ${subcommand}`, spec, rest);
}

function isReadingAction(actions: Readonly<Record<string, number>>, words: readonly ShellWord[]): boolean {
  const [action, ...operands] = words;
  if (action === undefined || !action.plain || !Object.hasOwn(actions, action.text)) return false;
  return (
    operands.length <= (actions[action.text] ?? 0) &&
    operands.every((word) => word.plain && !word.text.startsWith('-'))
  );
}

function applySpec(name: string, spec: ReadOnlySpec, words: readonly ShellWord[]): ReadOnly {
  const unknown = words.find((word) => !isKnown(word, spec));
  if (unknown !== undefined) return no(`${unknown.text || 'an argument'} is only known when it runs`);
  const operands: ShellWord[] = [];
  const files: ShellWord[] = [];
  let optionsEnded = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? wordOf('');
    const text = shownText(word);
    if (optionsEnded || !isOptionText(text)) {
      operands.push(word);
      continue;
    }
    if (text === '--') {
      optionsEnded = true;
      continue;
    }
    const kind = classifyOption(text, spec);
    if (kind === 'refused') return no(`${name} ${text} is not known to only read`);
    if (kind === 'valued') at += 1;
    files.push(...fileInOption(text, spec));
  }
  return finish(name, spec, { words, operands, files });
}

function finish(
  name: string,
  spec: ReadOnlySpec,
  found: { words: readonly ShellWord[]; operands: ShellWord[]; files: ShellWord[] },
): ReadOnly {
  const { operands, files } = found;
  const maximum = spec.operands === 'none' ? 0 : (spec.maximumOperands ?? Number.POSITIVE_INFINITY);
  if (operands.length > maximum) return no(`${name} may write with these operands`);
  const judged = spec.check === 'test' ? found.words : operands;
  if (spec.check !== undefined && !passesCheck(spec.check, judged.map(shownText)))
    return no(`${name} may do more than read here`);
  if (spec.operands === 'files') files.push(...operands);
  if (spec.operands === 'pattern') files.push(...operands.slice(givesPattern(found.words, spec) ? 0 : 1));
  return { ok: true, files: files.filter((word) => word.text !== '-') };
}

/** `grep -e x file` has no operand that is a pattern; whatever may be such an option counts as one. */
function givesPattern(words: readonly ShellWord[], { patternOptions }: ReadOnlySpec): boolean {
  if (patternOptions === undefined) return false;
  const { letter, long } = patternOptions;
  return words.some((word) => {
    const text = shownText(word);
    if (text.startsWith('--')) {
      const name = text.split('=', 1)[0] ?? text;
      return name.length > 2 && long.some((option) => option.startsWith(name));
    }
    return letter !== undefined && text.startsWith('-') && text.includes(letter);
  });
}

/** Text, home and, where no option can do harm, globs; `$?` is only a number. */
function isKnown(word: ShellWord, spec: ReadOnlySpec): boolean {
  return word.pieces.every((piece) => {
    if (piece.kind === 'text' || piece.kind === 'home') return true;
    if (piece.kind === 'glob') return spec.options === 'any';
    return piece.kind === 'variable' && piece.text === '$?' && spec.operands === 'text';
  });
}

function shownText(word: ShellWord): string {
  return literalOf(word) ?? word.text;
}

function isOptionText(text: string): boolean {
  return (text.startsWith('-') && text.length > 1) || /^\+[^%]/.test(text);
}

function classifyOption(text: string, spec: ReadOnlySpec): 'flag' | 'refused' | 'valued' {
  if (spec.valued?.includes(text)) return 'valued';
  if (spec.options === 'any') return isRefused(text, spec) ? 'refused' : 'flag';
  if (spec.options.includes(text)) return 'flag';
  const equals = text.indexOf('=');
  if (equals !== -1 && spec.options.includes(text.slice(0, equals + 1))) return 'flag';
  if (equals !== -1 && spec.valued?.includes(text.slice(0, equals))) return 'flag';
  if (text.startsWith('--')) return 'refused';
  if (/^-\d+$/.test(text)) return 'flag';
  const isAttached = (spec.valued ?? []).some((option) => option.length === 2 && text.startsWith(option));
  if (isAttached) return 'flag';
  const letters = spec.letters ?? '';
  return text.startsWith('-') && [...text.slice(1)].every((letter) => letters.includes(letter))
    ? 'flag'
    : 'refused';
}

function isRefused(text: string, { refused }: ReadOnlySpec): boolean {
  // The names of the files to read come from elsewhere.
  if (text.startsWith('--files0')) return true;
  if (refused === undefined) return false;
  const name = text.split('=', 1)[0] ?? text;
  if (name.startsWith('--')) return name.length > 3 && refused.long.startsWith(name);
  return name.includes(refused.letter);
}

/** `--files0-from=/etc/x` and `-f/etc/x` open a file as well. */
function fileInOption(text: string, spec: ReadOnlySpec): ShellWord[] {
  if (spec.options !== 'any' || spec.operands === 'text') return [];
  const value = text.startsWith('--') ? text.slice(text.indexOf('=') + 1 || text.length) : text.slice(2);
  return value.includes('/') ? [{ ...wordOf(value), plain: false }] : [];
}

function no(why: string): ReadOnly {
  return { ok: false, why };
}

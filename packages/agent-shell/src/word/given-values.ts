import { builtinAssignments } from './assigning-builtins.ts';
import type { SimpleCommand } from './shell-script.ts';
import { literalOf, type ShellWord, unknownText } from './shell-word.ts';

const readers: ReadonlySet<string> = new Set(['mapfile', 'read', 'readarray']);
const maximumValues = 8;

/**
 * Values that a command assigns to variables without an assignment. They are only possible, so each variable may also
 * be unknown.
 */
export function givenValues(
  command: SimpleCommand,
  { functions, input }: { functions: ReadonlySet<string>; input: readonly ShellWord[] },
): Map<string, string[]> {
  const [first, ...rest] = command.words;
  const name = first === undefined ? undefined : literalOf(first);
  if (name === undefined) return new Map();
  if (name === 'set') return positionalValues(rest.slice(rest.findIndex((word) => word.text === '--') + 1));
  if (functions.has(name)) return positionalValues(rest);
  const { assigned, operands } = builtinAssignments(command);
  const names = assigned.map((each) => each.name);
  if (readers.has(name)) return namedValues(names, textsOf(input));
  return name === 'printf' || name === 'getopts' ? namedValues(names, textsOf(operands)) : new Map();
}

/** `$1`, `$2` and so on, with `$@` and `$*` for all of them. */
function positionalValues(words: readonly ShellWord[]): Map<string, string[]> {
  const texts = textsOf(words);
  if (texts.length === 0) return new Map();
  const names = ['@', '*', ...texts.map((_, index) => String(index + 1))];
  return namedValues(names, texts);
}

function namedValues(names: readonly string[], texts: readonly string[]): Map<string, string[]> {
  if (texts.length === 0) return new Map();
  const values = [...[texts.join(' '), ...texts].slice(0, maximumValues), unknownText];
  return new Map(names.map((name) => [name, values]));
}

function textsOf(words: readonly ShellWord[]): string[] {
  return words.map((word) => literalOf(word) ?? unknownText);
}

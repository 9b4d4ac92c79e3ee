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
  if (readers.has(name)) return namedValues(namesAmong(rest), textsOf(input));
  if (name === 'printf') return printedValues(rest);
  if (name === 'set') return positionalValues(rest.slice(rest.findIndex((word) => word.text === '--') + 1));
  return functions.has(name) ? positionalValues(rest) : new Map();
}

function printedValues(rest: readonly ShellWord[]): Map<string, string[]> {
  const [option, target, ...others] = textsOf(rest);
  if (option === '-v') return namedValues([target ?? ''], others);
  return option?.startsWith('-v') ? namedValues([option.slice(2)], textsOf(rest.slice(1))) : new Map();
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

function namesAmong(words: readonly ShellWord[]): string[] {
  return ['REPLY', 'MAPFILE', ...textsOf(words).filter((text) => /^[A-Za-z_]\w*$/.test(text))];
}

function textsOf(words: readonly ShellWord[]): string[] {
  return words.map((word) => literalOf(word) ?? unknownText);
}

import { AgentError, nearest } from '@robota-sdk/agent-core';
import type { CommandOption } from './command-row.ts';

/** The words behind a command, read. */
export interface ReadOptions {
  /** Words that are no option, in order. */
  readonly words: readonly string[];
  has(name: string): boolean;
  /** The last value given. */
  value(name: string): string | undefined;
  values(name: string): readonly string[];
}

interface ReadingRules {
  /** True if a command of the user follows these words, whose options are its own. */
  readonly endsAfter?: (words: readonly string[]) => boolean;
  /** True if a word behind the value of an option is one more of its values. */
  readonly takesMore?: (option: CommandOption, word: string) => boolean;
  /** A single dash begins a word, such as a negative number. */
  readonly isLongOnly?: boolean;
  /** Follows the message about an unknown option. */
  readonly advice?: string;
}

/** Reads the options of a command, which stand anywhere among its words; behind `--` everything is a word. */
export function readOptions(
  given: readonly string[],
  known: readonly CommandOption[],
  rules: ReadingRules = {},
): ReadOptions {
  const { words, found, rest } = read(given, known, rules);
  return result([...words, ...(rest[0] === '--' ? rest.slice(1) : rest)], found);
}

/**
 * Reads a command with options before it, or after it if it is a single word or quoted. Between or after
 * several words, and after `--`, options belong to the command; so do unknown options after a single word.
 */
export function readCommand(given: readonly string[], known: readonly CommandOption[]): ReadOptions {
  const endsAfter = (words: readonly string[]) => words.length > 0;
  const { words, found, rest } = read(given, known, { endsAfter });
  const [command] = words;
  if (command === undefined) return result(rest.slice(1), found);
  const [, name] = /^--([^=]+)/.exec(rest[0] ?? '') ?? [];
  const isOurs = name !== undefined && (/\s/.test(command) || known.some((option) => option.name === name));
  if (!isOurs) return result([command, ...rest], found);
  const before = given.slice(0, given.length - rest.length - 1);
  const both = read([...before, ...rest], known, { endsAfter });
  const hasMore = both.words.length + both.rest.length > 0;
  return hasMore ? result([command, ...rest], found) : result([command], both.found);
}

type Found = ReadonlyMap<string, readonly string[]>;

function read(
  given: readonly string[],
  known: readonly CommandOption[],
  { endsAfter = () => false, takesMore = () => false, isLongOnly = false, advice }: ReadingRules,
) {
  const words: string[] = [];
  const found = new Map<string, readonly string[]>();
  let at = 0;
  while (at < given.length && given[at] !== '--' && !endsAfter(words)) {
    const word = given[at++] ?? '';
    const [, dashes, written = '', inline] = /^(--?)([A-Za-z][^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (dashes === undefined || (isLongOnly && dashes === '-')) {
      words.push(word);
      continue;
    }
    const option = known.find(({ name, short }) => name === written || short === written);
    if (!option) throw unknownOption(dashes + written, known, advice);
    const { name, value: takesValue } = option;
    if (takesValue === undefined && inline !== undefined)
      throw new AgentError('usage', `--${name} takes no value.`);
    const value = takesValue === undefined ? '' : (inline ?? given[at++]);
    if (value === undefined) throw new AgentError('usage', `--${name} needs a value.`);
    const values = [...(found.get(name) ?? []), value];
    while (takesMore(option, given[at] ?? '')) values.push(given[at++] ?? '');
    found.set(name, values);
  }
  return { words, found, rest: given.slice(at) };
}

function result(words: readonly string[], found: Found): ReadOptions {
  return {
    words,
    has: (name) => found.has(name),
    value: (name) => found.get(name)?.at(-1),
    values: (name) => found.get(name) ?? [],
  };
}

function unknownOption(written: string, known: readonly CommandOption[], advice: string | undefined) {
  const names = [...known.map(({ name }) => name), 'help'];
  const [near] = nearest(written.replace(/^--?/, ''), names);
  const hint = near === undefined ? undefined : `Did you mean --${near}?`;
  const said = [hint, advice ?? (hint === undefined ? 'See --help.' : '')].filter(Boolean);
  return new AgentError('usage', [`Unknown option ${written}.`, ...said].join(' '));
}

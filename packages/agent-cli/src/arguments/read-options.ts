import { AgentError, nearest } from '@robota-sdk/agent-sdk/front-end';
import { findShellRow } from './shell-rows.ts';

/** The options a subcommand knows, without their dashes. */
export interface KnownOptions {
  /** With a value; may be repeated. */
  readonly valued: readonly string[];
  readonly flags: readonly string[];
}

/** The options that a command or one of its subcommands takes, from the command table. */
export function optionsOf(command: string, subcommand?: string): KnownOptions {
  const options = (findShellRow(command)?.options ?? []).filter(
    ({ of }) => of === undefined || subcommand === undefined || of.includes(subcommand),
  );
  return {
    valued: options.filter(({ value }) => value !== undefined).map(({ name }) => name),
    flags: options.filter(({ value }) => value === undefined).map(({ name }) => name),
  };
}

/** The words of a subcommand, read. */
export interface ReadOptions {
  readonly words: readonly string[];
  has(name: string): boolean;
  value(name: string): string | undefined;
  values(name: string): readonly string[];
}

/** Reads options up to the first other word; the rest may be a command with options. */
export function readOptions(given: readonly string[], known: KnownOptions): ReadOptions {
  const found = new Map<string, string[]>();
  let at = 0;
  for (; at < given.length; at++) {
    const word = given[at] ?? '';
    if (!word.startsWith('-') || word === '-') break;
    if (word === '--') {
      at++;
      break;
    }
    const [, name = '', inline] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const value = readValue(name, { known, inline, next: given[at + 1] });
    if (value.takesNext) at++;
    found.set(name, [...(found.get(name) ?? []), value.text]);
  }
  return {
    words: given.slice(at),
    has: (name) => found.has(name),
    value: (name) => found.get(name)?.at(-1),
    values: (name) => found.get(name) ?? [],
  };
}

/** Reads options wherever they stand among the words; behind `--` everything is a word. */
export function readMixed(given: readonly string[], known: KnownOptions): ReadOptions {
  const end = given.indexOf('--');
  const options: string[] = [];
  const words: string[] = [];
  let rest = end < 0 ? given : given.slice(0, end);
  while (rest.length > 0) {
    const { words: left } = readOptions(rest, known);
    options.push(...rest.slice(0, rest.length - left.length));
    words.push(...left.slice(0, 1));
    rest = left.slice(1);
  }
  return { ...readOptions(options, known), words: [...words, ...(end < 0 ? [] : given.slice(end + 1))] };
}

/**
 * Reads a command with options before it, or after it if it is a single word or quoted. Between or after
 * several words, and after `--`, options belong to the command; so do unknown options after a single word.
 */
export function readCommand(given: readonly string[], known: KnownOptions): ReadOptions {
  const before = readOptions(given, known);
  const [command, ...rest] = before.words;
  const leading = given.slice(0, given.length - before.words.length);
  if (command === undefined || leading.at(-1) === '--') return before;
  if (!isOurs(rest[0], { known, isQuoted: /\s/.test(command) })) return before;
  const both = readOptions([...leading, ...rest], known);
  return both.words.length > 0 ? before : { ...both, words: [command] };
}

function isOurs(
  word: string | undefined,
  { known, isQuoted }: { known: KnownOptions; isQuoted: boolean },
): boolean {
  const [, name] = /^--([^=]+)/.exec(word ?? '') ?? [];
  return name !== undefined && (isQuoted || known.flags.includes(name) || known.valued.includes(name));
}

/** Fails where there are words that mean nothing. */
export function refuseWords({ words }: ReadOptions, command: string): void {
  const [word] = words;
  if (word !== undefined) throw new AgentError('usage', `${command} takes no "${word}". See --help.`);
}

function readValue(
  name: string,
  { known, inline, next }: { known: KnownOptions; inline: string | undefined; next: string | undefined },
): { text: string; takesNext: boolean } {
  if (known.flags.includes(name)) {
    if (inline === undefined) return { text: '', takesNext: false };
    throw new AgentError('usage', `--${name} takes no value.`);
  }
  if (!known.valued.includes(name)) {
    const [near] = nearest(name, [...known.flags, ...known.valued]);
    throw new AgentError(
      'usage',
      `Unknown option --${name}. ${near === undefined ? 'See --help.' : `Did you mean --${near}?`}`,
    );
  }
  if (inline !== undefined) return { text: inline, takesNext: false };
  if (next === undefined) throw new AgentError('usage', `--${name} needs a value.`);
  return { text: next, takesNext: true };
}

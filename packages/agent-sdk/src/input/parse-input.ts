import { existsSync } from 'node:fs';
import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** The parsed input of a user; `C` describes a command. */
export type ParsedInput<C = unknown> =
  | { readonly kind: 'nothing' }
  /** `command` is undefined if no command has that name. */
  | {
      readonly kind: 'command';
      readonly name: string;
      readonly args: string;
      readonly command: C | undefined;
    }
  /** A shell command; the model sees its output unless it `isPrivate`. */
  | { readonly kind: 'shell'; readonly command: string; readonly isPrivate: boolean }
  | { readonly kind: 'prompt'; readonly text: string };

/** Parts of a text that were pasted, in UTF-16 units. */
export type PastedSpans = readonly { readonly start: number; readonly end: number }[];

/**
 * Parses an input: `/name args` is a command, `!command` or `@!command` a shell command, `!!command` one that the model
 * does not see, everything else a prompt. A path is not a command unless one has that name; a text that starts with a
 * pasted part is a prompt.
 */
export function parseInput<C>(
  text: string,
  find: (name: string) => C | undefined,
  pasted: PastedSpans = [],
): ParsedInput<C> {
  const input = text.trim();
  if (input === '') return { kind: 'nothing' };
  const first = text.search(/\S/);
  if (pasted.some(({ start, end }) => start <= first && first < end)) return { kind: 'prompt', text: input };
  const [, mark, shell = ''] = /^(!!|@!|!)([\s\S]*)$/.exec(input) ?? [];
  if (mark !== undefined) return { kind: 'shell', command: shell.trim(), isPrivate: mark === '!!' };
  const [, name, args = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(input) ?? [];
  if (name === undefined) return { kind: 'prompt', text: input };
  const command = find(name);
  if (command === undefined && isPath(name, args)) return { kind: 'prompt', text: input };
  return { kind: 'command', name, args, command };
}

/** Parses an input with the commands of a session and of the terminal UI. */
export function readInput(
  session: Pick<InteractiveSession, 'commands' | 'findCommand'>,
  text: string,
  pasted?: PastedSpans,
): ParsedInput<Command<InteractiveSession>> {
  return parseInput(text, (name) => session.findCommand(name) ?? session.commands.get(name), pasted);
}

/**
 * True if a text is a command or a shell command by its beginning, for a front end that has no session at
 * hand.
 */
export function isCommandText(text: string): boolean {
  const { kind } = parseInput(text, () => undefined);
  return kind === 'command' || kind === 'shell';
}

/** `/usr/bin/x is broken` mentions a file, and so does `/tmp is full` if there is such a directory. */
function isPath(name: string, words: string): boolean {
  return name.includes('/') || (words !== '' && existsSync(`/${name}`));
}

import { existsSync } from 'node:fs';

/** What a line means that a person sends. */
export type Input =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'command'; readonly name: string; readonly args: string }
  /** A shell command; what it prints is told to the model unless it `isPrivate`. */
  | { readonly kind: 'shell'; readonly command: string; readonly isPrivate: boolean }
  | { readonly kind: 'prompt'; readonly text: string };

/**
 * Tells what an input means: `/name args` is a command, `!command` or `@!command` one for the shell, `!!command` one of
 * which the model is not told, everything else a prompt. A path is no command, unless there is one of that name.
 */
export function parseInput(text: string, isCommand: (name: string) => boolean): Input {
  const input = text.trim();
  if (input === '') return { kind: 'nothing' };
  const [, mark, command = ''] = /^(!!|@!|!)([\s\S]*)$/.exec(input) ?? [];
  if (mark !== undefined) return { kind: 'shell', command: command.trim(), isPrivate: mark === '!!' };
  const [, name, args = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(input) ?? [];
  if (name === undefined || (!isCommand(name) && isPath(name, args))) return { kind: 'prompt', text: input };
  return { kind: 'command', name, args };
}

/** `/usr/bin/x is broken` speaks of a file, and so does `/tmp is full` where there is such a directory. */
function isPath(name: string, words: string): boolean {
  return name.includes('/') || (words !== '' && existsSync(`/${name}`));
}

import {
  abortSignal,
  type Command,
  callback,
  checkArguments,
  having,
  type Subcommand,
  silentInterface,
  text,
} from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { parseInput } from './parse-input.ts';

/** Completes a line that is a command: its name or its arguments. Returns whole lines. */
export async function completeCommand(
  session: InteractiveSession,
  line: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly string[]> {
  checkArguments('completeCommand', {
    session: [session, having({ findCommand: callback, listCommands: callback })],
    line: [line, text],
    signal: [signal, abortSignal],
  });
  const input = parseInput(line, (name) => session.findCommand(name));
  if (input.kind !== 'command') return [];
  const { name, command } = input;
  const behind = line.trimStart().slice(name.length + 1);
  if (behind === '') return namesLike(session, name).map((each) => `/${each}`);
  if (!command) return [];
  const typed = behind.trimStart();
  const context = { session, ui: silentInterface, signal };
  const words = [...subcommandsLike(command, typed), ...((await command.complete?.(typed, context)) ?? [])];
  return [...new Set(words)].filter((word) => !losesText(word, typed)).map((word) => `/${name} ${word}`);
}

/** True if a suggestion only repeats the start of the typed text. */
function losesText(word: string, typed: string): boolean {
  return word.length < typed.length && typed.startsWith(word.trimEnd());
}

/** Commands by name; an alias only if it matches the typed text and the name does not. */
function namesLike(session: InteractiveSession, typed: string): readonly string[] {
  return session.listCommands().flatMap(({ name, aliases = [] }) => {
    if (name.startsWith(typed)) return [name];
    return typed === '' ? [] : aliases.filter((alias) => alias.startsWith(typed)).slice(0, 1);
  });
}

/** Possible next words, each with the previous ones. */
function subcommandsLike({ subcommands = [] }: Pick<Command, 'subcommands'>, typed: string): string[] {
  const words = typed.split(/\s+/);
  const last = words.pop() ?? '';
  let level: readonly Subcommand[] = subcommands;
  for (const word of words) level = level.find(({ name }) => name === word)?.subcommands ?? [];
  return level.filter(({ name }) => name.startsWith(last)).map(({ name }) => [...words, name].join(' '));
}

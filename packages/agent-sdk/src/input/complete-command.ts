import { type Command, type Subcommand, silentInterface } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** What a line that begins with a slash may become, as whole lines. */
export async function completeCommand(
  session: InteractiveSession,
  line: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly string[]> {
  const [, name, args] = /^\/(\S*)(?:\s+([\s\S]*))?$/.exec(line) ?? [];
  if (name === undefined) return [];
  if (args === undefined) return namesLike(session, name).map((each) => `/${each}`);
  const command = session.findCommand(name);
  if (!command) return [];
  const context = { session, ui: silentInterface, signal };
  const words = await (command.complete?.(args, context) ?? subcommandsLike(command, args));
  return words.filter((word) => !losesText(word, args)).map((word) => `/${name} ${word}`);
}

/** Whether a suggestion only repeats the beginning of what was typed. */
function losesText(word: string, typed: string): boolean {
  return word.length < typed.length && typed.startsWith(word.trimEnd());
}

/** Commands by name; another name of one only where it was begun to be typed and its own does not fit. */
function namesLike(session: InteractiveSession, typed: string): readonly string[] {
  return session.listCommands().flatMap(({ name, aliases = [] }) => {
    if (name.startsWith(typed)) return [name];
    return typed === '' ? [] : aliases.filter((alias) => alias.startsWith(typed)).slice(0, 1);
  });
}

/** The words that may follow, each with those before it. */
function subcommandsLike({ subcommands = [] }: Pick<Command, 'subcommands'>, typed: string): string[] {
  const words = typed.split(/\s+/);
  const last = words.pop() ?? '';
  let level: readonly Subcommand[] = subcommands;
  for (const word of words) level = level.find(({ name }) => name === word)?.subcommands ?? [];
  return level.filter(({ name }) => name.startsWith(last)).map(({ name }) => [...words, name].join(' '));
}

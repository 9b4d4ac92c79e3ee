import { silentInterface } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../interactive-session.ts';

/** What a line that begins with a slash may become, as whole lines. */
export async function completeCommand(session: InteractiveSession, line: string): Promise<readonly string[]> {
  const [, name, args] = /^\/(\S*)(?:\s+([\s\S]*))?$/.exec(line) ?? [];
  if (name === undefined) return [];
  const commands = session.listCommands();
  if (args === undefined)
    return commands.map((each) => `/${each.name}`).filter((each) => each.startsWith(line));
  const command = commands.find((each) => each.name === name || each.aliases?.includes(name));
  const context = { session, ui: silentInterface, signal: new AbortController().signal };
  const words = await command?.complete?.(args, context);
  return (words ?? []).map((word) => `/${name} ${word}`);
}

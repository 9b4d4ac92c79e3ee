import { basename } from 'node:path';
import {
  type Command,
  findCommandRow,
  type InteractiveSession,
  pluralize,
  sessionInventory,
} from '@robota-sdk/agent-sdk/front-end';
import { shellCommands } from './shell-commands.ts';

/** Lists the loaded files of a session: instruction files by name, the rest by number. */
export function loadedFiles(session: InteractiveSession): {
  readonly names: readonly string[];
  readonly untrusted: number;
} {
  const { skills, mcpServers } = sessionInventory(session);
  const { instructions = [] } = session.surroundings;
  const isOwn = (name: string) => !findCommandRow(name) && !skills.includes(name.replace(/^skill:/, ''));
  const isLoaded = (command: Command<InteractiveSession>) =>
    isOwn(command.name) && session.commands.sourceOf(command) !== shellCommands.name;
  const commands = session.listCommands().filter(isLoaded).length;
  const used = mcpServers.filter(({ status }) => status !== 'disabled').length;
  const counts = [
    [skills.length, 'skill'],
    [commands, 'command'],
    [used, 'MCP server'],
  ] as const;
  return {
    names: [
      ...new Set(instructions.map(({ path }) => basename(path))),
      ...counts.flatMap(([count, noun]) => (count === 0 ? [] : [pluralize(count, noun)])),
    ],
    untrusted: session.live?.config.trust?.withheld.length ?? 0,
  };
}

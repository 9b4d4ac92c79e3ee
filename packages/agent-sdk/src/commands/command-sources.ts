import { isOn } from '@robota-sdk/agent-config';
import {
  type CommandContext,
  type CommandOutcome,
  callback,
  checkArguments,
  type Extension,
  having,
  nonEmptyText,
} from '@robota-sdk/agent-core';
import { expandTemplate, withArguments } from '@robota-sdk/agent-resources';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** The action of a command or subcommand. */
interface CommandBody {
  readonly name: string;
  readonly description: string;
  /** The prompt to send, for a command that does nothing else. */
  readonly skillContent?: string;
  /** Words that may follow the name; one that can be run replaces this command. */
  readonly subcommands?: readonly Subcommand[];
  /** Runs the command; it may return a `CommandOutcome`, or undefined if there is nothing to do. */
  execute?(args: string, context: CommandContext<InteractiveSession>): unknown;
}

/** A subcommand; its source is that of its command. */
interface Subcommand extends CommandBody {
  readonly source?: string;
}

/** A command as lists and menus show it. */
export interface ISlashCommand extends CommandBody {
  /** Its origin: `built-in`, a folder or a plugin. */
  readonly source: string;
}

/** A source of commands. */
export interface ICommandSource {
  readonly name: string;
  getCommands(): readonly ISlashCommand[];
}

/** The commands of a session by their sources, each source in the order in which it was added. */
export function commandSources(session: InteractiveSession): readonly ICommandSource[] {
  const groups = new Map<string, ISlashCommand[]>();
  for (const { value, source } of session.commands.list()) {
    if (!isOn(value, 'prompt')) continue;
    const { name, description, subcommands } = value;
    const listed: ISlashCommand = {
      name,
      description,
      source,
      ...(subcommands === undefined ? {} : { subcommands }),
      execute: (args, context) => value.run(args, context),
    };
    const group = groups.get(source);
    if (group) group.push(listed);
    else groups.set(source, [listed]);
  }
  return [...groups].map(([name, commands]) => ({ name, getCommands: () => commands }));
}

/** Turns a source into an extension, for programs with their own commands. */
export function commandSourceExtension(source: ICommandSource): Extension<InteractiveSession> {
  checkArguments('commandSourceExtension', {
    source: [source, having({ name: nonEmptyText, getCommands: callback })],
  });
  return {
    name: source.name,
    setup: (host) => {
      for (const command of source.getCommands()) {
        const { name, description, subcommands } = command;
        host.command({
          name,
          description,
          ...(subcommands === undefined ? {} : { subcommands }),
          run: (args, context) => runCommand(command, args, context),
        });
      }
    },
  };
}

/** Runs the subcommand that the arguments start with, otherwise the command itself. */
async function runCommand(
  command: CommandBody,
  args: string,
  context: CommandContext<InteractiveSession>,
): Promise<CommandOutcome> {
  const [word = ''] = args.trimStart().split(/\s/, 1);
  const next = command.subcommands?.find(({ name }) => name === word);
  if (next && canRun(next)) return runCommand(next, args.trimStart().slice(word.length).trimStart(), context);
  if (command.execute) return ((await command.execute(args, context)) as CommandOutcome | undefined) ?? done;
  const expanded = await expandTemplate(command.skillContent ?? '', { arguments: args });
  return { kind: 'prompt', text: withArguments(expanded, args) };
}

const done: CommandOutcome = { kind: 'done' };

function canRun({ execute, skillContent, subcommands = [] }: CommandBody): boolean {
  return execute !== undefined || skillContent !== undefined || subcommands.some(canRun);
}

import type { CommandContext, CommandOutcome, Extension, Subcommand } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../interactive-session.ts';
import { expandTemplate, withArguments } from '../resources/expand-template.ts';

/** A command as lists and menus show it. */
export interface ISlashCommand {
  readonly name: string;
  readonly description: string;
  /** Where it comes from: `built-in`, a folder, a plugin. */
  readonly source: string;
  /** What is said to the model when it is used, for a command that does nothing else. */
  readonly skillContent?: string;
  readonly subcommands?: readonly Subcommand[];
  execute?(args: string, context: CommandContext<InteractiveSession>): Promise<CommandOutcome>;
}

/** A place that commands come from. */
export interface ICommandSource {
  readonly name: string;
  getCommands(): readonly ISlashCommand[];
}

/** The commands of a session by their sources, each source in the order in which it was added. */
export function commandSources(session: InteractiveSession): readonly ICommandSource[] {
  const groups = new Map<string, ISlashCommand[]>();
  for (const { value, source } of session.commands.list()) {
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

/** Makes an extension of a source, for programs that have commands of their own. */
export function commandSourceExtension(source: ICommandSource): Extension<InteractiveSession> {
  return {
    name: source.name,
    setup: (host) => {
      for (const { name, description, subcommands, skillContent, execute } of source.getCommands())
        host.command({
          name,
          description,
          ...(subcommands === undefined ? {} : { subcommands }),
          run: async (args, context) => {
            if (execute) return execute(args, context);
            const expanded = await expandTemplate(skillContent ?? '', { arguments: args });
            return { kind: 'prompt', text: withArguments(expanded, args) };
          },
        });
    },
  };
}

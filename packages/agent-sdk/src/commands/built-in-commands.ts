import { argumentHintOf, type CommandRow, subcommandsOn } from '@robota-sdk/agent-config';
import type { Command, Extension } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { commandTopics, terminalRows } from './command-table.ts';

/** The implementations of some commands, by name. */
export type CommandActions = Readonly<
  Record<string, Pick<Command<InteractiveSession>, 'run'> & Partial<Command<InteractiveSession>>>
>;

/** Loads the implementations of each topic of the command table. */
export const topicLoaders: {
  readonly [Topic in keyof typeof commandTopics]: () => Promise<CommandActions>;
} = {
  project: async () => (await import('./project-commands.ts')).projectCommands,
  session: async () => (await import('./session-commands.ts')).sessionCommands,
  model: async () => (await import('./model-commands.ts')).modelCommands,
  context: async () => (await import('./context-commands.ts')).contextCommands,
  tree: async () => (await import('./tree-commands.ts')).treeCommands,
  review: async () => (await import('./review-commands.ts')).reviewCommands,
  config: async () => (await import('./config-commands.ts')).configCommands,
  agents: async () => (await import('./agent-commands.ts')).agentCommands,
};

/** The commands of the product as an extension; an implementation is loaded when its command runs or completes. */
export const builtInCommands: Extension<InteractiveSession> = {
  name: 'built-in',
  setup: (host) => {
    for (const topic of Object.keys(topicLoaders) as (keyof typeof topicLoaders)[])
      for (const row of commandTopics[topic]) host.command(lazyCommand(row, topicLoaders[topic]));
    for (const row of terminalRows) host.command({ ...row, run: async () => onlyInTerminal });
  },
};

const onlyInTerminal = { kind: 'error', text: 'This command needs the terminal UI.' } as const;

function lazyCommand(row: CommandRow, load: () => Promise<CommandActions>): Command<InteractiveSession> {
  const argumentHint = argumentHintOf(row);
  const command: Command<InteractiveSession> = {
    ...row,
    ...(argumentHint === undefined ? {} : { argumentHint }),
    ...(row.subcommands ? { subcommands: subcommandsOn(row, 'prompt') } : {}),
    run: async (args, context) => {
      const action = (await load())[row.name];
      return action
        ? action.run(args, context)
        : { kind: 'error', text: `/${row.name} has no implementation.` };
    },
  };
  if (!row.completes) return command;
  return {
    ...command,
    complete: async (prefix, context) => (await load())[row.name]?.complete?.(prefix, context) ?? [],
  };
}

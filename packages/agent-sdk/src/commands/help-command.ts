import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { commandSources } from './command-sources.ts';

export const helpCommand: Command<InteractiveSession> = {
  name: 'help',
  description: 'List the commands',
  argumentHint: '[COMMAND]',
  complete: async (prefix, { session }) =>
    session
      .listCommands()
      .map(({ name }) => name)
      .filter((name) => name.startsWith(prefix)),
  run: async (args, { session }) => {
    const name = args.replace(/^\//, '');
    if (name === '') return { kind: 'notice', text: overview(session) };
    const command = session.findCommand(name);
    if (command && session.listCommands().includes(command))
      return { kind: 'notice', text: details(command) };
    const [near] = session.nearCommands(name);
    const hint = near === undefined ? ' /help lists them.' : ` Did you mean /${near}?`;
    return { kind: 'error', text: `There is no command /${name}.${hint}` };
  },
};

const inputHint =
  'Beside commands: !COMMAND runs it in the shell, @PATH gives a file to the model, @agent:NAME selects an agent.';

function overview(session: InteractiveSession): string {
  const syntax = new Map(session.listCommands().map((command) => [command.name, syntaxOf(command)]));
  const width = Math.min(40, Math.max(...[...syntax.values()].map((text) => text.length)));
  const groups = commandSources(session).map((source) => {
    const lines = source
      .getCommands()
      .map(({ name, description }) => `${(syntax.get(name) ?? name).padEnd(width)}  ${description}`);
    return source.name === 'built-in' ? lines.join('\n') : [`From ${source.name}:`, ...lines].join('\n');
  });
  const clashes = session.commands
    .clashes()
    .map(({ name, kept, hidden }) => `/${name} is that of ${kept}; ${hidden.join(', ')} has one, too.`);
  return [...groups, ...(clashes.length > 0 ? [clashes.join('\n')] : []), inputHint].join('\n\n');
}

function syntaxOf({ name, argumentHint }: Command<InteractiveSession>): string {
  return argumentHint === undefined ? `/${name}` : `/${name} ${argumentHint}`;
}

function details(command: Command<InteractiveSession>): string {
  const { description, aliases = [], subcommands = [] } = command;
  return [
    syntaxOf(command),
    description,
    ...(aliases.length > 0 ? [`Also: ${aliases.map((alias) => `/${alias}`).join(', ')}`] : []),
    ...subcommands.map((each) => `  ${each.name}  ${each.description}`),
  ].join('\n');
}

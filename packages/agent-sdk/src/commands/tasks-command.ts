import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';

const actions = ['list', 'read', 'cancel', 'close'];

/** Lists what goes on in the background, agents and commands alike. */
export const tasksCommand: Command<InteractiveSession> = {
  name: 'tasks',
  aliases: ['background'],
  description: 'List background tasks, agents and commands alike; read, cancel or close one',
  argumentHint: '[list | read ID [OFFSET] | cancel ID [REASON] | close ID]',
  complete: async (prefix, { session }) => {
    const [, action] = /^(\S+)\s/.exec(prefix) ?? [];
    const ids = action === undefined ? [] : session.listBackgroundTasks().map(({ id }) => `${action} ${id}`);
    return [...(action === undefined ? actions : []), ...ids].filter((word) => word.startsWith(prefix));
  },
  run: async (args, context) => {
    const { runTasksCommand } = await import('./run-tasks-command.ts');
    return runTasksCommand(args, context);
  },
};

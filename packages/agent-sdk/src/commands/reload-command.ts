import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';

export const reloadCommand: Command<InteractiveSession> = {
  name: 'reload',
  aliases: ['reload-plugins'],
  description: 'Load extensions, skills, commands, agents, plugins and instructions again',
  run: async (_args, { session }) => {
    const report = await session.reload();
    const count = (names: readonly string[], one: string) =>
      `${names.length} ${one}${names.length === 1 ? '' : 's'}`;
    const parts = [
      count(report.tools, 'tool'),
      count(report.commands, 'command'),
      count(report.agents, 'agent'),
      count(report.skills, 'skill'),
      count(report.instructions, 'instruction file'),
    ];
    const text = [`Loaded again: ${parts.join(', ')}.`, ...report.problems].join('\n');
    return { kind: 'notice', text, data: report };
  },
};

import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../interactive-session.ts';

export const helpCommand: Command<InteractiveSession> = {
  name: 'help',
  description: 'List the commands',
  run: async (_args, { session }) => {
    const rows = session.listCommands().map(({ name, argumentHint, description }) => {
      const syntax = argumentHint === undefined ? `/${name}` : `/${name} ${argumentHint}`;
      return [syntax, description] as const;
    });
    const width = Math.max(...rows.map(([syntax]) => syntax.length));
    const text = rows.map(([syntax, description]) => `${syntax.padEnd(width)}  ${description}`).join('\n');
    return { kind: 'notice', text };
  },
};

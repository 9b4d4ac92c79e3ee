import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../interactive-session.ts';

export const clearCommand: Command<InteractiveSession> = {
  name: 'clear',
  description: 'Start over with an empty conversation (the old one stays in the session file)',
  run: async (_args, { session }) => {
    await session.getSession().clear();
    return { kind: 'notice', text: 'The conversation is empty.' };
  },
};

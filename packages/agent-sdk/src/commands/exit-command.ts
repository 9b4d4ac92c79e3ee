import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';

export const exitCommand: Command<InteractiveSession> = {
  name: 'exit',
  aliases: ['quit'],
  description: 'End the session',
  run: async () => ({ kind: 'exit' }),
};

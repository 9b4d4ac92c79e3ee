import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';

export const newCommand: Command<InteractiveSession> = {
  name: 'new',
  description: 'Start another session (this one stays as it is)',
  run: async () => ({ kind: 'switch', to: 'new', notice: '' }),
};

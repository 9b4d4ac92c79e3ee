import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';

export const clearCommand: Command<InteractiveSession> = {
  name: 'clear',
  needsConversation: true,
  description: 'Start over with an empty conversation (the old one stays in this session)',
  run: async (_args, context) => {
    const session = context.session.getSession();
    const left = session.branches.leafId;
    await session.clear();
    const wayBack = left === null ? '' : ` /tree ${left} goes back to where it was.`;
    return { kind: 'notice', text: `The conversation is empty.${wayBack}` };
  },
};

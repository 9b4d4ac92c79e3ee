import type { Command } from '@robota-sdk/agent-core';
import { compactionText } from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../interactive-session.ts';

export const compactCommand: Command<InteractiveSession> = {
  name: 'compact',
  description: 'Replace the older part of the conversation by a summary',
  argumentHint: '[what to dwell on]',
  run: async (args, context) => {
    const session = context.session.getSession();
    const result = await session.compact(args === '' ? undefined : args);
    const text = result.kind === 'unchanged' ? result.notice : compactionText(result, session.model);
    return { kind: 'notice', text };
  },
};

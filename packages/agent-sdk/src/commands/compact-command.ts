import type { Command } from '@robota-sdk/agent-core';
import { compactionText } from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { receiptSummary } from './receipt-text.ts';

export const compactCommand: Command<InteractiveSession> = {
  name: 'compact',
  needsConversation: true,
  description: 'Replace the older part of the conversation by a summary',
  argumentHint: '[what to dwell on]',
  run: async (args, context) => {
    const session = context.session.getSession();
    const result = await session.compact(args === '' ? undefined : args);
    if (result.kind === 'unchanged')
      return { kind: result.hasFailed ? 'error' : 'notice', text: result.notice };
    const { kind, receipt } = result;
    const text = `${compactionText(result, session.model)}\n${receiptSummary(receipt)}`;
    return { kind: 'notice', text, data: { kind, receipt } };
  },
};

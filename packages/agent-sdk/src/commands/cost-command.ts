import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../interactive-session.ts';

export const costCommand: Command<InteractiveSession> = {
  name: 'cost',
  description: 'Show tokens and cost of this session',
  run: async (_args, context) => {
    const session = context.session.getSession();
    const { usage, cost, modelCalls } = session.totals;
    const calls = modelCalls === 1 ? '1 model call' : `${modelCalls} model calls`;
    const lines = [
      `$${cost.toFixed(4)} for ${calls} (${session.model.name})`,
      `${usage.input} tokens in, ${usage.cacheRead} read from cache, ${usage.cacheWrite} written to it, ${usage.output} out`,
    ];
    return { kind: 'notice', text: lines.join('\n'), data: session.totals };
  },
};

import { addUsage, type Command, noUsage, type Usage } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../interactive-session.ts';

export const costCommand: Command<InteractiveSession> = {
  name: 'cost',
  description: 'Show tokens and cost of this session',
  run: async (_args, { session }) => {
    const answers = session.getMessages().filter((message) => message.role === 'assistant');
    const usage = answers.reduce<Usage>((sum, message) => addUsage(sum, message.usage), noUsage);
    const cost = answers.reduce((sum, message) => sum + message.cost, 0);
    const lines = [
      `$${cost.toFixed(4)} for ${answers.length} model calls (${session.getSession().model.name})`,
      `${usage.input} tokens in, ${usage.cacheRead} read from cache, ${usage.cacheWrite} written to it, ${usage.output} out`,
    ];
    return { kind: 'notice', text: lines.join('\n'), data: { usage, cost } };
  },
};

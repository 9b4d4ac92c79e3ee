import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../interactive-session.ts';

export const compactCommand: Command<InteractiveSession> = {
  name: 'compact',
  description: 'Replace the older part of the conversation by a summary',
  argumentHint: '[what to dwell on]',
  run: async (args, { session }) => {
    const result = await session.getSession().compact(args === '' ? undefined : args);
    if (result.kind === 'unchanged') return { kind: 'notice', text: result.notice };
    const { contextWindow } = session.getSession().model;
    const percent = (tokens: number) => Math.min(100, Math.round((tokens / contextWindow) * 100));
    const text = `Context compressed: ${percent(result.tokensBefore)}% → ${percent(result.tokensAfter)}%`;
    return { kind: 'notice', text: result.notice === undefined ? text : `${text}. ${result.notice}` };
  },
};

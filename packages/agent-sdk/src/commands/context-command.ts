import { type Command, windowText } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../interactive-session.ts';

export const contextCommand: Command<InteractiveSession> = {
  name: 'context',
  description: 'Show how full the context window is',
  run: async (_args, { session }) => {
    const state = session.getContextState();
    const { name } = session.getSession().model;
    const used = `${Math.round(state.usedPercentage)}% (${windowText(state.usedTokens)}/${windowText(state.maxTokens)})`;
    const shown = session
      .getMessages()
      .filter((message) => !('origin' in message && message.origin === 'reminder'));
    const text = `${used} of ${name}, ${shown.length} messages`;
    return { kind: 'notice', text, data: state };
  },
};

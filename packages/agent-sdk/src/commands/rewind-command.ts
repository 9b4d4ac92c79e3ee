import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** Goes back to before a prompt: the conversation, the files, or both. */
export const rewindCommand: Command<InteractiveSession> = {
  name: 'rewind',
  needsConversation: true,
  description: 'List prompts with what they changed, or go back to before one; "undo" takes that back',
  argumentHint: '[all | N [conversation|files|both] | undo]',
  complete: async (prefix, { session }) => {
    const { completeRewind } = await import('../rewind/rewind.ts');
    return completeRewind(prefix, session);
  },
  run: async (args, context) => {
    const { rewind } = await import('../rewind/rewind.ts');
    return rewind(args, context);
  },
};

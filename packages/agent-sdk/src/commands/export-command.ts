import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** Writes the conversation to a file for others to read. */
export const exportCommand: Command<InteractiveSession> = {
  name: 'export',
  needsConversation: true,
  description: 'Write the session to a file: .html (a page of its own), .md or .jsonl',
  argumentHint: '[FILE] [--all-branches] [--raw] [--force]',
  run: async (args, context) => {
    const { exportConversation } = await import('../export/export-conversation.ts');
    return exportConversation(args, context);
  },
};

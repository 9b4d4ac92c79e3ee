import type { Command } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** Starts agents beside the conversation, and looks after those that work there. */
export const agentCommand: Command<InteractiveSession> = {
  name: 'agent',
  description: 'Start agents in the background, several side by side, and read, continue or stop them',
  argumentHint: '[AGENT] PROMPT | run | list | parallel | wait | read | send | stop | close | open',
  complete: async (prefix, { session }) => {
    const { completeAgentCommand } = await import('./complete-agent-command.ts');
    return completeAgentCommand(prefix, session);
  },
  run: async (args, context) => {
    const { runAgentCommand } = await import('./run-agent-command.ts');
    return runAgentCommand(args, context);
  },
};

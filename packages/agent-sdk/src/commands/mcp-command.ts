import { AgentError, type Command, type CommandContext, errorMessage } from '@robota-sdk/agent-core';
import { sessionMcp, splitArguments } from '@robota-sdk/agent-resources';
import type { InteractiveSession } from '../session/interactive-session.ts';

const verbs = [
  'list',
  'tools',
  'restart',
  'enable',
  'disable',
  'login',
  'logout',
  'approve',
  'add',
  'remove',
  'get',
];

/** `/mcp`: the servers of the session, and what can be done with them. */
export const mcpCommand: Command<InteractiveSession> = {
  name: 'mcp',
  description: 'MCP servers: their state, their tools and what those cost',
  argumentHint: '[list|tools|restart|enable|disable|login|logout|approve …]',
  complete: async (prefix, { session }) => {
    const [verb = '', name] = prefix.split(/\s+/);
    if (name === undefined) return verbs.filter((each) => each.startsWith(verb));
    if (!verbs.includes(verb) || verb === 'add' || verb === 'list') return [];
    const { current } = session.getSession().state.get(sessionMcp);
    const names = (current?.configured ?? []).map((server) => server.name);
    return names.filter((each) => each.startsWith(name)).map((each) => `${verb} ${each}`);
  },
  run: async (args, context) => {
    try {
      const { runMcpCommand } = await import('./run-mcp-command.ts');
      const answer = await runMcpCommand(splitArguments(args), context);
      const { isOk, data } = answer;
      // What a server says of its failure may have in it what it was told.
      const text = context.session.redact(answer.text);
      return isOk ? { kind: 'notice', text, data } : { kind: 'error', text };
    } catch (thrown) {
      context.signal.throwIfAborted();
      if (!AgentError.is(thrown)) throw thrown;
      return { kind: 'error', text: errorMessage(thrown) };
    }
  },
};

export type McpCommandContext = CommandContext<InteractiveSession>;

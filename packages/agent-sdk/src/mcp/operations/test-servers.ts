import { AgentError } from '@robota-sdk/agent-core';
import { secretHider } from '@robota-sdk/agent-sessions';
import { describeChange } from '../describe-change.ts';
import { SessionMcp } from '../session-mcp.ts';
import { describeStates } from './describe-states.ts';
import { knownServers, namedServer } from './known-servers.ts';
import type { McpAnswer, McpDesk, McpRequest } from './mcp-request.ts';

/** `mcp test [NAME …]`: starts servers and says what they offer, or why they do not work. */
export async function testServers(request: McpRequest, desk: McpDesk): Promise<McpAnswer> {
  const known = await knownServers({ ...desk, session: undefined });
  const wanted = request.words.map((name) => namedServer(name, known));
  const mcpServers = wanted.length > 0 ? wanted : known.servers.filter(({ disabledBy }) => !disabledBy);
  if (mcpServers.length === 0)
    throw new AgentError('config', 'There is no MCP server to test. mcp list shows all.');
  const problems: string[] = [];
  const mcp = new SessionMcp({ ...desk, onProblem: (text) => void problems.push(text) });
  const tested = mcpServers.map(({ disabledBy, ...server }) => server);
  const servers = await mcp.connect({ ...known.config, mcpServers: tested });
  const stop = () => void servers.dispose();
  desk.signal?.addEventListener('abort', stop, { once: true });
  try {
    await servers.start();
    await servers.settled();
    const changes = (mcp.memory?.changed ?? []).map(
      (changed) => `${changed.config.name} says now:\n${describeChange(changed)}`,
    );
    if (request.has('approve')) await approveAll(mcp);
    const states = servers.states();
    // What a server says of its failure may have in it what it was told.
    const hide = secretHider(tested.flatMap(({ secrets = [] }) => secrets));
    const isOk = states.every(({ status }) => status === 'ready');
    return {
      isOk,
      text: hide([describeStates(states), ...changes].join('\n')),
      data: states.map(({ name, status, error, tools, tokens, startMs }) => ({
        name,
        status,
        error: error && hide(error),
        tools: tools.map((tool) => tool.name),
        tokens,
        startMs,
      })),
    };
  } finally {
    desk.signal?.removeEventListener('abort', stop);
    await servers.dispose();
  }
}

async function approveAll({ memory, servers }: SessionMcp): Promise<void> {
  for (const { config } of memory?.changed ?? []) {
    await memory?.agree(config.name);
    await servers?.restart(config.name);
  }
  await servers?.settled();
}

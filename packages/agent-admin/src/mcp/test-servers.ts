import { AgentError, describeProblems, secretHider } from '@robota-sdk/agent-core';
import type { McpServer } from '@robota-sdk/agent-resources';
import { describeChange, SessionMcp } from '@robota-sdk/agent-resources';
import type { McpAnswer, McpRequest, McpRequestServices } from '../request/mcp-request.ts';
import { describeStates } from './describe-states.ts';
import { describeUntrusted, knownServers, namedServer } from './known-servers.ts';

type McpServers = import('@robota-sdk/agent-tool-mcp').McpServers;

/** After this time, report what is being waited for. */
const patienceMs = 3000;

/** `mcp test [NAME …]`: starts servers and says what they offer, or why they do not work. */
export async function testServers(request: McpRequest, desk: McpRequestServices): Promise<McpAnswer> {
  const known = await knownServers({ ...desk, session: undefined });
  const wanted = request.words.map((name) => namedServer(name, known));
  const mcpServers = wanted.length > 0 ? wanted : known.servers.filter(({ disabledBy }) => !disabledBy);
  const leftOut =
    wanted.length > 0 ? [] : [...describeProblems(known.problems), ...known.untrusted.map(describeUntrusted)];
  if (mcpServers.length === 0)
    throw new AgentError(
      'config',
      ['No MCP server to test.', ...leftOut, '{robota}mcp list shows all.'].join('\n'),
    );
  // The states of the servers say the same.
  const mcp = new SessionMcp({ ...desk, onProblem: () => {} });
  const tested = mcpServers.map(({ disabledBy, ...server }) => server);
  const servers = await mcp.connect({ ...known.config, mcpServers: tested });
  const stop = () => void servers.dispose();
  desk.signal?.addEventListener('abort', stop, { once: true });
  const patience = setTimeout(() => {
    const waiting = servers.states().filter(({ status }) => status === 'starting');
    if (waiting.length > 0) void desk.say(`Waiting for ${waiting.map(({ name }) => name).join(', ')} …`);
  }, patienceMs);
  try {
    await servers.start();
    await servers.settled();
    const changes = (mcp.memory?.changed ?? []).map(
      (changed) => `${changed.config.name} says now:\n${describeChange(changed)}`,
    );
    if (request.has('approve')) await approveAll(mcp);
    const notes = [
      ...mcpServers.filter(({ disabledBy }) => disabledBy).map(onlyTested),
      ...changes,
      ...leftOut,
    ];
    return await reportOn(servers, { tested, notes });
  } finally {
    clearTimeout(patience);
    desk.signal?.removeEventListener('abort', stop);
    await servers.dispose();
  }
}

async function reportOn(
  servers: McpServers,
  { tested, notes }: { readonly tested: readonly McpServer[]; readonly notes: readonly string[] },
): Promise<McpAnswer> {
  const states = servers.states();
  // A server's error may repeat its secrets.
  const hide = secretHider(tested.flatMap(({ secrets = [] }) => secrets));
  const described = describeStates(states, {
    advice: ({ name }) => `{robota}mcp test ${name} --approve uses it as it is now`,
    resources: await countResources(servers),
  });
  return {
    isOk: states.every(({ status, withheld }) => status === 'ready' && withheld === undefined),
    isReport: true,
    text: hide([described, ...notes].join('\n')),
    data: states.map(({ name, status, error, protocolVersion, tools, tokens, startMs }) => ({
      name,
      status,
      error: error && hide(error),
      protocolVersion,
      tools: tools.map((tool) => tool.name),
      tokens,
      startMs,
    })),
  };
}

/** A server that does not tell is one that can be used for all else. */
async function countResources(servers: McpServers): Promise<ReadonlyMap<string, number>> {
  const having = servers.states().filter(({ status, hasResources }) => status === 'ready' && hasResources);
  const signal = AbortSignal.timeout(patienceMs);
  const counts = await Promise.all(
    having.map(({ name }) =>
      servers.listResources(name, { signal }).then(
        ({ length }) => [[name, length] as const],
        () => [],
      ),
    ),
  );
  return new Map(counts.flat());
}

function onlyTested({ name, disabledBy }: McpServer): string {
  return `${name} is disabled (${disabledBy}): it was started for this test alone.`;
}

async function approveAll({ memory, servers }: SessionMcp): Promise<void> {
  for (const { config } of memory?.changed ?? []) {
    await memory?.agree(config.name);
    await servers?.restart(config.name);
  }
  await servers?.settled();
}

import { AgentError, type JsonObject, textOf, type UserContent } from '@robota-sdk/agent-core';
import type { McpServerOptions } from '@robota-sdk/agent-resources';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** The servers that were added and removed, and new ones that cannot be used. */
export interface ReplacedServers {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly errors: Readonly<Record<string, string>>;
}

/** Starts an MCP server of a session again. */
export async function restartServer(session: InteractiveSession, name: string): Promise<void> {
  await serversOf(session).restart(name);
}

/** Switches an MCP server on or off, for this session. */
export async function switchServer(
  session: InteractiveSession,
  name: string,
  { isOn }: { readonly isOn: boolean },
): Promise<void> {
  const mcp = session.mcp;
  const { config } = mcp;
  if (!config || !mcp.configured.some((server) => server.name === name)) throw noServer(name);
  const mcpServers = mcp.configured.map((server) => {
    if (server.name !== name) return server;
    const { disabledBy, ...rest } = server;
    return isOn ? rest : { ...rest, disabledBy: disabledBy ?? 'the program' };
  });
  await mcp.apply({ ...config, mcpServers });
  if (isOn) await serversOf(session).restart(name);
}

/**
 * Replaces the MCP servers that a program gave during the session, and those inside of it. Those of files and those it
 * began with stay.
 */
export async function replaceServers(
  session: InteractiveSession,
  servers: Readonly<Record<string, McpServerOptions>>,
): Promise<ReplacedServers> {
  const mcp = session.mcp;
  const before = Object.keys(mcp.given ?? {});
  const staying = Object.entries(mcp.given ?? {}).filter(
    ([name, server]) => server.type !== 'sdk' && !mcp.replaceable.has(name),
  );
  const after = Object.keys(servers);
  await session.getSession().whenIdle();
  mcp.given = { ...Object.fromEntries(staying), ...servers };
  mcp.replaceable = new Set(after);
  const given = mcp.given;
  await session.reload();
  await mcp.servers?.settled();
  const failed = after.flatMap((name) => {
    const state = mcp.servers?.state(name);
    const error = state ? state.error : 'it cannot be used as it is written';
    return error === undefined ? [] : [[name, error] as const];
  });
  return {
    added: after.filter((name) => !before.includes(name)),
    removed: before.filter((name) => !Object.hasOwn(given, name)),
    errors: Object.fromEntries(failed),
  };
}

/** Calls a tool of an MCP server by the name it has for the model; resolves with the text of its answer. */
export async function callServerTool(
  session: InteractiveSession,
  call: { readonly tool: string; readonly arguments: JsonObject },
  signal?: AbortSignal,
): Promise<string> {
  const servers = serversOf(session);
  await servers.settled();
  const [, prefix = '', tool = ''] = /^mcp__(.+?)__(.+)$/s.exec(call.tool) ?? [];
  const server = servers.states().find(({ name }) => name.replaceAll(/[^A-Za-z0-9_-]/g, '_') === prefix);
  if (!server) throw new AgentError('usage', `Unknown MCP tool ${call.tool}. Write it as mcp__SERVER__TOOL.`);
  const { content, isError } = await servers.callTool(
    { server: server.name, tool, arguments: call.arguments },
    signal ? { signal } : {},
  );
  const text = textOf(content);
  if (isError) throw new AgentError('tool', `${call.tool} failed: ${text}`);
  return text;
}

/** Reads a resource of an MCP server. */
export async function readServerResource(
  session: InteractiveSession,
  server: string,
  uri: string,
): Promise<readonly UserContent[]> {
  return serversOf(session).readResource(server, uri);
}

function serversOf(session: InteractiveSession) {
  const { servers } = session.mcp;
  if (servers) return servers;
  throw new AgentError('usage', 'No MCP server is configured in this session.');
}

function noServer(name: string): AgentError {
  return new AgentError('usage', `Unknown MCP server "${name}".`);
}

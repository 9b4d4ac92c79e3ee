import type { EnvVariable, McpServer } from '@agentclientprotocol/sdk';
import type { InteractiveSessionOptions } from '@robota-sdk/agent-sdk';

type Servers = NonNullable<InteractiveSessionOptions['mcpServers']>;

/** The MCP servers that an editor hands on, as a session takes them. */
export function givenServers(servers: readonly McpServer[]): Servers {
  return Object.fromEntries(servers.map((server) => [server.name, serverOf(server)]));
}

function serverOf(server: McpServer): Servers[string] {
  if ('url' in server) return { type: server.type, url: server.url, headers: byName(server.headers) };
  const { command, args, env } = server;
  return { type: 'stdio', command, args, env: byName(env) };
}

function byName(pairs: readonly Pick<EnvVariable, 'name' | 'value'>[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

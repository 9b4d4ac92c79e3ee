import {
  AgentError,
  type InteractiveSession,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type McpServerOptions,
  readServerResource,
  replaceServers,
  restartServer,
  sessionInventory,
  switchServer,
} from '@robota-sdk/agent-sdk/front-end';
import { serverStatus } from '../output/message-events.ts';
import { type ControlHandler, requiredText } from './control-subject.ts';

/** Requests about MCP servers. */
export const mcpRequests: Readonly<Record<string, ControlHandler>> = {
  mcp_status: async ({ session }) => ({ mcpServers: statusOf(session) }),
  mcp_reconnect: async ({ session }, { serverName }) => {
    await restartServer(session, requiredText('mcp_reconnect', 'serverName', serverName));
    return {};
  },
  mcp_toggle: async ({ session }, { serverName, enabled }) => {
    if (typeof enabled !== 'boolean') throw new AgentError('usage', 'mcp_toggle needs "enabled".');
    await switchServer(session, requiredText('mcp_toggle', 'serverName', serverName), { isOn: enabled });
    return {};
  },
  mcp_set_servers: async ({ session }, { servers }) => {
    if (!isJsonObject(servers)) throw new AgentError('usage', 'mcp_set_servers needs "servers".');
    const { added, removed, errors } = await replaceServers(session, serversOf(servers));
    return { added: [...added], removed: [...removed], errors: { ...errors } };
  },
  mcp_message: async ({ servers }, { server_name: name, message }) => {
    const server = requiredText('mcp_message', 'server_name', name);
    if (!isJsonObject(message)) throw new AgentError('usage', 'mcp_message needs a "message".');
    if (!servers.take(server, message))
      throw new AgentError('usage', `No MCP server "${server}" of the program is connected.`);
    return {};
  },
  set_mcp_permission_mode_override: async ({ session }, { serverName, mode }) =>
    askAboutServer(session, requiredText('set_mcp_permission_mode_override', 'serverName', serverName), mode),
  mcp_read_resource: async ({ session }, { serverName, uri }) => {
    const address = requiredText('mcp_read_resource', 'uri', uri);
    const content = await readServerResource(
      session,
      requiredText('mcp_read_resource', 'serverName', serverName),
      address,
    );
    return {
      contents: content.map((block) =>
        block.type === 'text'
          ? { uri: address, text: block.text }
          : { uri: address, mimeType: block.mimeType, blob: block.data },
      ),
    };
  },
};

/** Sessions with the servers whose calls are asked about, and how to stop that. */
const askedServers = new WeakMap<InteractiveSession, Map<string, () => void>>();

/** Asks about the calls of one server where the mode would allow them all; null stops it. It never allows more. */
function askAboutServer(
  session: InteractiveSession,
  server: string,
  mode: JsonValue | undefined,
): JsonObject {
  if (mode !== 'default' && mode !== 'auto' && mode !== null)
    throw new AgentError(
      'usage',
      'set_mcp_permission_mode_override needs "mode": "default", "auto" or null.',
    );
  const asked = askedServers.get(session) ?? new Map<string, () => void>();
  askedServers.set(session, asked);
  asked.get(server)?.();
  asked.delete(server);
  if (mode !== null) {
    const prefix = `mcp__${server.replaceAll(/[^A-Za-z0-9_-]/g, '_')}__`;
    const reason = `the program wants each call of ${server} to be approved`;
    const remove = session.hooks.add(
      'tool-before',
      async ({ call }) =>
        session.permissions.mode === 'bypassPermissions' && call.name.startsWith(prefix)
          ? { verdict: 'ask', reason }
          : undefined,
      'set_mcp_permission_mode_override',
    );
    asked.set(server, remove);
  }
  const isKnown = sessionInventory(session).mcpServers.some(({ name }) => name === server);
  return isKnown ? {} : { warning: `No MCP server is called ${server}; it holds once there is one.` };
}

function statusOf(session: InteractiveSession): JsonObject[] {
  return sessionInventory(session).mcpServers.map(({ name, status, scope, source, state }) => ({
    name,
    status: serverStatus[status],
    scope,
    source,
    ...(state?.serverInfo ? { serverInfo: { ...state.serverInfo } } : {}),
    ...(state?.error === undefined ? {} : { error: session.redact(state.error) }),
    tools: (state?.tools ?? []).map(({ name: tool, description, isReadOnly }) => ({
      name: tool,
      description,
      ...(isReadOnly === undefined ? {} : { annotations: { readOnly: isReadOnly } }),
    })),
  }));
}

/** Definitions that can't be used are told by name once they were tried. */
function serversOf(servers: JsonObject): Readonly<Record<string, McpServerOptions>> {
  const entries = Object.entries(servers).map(([name, server]) => {
    if (!isJsonObject(server)) throw new AgentError('usage', `The MCP server "${name}" must be an object.`);
    return [name, server as McpServerOptions] as const;
  });
  return Object.fromEntries(entries);
}

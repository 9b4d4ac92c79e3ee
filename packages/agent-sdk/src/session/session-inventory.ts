import { keyOrigins } from '@robota-sdk/agent-models';
import type { InteractiveSession } from './interactive-session.ts';

type McpServerState = import('@robota-sdk/agent-tool-mcp').McpServerState;

/** An MCP server of a session. */
interface InventoryServer extends Pick<McpServerState, 'name' | 'status'> {
  /** The scope of its definition. */
  readonly scope: string;
  /** Its file, or another name of its source. */
  readonly source: string;
  /** Its state, once started or remembered. */
  readonly state?: McpServerState;
}

/** Everything a session was put together from, for programs that list it. */
export interface SessionInventory {
  readonly agents: readonly {
    readonly name: string;
    readonly description: string;
    readonly model?: string;
  }[];
  readonly skills: readonly string[];
  readonly plugins: readonly { readonly name: string; readonly path: string; readonly version: string }[];
  readonly mcpServers: readonly InventoryServer[];
  /** The origin of the current model's key, such as the name of a variable; `none` if it needs none. */
  readonly keySource: string;
}

/** Lists the components of a session. */
export function sessionInventory(session: InteractiveSession): SessionInventory {
  const { mcp, model } = session;
  const config = session.live?.config;
  const origin = config && keyOrigins(config).find(({ vendor }) => vendor.id === model.vendor)?.origin;
  return {
    agents: session.listAgentDefinitions().map(({ name, description, model: own }) => ({
      name,
      description,
      ...(own === undefined ? {} : { model: own }),
    })),
    skills: session.skills.map(({ name }) => name),
    plugins: (config?.plugins ?? []).map(({ name, root, version }) => ({ name, path: root, version })),
    mcpServers: mcp.configured.map(
      ({ name, config: { transport }, origin: { scope, source }, disabledBy }) => {
        const known = mcp.servers?.state(name);
        const state = known?.status ?? (disabledBy === undefined ? 'idle' : 'disabled');
        // A server in the program is there as long as the program is.
        const isThere = transport.kind === 'program' && (state === 'idle' || state === 'starting');
        const status = isThere ? 'ready' : state;
        return { name, status, scope, source, ...(known ? { state: known } : {}) };
      },
    ),
    keySource: origin ?? 'none',
  };
}

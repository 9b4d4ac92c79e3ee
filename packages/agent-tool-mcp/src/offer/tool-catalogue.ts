import type { McpServerState, McpTool } from '../contract/mcp-server-state.ts';
import { namePart, toolName } from '../contract/tool-name.ts';
import type { McpServers } from '../servers/mcp-servers.ts';
import { rankTools } from './rank-tools.ts';

/** A tool of a server under the name it is called by. */
export interface OfferedTool {
  readonly server: string;
  readonly name: string;
  readonly tool: McpTool;
}

/** A tool that may be called; `description` is absent while its server has not said yet what it offers. */
export interface CallableTool {
  readonly server: string;
  readonly name: string;
  readonly tool: string;
  readonly description?: McpTool;
}

const offering: readonly McpServerState['status'][] = ['failed', 'idle', 'ready', 'starting'];

/** All tools of all servers as they are now. */
export class ToolCatalogue {
  readonly #servers: McpServers;
  readonly #isOffered: (name: string) => boolean;
  readonly #offered = new WeakMap<readonly McpTool[], readonly OfferedTool[]>();

  constructor(servers: McpServers, isOffered: (name: string) => boolean = () => true) {
    this.#servers = servers;
    this.#isOffered = isOffered;
  }

  /** The servers that have tools to offer, or will when they are ready. */
  servers(): readonly McpServerState[] {
    return this.#servers.states().filter(({ status }) => offering.includes(status));
  }

  tools(): readonly OfferedTool[] {
    return this.servers().flatMap((state) => this.toolsOf(state));
  }

  toolsOf({ name: server, tools }: Pick<McpServerState, 'name' | 'tools'>): readonly OfferedTool[] {
    const kept = this.#offered.get(tools);
    if (kept) return kept;
    const offered = tools
      .map((tool) => ({ server, tool, name: toolName(server, tool.name) }))
      .filter(({ name }) => this.#isOffered(name));
    this.#offered.set(tools, offered);
    return offered;
  }

  /** The tool that a name means; also one of a server that has not yet said what it offers. */
  find(name: string): CallableTool | undefined {
    const known = this.tools().find((offered) => offered.name === name);
    if (known) return { ...known, tool: known.tool.name, description: known.tool };
    if (!this.#isOffered(name)) return undefined;
    const starting = this.servers().find((state) => !this.isKnown(state) && name.startsWith(prefixOf(state)));
    return starting && { server: starting.name, name, tool: name.slice(prefixOf(starting).length) };
  }

  /** The server whose tool a name would be. */
  serverOf(name: string): McpServerState | undefined {
    return this.servers().find((state) => name.startsWith(prefixOf(state)));
  }

  isKnown({ name, status }: McpServerState): boolean {
    return status === 'ready' || this.#servers.isKnown(name);
  }

  /** The tools that are named exactly, else those that match best. */
  search(query: string, limit: number): readonly OfferedTool[] {
    const tools = this.tools();
    const names = query.split(/[\s,]+/).filter((name) => name !== '');
    const exact = tools.filter(({ name, tool }) => names.includes(name) || names.includes(tool.name));
    if (exact.length > 0) return exact.slice(0, limit);
    return rankTools(tools, query).slice(0, limit);
  }
}

function prefixOf({ name }: McpServerState): string {
  return `mcp__${namePart(name)}__`;
}

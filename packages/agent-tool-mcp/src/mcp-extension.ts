import type { Extension } from '@robota-sdk/agent-core';
import type { McpServers } from './mcp-servers.ts';

export interface McpExtensionOptions {
  /** Schemas worth more tokens than this are not put into every request; 2,000 where nothing is said. */
  readonly schemaBudget?: number;
  /** Whether a tool may be offered at all, such as one that no deny rule names. */
  isOffered?(toolName: string): boolean;
}

/** Offers what MCP servers have as tools and commands; starts the servers with `setup` and ends them with `dispose`. */
export function mcpExtension(servers: McpServers, _options: McpExtensionOptions = {}): Extension {
  return {
    name: 'mcp',
    setup: () => servers.start(),
    dispose: () => servers.dispose(),
  };
}

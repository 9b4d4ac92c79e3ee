import type { McpTool } from '../mcp-server-state.ts';
import { toolName } from '../tool-name.ts';

const charactersPerToken = 4;

/** About how many tokens the schemas of tools are worth in a request. */
export function schemaTokens(server: string, tools: readonly McpTool[]): number {
  const characters = tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + toolName(server, name).length + description.length + JSON.stringify(inputSchema).length,
    0,
  );
  return Math.ceil(characters / charactersPerToken);
}

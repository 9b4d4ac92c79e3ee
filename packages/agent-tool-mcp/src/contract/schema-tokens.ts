import type { McpTool } from './mcp-server-state.ts';
import { toolName } from './tool-name.ts';

const charactersPerToken = 4;

const known = new WeakMap<readonly McpTool[], number>();

/** About how many tokens the schemas of a server's tools are worth in a request; counted once for each list. */
export function schemaTokens(server: string, tools: readonly McpTool[]): number {
  const counted = known.get(tools) ?? countTokens(server, tools);
  known.set(tools, counted);
  return counted;
}

function countTokens(server: string, tools: readonly McpTool[]): number {
  const characters = tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + toolName(server, name).length + description.length + JSON.stringify(inputSchema).length,
    0,
  );
  return Math.ceil(characters / charactersPerToken);
}

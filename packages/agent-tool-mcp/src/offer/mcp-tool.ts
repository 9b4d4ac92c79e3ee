import { type JsonObject, jsonSchema, type Tool } from '@robota-sdk/agent-core';
import { namePart } from '../contract/tool-name.ts';
import type { McpServers } from '../servers/mcp-servers.ts';
import type { CallableTool } from './tool-catalogue.ts';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * A server's tool. Its accesses are unknown, so rules and the user decide by its server and name. The title
 * is never used for that: a server could choose the title of another tool.
 */
export function mcpTool(
  servers: McpServers,
  { server, tool, name, description }: CallableTool,
): Tool<Arguments> {
  return {
    name,
    label: `${namePart(tool)} of the MCP server ${server}`,
    description: description?.description ?? `The tool ${tool} of the MCP server ${server}.`,
    // Of a server that has not yet said what it wants, whatever is given goes through: it checks its input itself.
    input: jsonSchema<Arguments>(description?.inputSchema ?? anything),
    ...(description?.isReadOnly ? { repeatable: true } : {}),
    access: async () => {
      await servers.assertOffered({ server, tool });
      return [];
    },
    execute: (input, { signal, progress }) =>
      servers.callTool({ server, tool, arguments: input }, { signal, progress }),
  };
}

const anything: JsonObject = { type: 'object' };

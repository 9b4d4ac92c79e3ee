import { type JsonObject, jsonSchema, type Tool } from '@robota-sdk/agent-core';
import { namePart } from '../contract/tool-name.ts';
import type { McpServers } from '../servers/mcp-servers.ts';
import type { CallableTool } from './tool-catalogue.ts';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * A server's tool as one of ours. What it touches nobody knows, so that rules and the person decide, who see whose it is
 * and its name: a title is the server's own choice of words and could be that of another tool.
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
    access: async () => {
      await servers.assertOffered({ server, tool });
      return [];
    },
    execute: (input, { signal, progress }) =>
      servers.callTool({ server, tool, arguments: input }, { signal, progress }),
  };
}

const anything: JsonObject = { type: 'object' };

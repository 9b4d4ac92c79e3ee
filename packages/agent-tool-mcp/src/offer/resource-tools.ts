import { AgentError, anyTool, jsonSchema, type Tool, textOutput } from '@robota-sdk/agent-core';
import type { McpServers } from '../mcp-servers.ts';
import { toolName } from '../tool-name.ts';

interface ListInput {
  readonly server?: string;
}

interface ReadInput {
  readonly server: string;
  readonly uri: string;
}

/** Lists what servers let be read. */
export function listMcpResources(servers: McpServers): Tool<ListInput> {
  return {
    name: 'ListMcpResources',
    description: 'Lists the resources of one MCP server, or of all.',
    input: jsonSchema<ListInput>({ type: 'object', properties: { server: { type: 'string' } } }),
    access: () => [],
    execute: async ({ server }, { signal }) => {
      const resources = await servers.listResources(server, { signal });
      if (resources.length === 0) return textOutput('There are no resources.');
      const lines = resources.map(({ server: owner, uri, name, description, mimeType, isTemplate }) => {
        const about = [name, mimeType, description].filter(Boolean).join(', ');
        return `${owner} ${uri}${isTemplate ? ' (fill in what is in braces)' : ''}: ${about}`;
      });
      return textOutput(lines.join('\n'));
    },
  };
}

/** Reads a resource; rules and people see it as `mcp__server__read_resource`, so that what holds for a server holds for it. */
export function readMcpResource(servers: McpServers): Tool<ReadInput> {
  const input = jsonSchema<ReadInput>({
    type: 'object',
    properties: { server: { type: 'string' }, uri: { type: 'string' } },
    required: ['server', 'uri'],
  });
  const read = (name: string): Tool<ReadInput> => ({
    name,
    description: 'Reads a resource of an MCP server.',
    input,
    access: () => [],
    execute: async ({ server, uri }, { signal, progress }) => {
      const content = await servers.readResource(server, uri, { signal, progress });
      if (content.length === 0) throw new AgentError('tool', `The resource ${uri} of ${server} is empty.`);
      return { content };
    },
  });
  return {
    ...read('ReadMcpResource'),
    resolve: (call) => {
      if (call.name !== 'ReadMcpResource') return undefined;
      const parsed = input.parse(call.input);
      if (!parsed.ok) return undefined;
      const { server, uri } = parsed.value;
      return { tool: anyTool(read(toolName(server, 'read_resource'))), input: { server, uri } };
    },
  };
}

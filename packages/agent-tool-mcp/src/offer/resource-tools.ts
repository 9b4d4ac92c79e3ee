import { AgentError, jsonSchema, type Tool, textOutput } from '@robota-sdk/agent-core';
import { toolName } from '../contract/tool-name.ts';
import type { McpServers } from '../servers/mcp-servers.ts';

interface ListInput {
  readonly server?: string;
}

interface ReadInput {
  readonly server: string;
  readonly uri: string;
}

/** True if a tool may be offered, by its name. */
type IsOffered = (toolName: string) => boolean;

/** Lists what servers let be read. */
export function listMcpResources(servers: McpServers, isOffered: IsOffered): Tool<ListInput> {
  return {
    name: 'ListMcpResources',
    description: 'Lists the resources of one MCP server, or of all.',
    input: jsonSchema<ListInput>({ type: 'object', properties: { server: { type: 'string' } } }),
    repeatable: true,
    access: () => [],
    execute: async ({ server }, { signal }) => {
      if (server !== undefined && !isOffered(readingOf(server))) throw notToBeRead(server);
      const found = await servers.listResources(server, { signal });
      const resources = found.filter((each) => isOffered(readingOf(each.server)));
      if (resources.length === 0) return textOutput('No resources.');
      const lines = resources.map(({ server: owner, uri, name, description, mimeType, isTemplate }) => {
        const about = [name, mimeType, description].filter(Boolean).join(', ');
        return `${owner} ${uri}${isTemplate ? ' (fill in what is in braces)' : ''}: ${about}`;
      });
      return textOutput(lines.join('\n'));
    },
  };
}

/** Reads a resource as `mcp__server__read_resource`, so that rules for a server apply to it. */
export function readMcpResource(servers: McpServers, isOffered: IsOffered): Tool<ReadInput> {
  const input = jsonSchema<ReadInput>({
    type: 'object',
    properties: { server: { type: 'string' }, uri: { type: 'string' } },
    required: ['server', 'uri'],
  });
  const read = (name: string): Tool<ReadInput> => ({
    name,
    description: 'Reads a resource of an MCP server.',
    input,
    repeatable: true,
    access: () => [],
    execute: async ({ server, uri }, { signal, progress }) => {
      if (!isOffered(readingOf(server))) throw notToBeRead(server);
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
      return { tool: read(readingOf(server)), input: { server, uri } };
    },
  };
}

/** The name by which rules and lists of tools know the reading of a server's resources. */
function readingOf(server: string): string {
  return toolName(server, 'read_resource');
}

function notToBeRead(server: string): AgentError {
  return new AgentError('tool', `The resources of ${server} are not to be read in this session.`);
}

import { jsonSchema, orAborted, type Tool, textOutput } from '@robota-sdk/agent-core';
import type { McpServers } from '../servers/mcp-servers.ts';
import { describeServers } from './describe-servers.ts';
import type { OfferedTool, ToolCatalogue } from './tool-catalogue.ts';

interface SearchInput {
  readonly query: string;
  readonly limit?: number;
}

const usualLimit = 5;
const listBudget = 8000;
const longestInstructions = 2000;
/** Others must not wait for one that never gets ready. */
const longestWaitMs = 10_000;

export interface ToolSearchOptions {
  readonly servers: McpServers;
  readonly catalogue: ToolCatalogue;
  /** The section about servers in the system prompt. */
  readonly promptSection: string | undefined;
}

/** Tells the model how tools are called whose schemas are not in every request. */
export function toolSearch({ servers, catalogue, promptSection }: ToolSearchOptions): Tool<SearchInput> {
  return {
    name: 'ToolSearch',
    description:
      'Finds tools of MCP servers by words or by exact names and shows their arguments, for McpCall. Without a match it lists all names.',
    input: jsonSchema<SearchInput>({
      type: 'object',
      properties: { query: { type: 'string' }, limit: { type: 'integer', minimum: 1, maximum: 50 } },
      required: ['query'],
    }),
    ...(promptSection === undefined ? {} : { promptSection }),
    repeatable: true,
    access: () => [],
    execute: async ({ query, limit = usualLimit }, { signal }) => {
      servers.begin();
      await orAborted(servers.settled(), AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)])).catch(
        () => signal.throwIfAborted(),
      );
      const found = catalogue.search(query, limit);
      if (found.length > 0) return textOutput(describeTools(found, servers));
      return textOutput(`No tool matches. ${everything(servers, catalogue)}`);
    },
  };
}

function describeTools(found: readonly OfferedTool[], servers: McpServers): string {
  const tools = found.map(
    ({ name, tool }) => `${name}\n${tool.description}\nArguments: ${JSON.stringify(tool.inputSchema)}`,
  );
  const names = [...new Set(found.map(({ server }) => server))];
  const notes = names.flatMap((name) => {
    const { instructions } = servers.state(name) ?? {};
    return instructions ? [`The server ${name} says: ${instructions.slice(0, longestInstructions)}`] : [];
  });
  return ['Call these with McpCall:', ...tools, ...notes, ...resourceNote(servers)].join('\n\n');
}

function resourceNote(servers: McpServers): readonly string[] {
  const names = servers.states().flatMap(({ name, hasResources }) => (hasResources ? [name] : []));
  if (names.length === 0) return [];
  return [
    `Resources of ${names.join(', ')}: ListMcpResources {server?}, ReadMcpResource {server, uri}; also with McpCall.`,
  ];
}

/** All there is, and why something that one would expect is not there. */
function everything(servers: McpServers, catalogue: ToolCatalogue): string {
  const absent = servers.states().flatMap(({ name, status, error }) => {
    if (status === 'ready' || status === 'idle') return [];
    return [`- ${name} is unavailable (${status})${error === undefined ? '' : `: ${error}`}`];
  });
  const present = catalogue.servers().filter(({ status }) => status === 'ready' || status === 'idle');
  const list = describeServers(present, catalogue, listBudget);
  return [
    present.length === 0 ? 'No servers with tools.' : 'The tools are:',
    list,
    ...resourceNote(servers),
    ...absent,
  ].join('\n');
}

import {
  AgentError,
  type AnyTool,
  didYouMean,
  isJsonObject,
  type JsonObject,
  jsonSchema,
  type Tool,
} from '@robota-sdk/agent-core';
import { namePart } from '../contract/tool-name.ts';
import type { McpServers } from '../servers/mcp-servers.ts';
import { describeServers } from './describe-servers.ts';
import { mcpTool } from './mcp-tool.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';

/** About 250 tokens. */
const listBudget = 1000;

interface CallInput {
  readonly tool: string;
  readonly arguments?: JsonObject;
}

export interface McpCallOptions {
  readonly servers: McpServers;
  readonly catalogue: ToolCatalogue;
  /** Tools of our own that a request need not list either. */
  readonly others: readonly AnyTool[];
}

/**
 * Calls tools that no request lists. A call is rewritten to the tool it names before anything else, so that
 * hooks, rules and users see `mcp__server__tool`. A model that uses such a name directly is understood too.
 */
export function mcpCallTool({ servers, catalogue, others }: McpCallOptions): Tool<CallInput> {
  const input = jsonSchema<CallInput>({
    type: 'object',
    properties: { tool: { type: 'string' }, arguments: { type: 'object' } },
    required: ['tool'],
  });
  const named = (name: string) => catalogue.find(name) ?? catalogue.find(`mcp__${name}`);
  return {
    name: 'McpCall',
    description:
      'Calls a tool of an MCP server, mcp__server__tool, with the arguments that ToolSearch shows.',
    input,
    resolve: (call) => {
      const parsed = call.name === 'McpCall' ? input.parse(call.input) : undefined;
      if (parsed && !parsed.ok) return undefined;
      const name = parsed ? parsed.value.tool : call.name;
      const given = parsed ? (parsed.value.arguments ?? {}) : call.input;
      const own = others.find((other) => other.name === name);
      if (own) return own.resolve?.({ name, input: given }) ?? { tool: own, input: given };
      const tool = named(name);
      if (tool) return { tool: mcpTool(servers, tool), input: isJsonObject(given) ? given : {} };
      return parsed || name.startsWith('mcp__')
        ? { tool: missingTool(name, { servers, catalogue }), input: {} }
        : undefined;
    },
    access: () => [],
    execute: async ({ tool }) => {
      throw new AgentError('tool', whyMissing(tool, { servers, catalogue }));
    },
  };
}

/** A placeholder for an unknown tool: it needs no approval and tells the model which tools exist. */
function missingTool(name: string, known: KnownServers): AnyTool {
  const fail = () => {
    throw new AgentError('tool', whyMissing(name, known));
  };
  return {
    name,
    description: '',
    input: jsonSchema({ type: 'object' }),
    access: fail,
    execute: fail,
  };
}

type KnownServers = Pick<McpCallOptions, 'servers' | 'catalogue'>;

function whyMissing(tool: string, { servers, catalogue }: KnownServers): string {
  const owner = servers.states().find(({ name }) => tool.startsWith(`mcp__${namePart(name)}__`));
  if (owner && owner.status !== 'ready' && owner.error !== undefined) return owner.error;
  if (owner && !catalogue.servers().some(({ name }) => name === owner.name))
    return `The MCP server ${owner.name} cannot be used (${owner.status}). The user can change that with /mcp.`;
  const tools = catalogue.tools().map(({ name }) => name);
  const hint = didYouMean(tool, tools);
  if (hint !== undefined) return `No MCP server has a tool "${tool}". ${hint}`;
  const server = catalogue.serverOf(tool);
  if (!server) {
    const names = servers.states().map(({ name }) => name);
    return `No MCP server has a tool "${tool}". Configured servers: ${names.join(', ')}. ToolSearch finds the tools there are.`;
  }
  const names = describeServers([server], catalogue, listBudget);
  return `The MCP server ${server.name} has no tool "${tool}". ToolSearch shows how these are called:\n${names}`;
}

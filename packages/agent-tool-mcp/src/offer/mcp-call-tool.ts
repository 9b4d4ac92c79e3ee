import {
  AgentError,
  type AnyTool,
  anyTool,
  isJsonObject,
  type JsonObject,
  jsonSchema,
  nearest,
  type Tool,
} from '@robota-sdk/agent-core';
import type { McpServers } from '../mcp-servers.ts';
import { mcpTool } from './mcp-tool.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';

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
 * Calls the tools that no request lists. A call becomes one of the tool it names before anything else happens, so that
 * hooks, rules and people see `mcp__server__tool`; a model that uses such a name right away is understood too.
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
      return tool && { tool: anyTool(mcpTool(servers, tool)), input: isJsonObject(given) ? given : {} };
    },
    access: () => [],
    execute: async ({ tool }) => {
      const names = catalogue.tools().map(({ name }) => name);
      const [near] = nearest(tool, names);
      const hint = near === undefined ? 'ToolSearch finds the tools there are.' : `Did you mean ${near}?`;
      throw new AgentError('tool', `No MCP server has a tool "${tool}". ${hint}`);
    },
  };
}

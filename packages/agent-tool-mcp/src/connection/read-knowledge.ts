import type { Client, RequestOptions, Tool } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject, type JsonValue, schemaProblem } from '@robota-sdk/agent-core';
import type { McpServerConfig } from '../mcp-server-config.ts';
import type { McpPrompt, McpTool } from '../mcp-server-state.ts';
import type { McpKnowledge } from '../mcp-servers-options.ts';
import { toolName } from '../tool-name.ts';

/** A server with more is a mistake, or means harm. */
const maxTools = 1000;
const maxPrompts = 500;
const maxDescription = 4000;

/** Asks a server what it offers, and keeps what its configuration lets through. */
export async function readKnowledge(
  client: Client,
  config: McpServerConfig,
  options: RequestOptions,
): Promise<McpKnowledge> {
  const capabilities = client.getServerCapabilities() ?? {};
  const [tools, prompts] = await Promise.all([
    capabilities.tools ? client.listTools(undefined, { ...options, cacheMode: 'refresh' }) : { tools: [] },
    capabilities.prompts
      ? client.listPrompts(undefined, { ...options, cacheMode: 'refresh' })
      : { prompts: [] },
  ]);
  const offered = tools.tools.slice(0, maxTools).filter(({ name }) => isIncluded(name, config));
  return {
    tools: withoutTwins(offered.map(toolOf), ({ name }) => toolName(config.name, name)),
    prompts: withoutTwins(prompts.prompts.slice(0, maxPrompts).map(promptOf), ({ name }) => name),
    hasResources: capabilities.resources !== undefined,
  };
}

/** Whether a server's configuration offers a tool. */
function isIncluded(tool: string, { tools = {} }: McpServerConfig): boolean {
  const { include, exclude = [] } = tools;
  return (
    (include?.some((pattern) => matches(pattern, tool)) ?? true) &&
    !exclude.some((pattern) => matches(pattern, tool))
  );
}

function matches(pattern: string, tool: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(tool);
}

function toolOf({ name, title, description = '', inputSchema, annotations }: Tool): McpTool {
  const shownTitle = title ?? annotations?.title;
  return {
    name,
    ...(shownTitle === undefined ? {} : { title: shownTitle }),
    description: shortened(description === '' ? (shownTitle ?? name) : description),
    inputSchema: usableSchema(inputSchema as JsonObject),
    ...(annotations?.readOnlyHint === true ? { isReadOnly: true } : {}),
  };
}

/** A schema that no vendor would take is replaced by one that takes everything: the server checks its input anyway. */
function usableSchema(schema: JsonValue | undefined): JsonObject {
  if (!isJsonObject(schema) || schemaProblem(schema) !== undefined) return { type: 'object' };
  return schema.type === 'object' ? schema : { ...schema, type: 'object' };
}

function promptOf(prompt: {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  arguments?:
    | { name: string; description?: string | undefined; required?: boolean | undefined }[]
    | undefined;
}): McpPrompt {
  const { name, title, description = '' } = prompt;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description: shortened(description === '' ? (title ?? name) : description),
    arguments: (prompt.arguments ?? []).map((argument) => ({
      name: argument.name,
      ...(argument.description === undefined ? {} : { description: shortened(argument.description) }),
      isRequired: argument.required ?? false,
    })),
  };
}

function shortened(text: string): string {
  return text.length > maxDescription ? `${text.slice(0, maxDescription)}…` : text;
}

function withoutTwins<T>(values: readonly T[], nameOf: (value: T) => string): readonly T[] {
  const seen = new Map(values.toReversed().map((value) => [nameOf(value), value]));
  return values.filter((value) => seen.get(nameOf(value)) === value);
}

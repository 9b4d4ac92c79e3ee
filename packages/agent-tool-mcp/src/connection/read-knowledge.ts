import type { Client, RequestOptions, Tool } from '@modelcontextprotocol/client';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  matchGlob,
  schemaProblem,
} from '@robota-sdk/agent-core';
import type { McpServerSettings } from '../contract/mcp-server-settings.ts';
import type { McpKnowledge, McpPrompt, McpTool } from '../contract/mcp-server-state.ts';
import type { ProgramOffer } from '../contract/program-port.ts';
import { toolName } from '../contract/tool-name.ts';

/** A server with more is a mistake, or means harm. */
const maxTools = 1000;
const maxPrompts = 500;
const maxDescription = 4000;
const maxName = 256;
/** Limit of all schemas of a server, in characters; they are read at every start. */
const maxSchemas = 1_000_000;
/** The code of JSON-RPC for a method that a server does not have. */
const methodNotFound = -32_601;

/** Asks a server what it offers, and keeps what its configuration lets through. */
export async function readKnowledge(
  client: Client,
  config: McpServerSettings,
  options: RequestOptions,
): Promise<McpKnowledge> {
  const capabilities = client.getServerCapabilities() ?? {};
  const fresh = { ...options, cacheMode: 'refresh' } as const;
  const [tools, prompts] = await Promise.all([
    capabilities.tools
      ? client.listTools(undefined, fresh).catch(unlessMissing({ tools: [] }))
      : { tools: [] },
    capabilities.prompts
      ? client.listPrompts(undefined, fresh).catch(unlessMissing({ prompts: [] }))
      : { prompts: [] },
  ]);
  return knowledgeOf(
    { tools: tools.tools, prompts: prompts.prompts, hasResources: capabilities.resources !== undefined },
    config,
  );
}

/** A server may announce a list and then not know it, such as one of the Claude Agent SDK without tools. */
function unlessMissing<T>(empty: T): (thrown: unknown) => T {
  return (thrown) => {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === methodNotFound) return empty;
    throw thrown;
  };
}

/** The same out of answers that the program sent ahead; nothing where the tools are not among them. */
export function offeredKnowledge(
  { initializeResult, toolsListResult }: ProgramOffer,
  config: McpServerSettings,
): McpKnowledge | undefined {
  const { capabilities } = initializeResult;
  const abilities = isJsonObject(capabilities) ? capabilities : {};
  // Prompts are asked for when the server starts.
  const listed = abilities.tools === undefined ? [] : toolsListResult?.tools;
  if (!Array.isArray(listed)) return undefined;
  const tools = listed.filter(
    (tool: JsonValue): tool is JsonObject & Tool => isJsonObject(tool) && typeof tool.name === 'string',
  );
  return knowledgeOf({ tools, prompts: [], hasResources: abilities.resources !== undefined }, config);
}

interface Listed {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Parameters<typeof promptOf>[0][];
  readonly hasResources: boolean;
}

function knowledgeOf({ tools, prompts, hasResources }: Listed, config: McpServerSettings): McpKnowledge {
  const wanted = tools.filter(({ name }) => isIncluded(name, config));
  const offered = withoutTwins(
    wanted.filter(isNamed).filter(isCallable).slice(0, maxTools).map(toolOf),
    ({ name }) => toolName(config.name, name),
  );
  return {
    tools: withinSize(offered),
    prompts: withoutTwins(prompts.filter(isNamed).slice(0, maxPrompts).map(promptOf), ({ name }) => name),
    hasResources,
    ...(offered.length < wanted.length
      ? { leftOut: wanted.length - offered.length, leftOutTools: leftOutTools(wanted, offered) }
      : {}),
  };
}

/** The first tools that are not offered, as a reader can take them, with the reason. */
function leftOutTools(wanted: readonly Tool[], offered: readonly McpTool[]): readonly string[] {
  const known = new Set(offered.map(({ name }) => name));
  return wanted
    .filter(({ name }) => !known.has(name))
    .slice(0, 5)
    .map((tool) => {
      const name = cleaned(tool.name).replaceAll('\n', ' ').trim().slice(0, 60) || 'one without a name';
      if (!isNamed(tool)) return `${name} (its name cannot be used)`;
      return isCallable(tool) ? `${name} (one too many, or named twice)` : `${name} (it needs tasks)`;
    });
}

/** A usable name is visible text. */
function isNamed({ name }: { readonly name: string }): boolean {
  return name.trim() !== '' && name.length <= maxName && cleaned(name) === name && !name.includes('\n');
}

/** Task-only tools cannot be called: tasks are an experimental part of the protocol. */
function isCallable({ execution }: Tool): boolean {
  return execution?.taskSupport !== 'required';
}

/** If the schemas exceed the limit together, the longest become one that accepts everything. */
function withinSize(tools: readonly McpTool[]): readonly McpTool[] {
  const sizes = tools.map((tool) => ({ tool, size: JSON.stringify(tool.inputSchema).length }));
  let room = maxSchemas;
  const kept = new Set<McpTool>();
  for (const { tool, size } of sizes.sort((a, b) => a.size - b.size)) {
    room -= size;
    if (room >= 0) kept.add(tool);
  }
  return tools.map((tool) => (kept.has(tool) ? tool : { ...tool, inputSchema: { type: 'object' } }));
}

/** True if a server's configuration offers a tool. */
function isIncluded(tool: string, { tools = {} }: McpServerSettings): boolean {
  const { include, exclude = [] } = tools;
  return (
    (include?.some((pattern) => matchGlob(pattern, tool)) ?? true) &&
    !exclude.some((pattern) => matchGlob(pattern, tool))
  );
}

function toolOf({ name, title, description = '', inputSchema, annotations }: Tool): McpTool {
  const shownTitle = title ?? annotations?.title;
  return {
    name,
    ...(shownTitle === undefined ? {} : { title: shortened(shownTitle) }),
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
    ...(title === undefined ? {} : { title: shortened(title) }),
    description: shortened(description === '' ? (title ?? name) : description),
    arguments: (prompt.arguments ?? []).map((argument) => ({
      name: shortened(argument.name),
      ...(argument.description === undefined ? {} : { description: shortened(argument.description) }),
      isRequired: argument.required ?? false,
    })),
  };
}

function shortened(text: string): string {
  const clean = cleaned(text);
  return clean.length > maxDescription ? `${clean.slice(0, maxDescription)}…` : clean;
}

/** Removes invisible text: the model would read it, and the user who approves it would not. */
function cleaned(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|\p{Cf}/gu, '');
}

function withoutTwins<T>(values: readonly T[], nameOf: (value: T) => string): readonly T[] {
  const seen = new Map(values.toReversed().map((value) => [nameOf(value), value]));
  return values.filter((value) => seen.get(nameOf(value)) === value);
}

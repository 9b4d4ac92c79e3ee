import {
  AgentError,
  type InteractiveSessionOptions,
  isHookEventName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type McpServerOptions,
  parseAgents,
  parseMcpConfig,
} from '@robota-sdk/agent-sdk/front-end';

/** The options in a program's initialize request. */
export interface InitializeOptions {
  readonly options: InteractiveSessionOptions;
  readonly jsonSchema?: JsonObject;
  /** The name of the session. */
  readonly title?: string;
  /** Print the messages of agents, too. */
  readonly forwardsAgents?: boolean;
  /** Say what agents are doing. */
  readonly summarizesAgents?: boolean;
  /** Say what the user may say next. */
  readonly suggestsPrompts?: boolean;
}

/** The options of a request, and fields of it that have no effect here. */
export interface ReadInitialize {
  readonly wishes: InitializeOptions;
  readonly unused: readonly string[];
}

/**
 * Reads an `initialize` request. Whatever can't be honoured is an error: it may be a guard the program relies on.
 * Fields that only ask for more output or for fewer tokens are no guard, so they are named and passed over.
 */
export function readInitialize(request: JsonObject): ReadInitialize {
  assertHonoured(request);
  const unused = Object.keys(request).filter((field) => extras.has(field) && !isEmpty(request[field]));
  const events = isJsonObject(request.hooks) ? Object.keys(request.hooks) : [];
  const silent = events.filter((event) => silentEvents.has(event)).map((event) => `hooks.${event}`);
  return { wishes: wishesOf(request), unused: [...unused, ...silent] };
}

function wishesOf(request: JsonObject): InitializeOptions {
  const { hooks, agents, systemPrompt, appendSystemPrompt, skills, plugins, jsonSchema, title } = request;
  const { planModeInstructions: plan, excludeDynamicSections, forwardSubagentText, toolAliases } = request;
  const servers = { ...outerServersOf(request), ...programServersOf(request) };
  const settings = [hooksOf(hooks), policiesOf(request)].filter((each) => !isEmpty(each));
  return {
    options: {
      ...(settings.length === 0 ? {} : { settings }),
      ...(isEmpty(agents) ? {} : { agents: parseAgents(agents) }),
      ...(systemPrompt == null ? {} : { systemPrompt: textOf('systemPrompt', systemPrompt) }),
      ...(appendSystemPrompt == null
        ? {}
        : { appendSystemPrompt: textOf('appendSystemPrompt', appendSystemPrompt) }),
      ...(isEmpty(plan) ? {} : { planInstructions: textOf('planModeInstructions', plan ?? '') }),
      ...(excludeDynamicSections === true ? { movesEnvironment: true } : {}),
      ...(skills == null ? {} : { skills: textsOf('skills', skills) }),
      ...(isEmpty(plugins) ? {} : { pluginDirectories: pluginsOf(plugins) }),
      ...(Object.keys(servers).length === 0 ? {} : { mcpServers: servers }),
      ...(isEmpty(toolAliases) ? {} : { tools: { aliases: aliasesOf(toolAliases) } }),
    },
    ...(isJsonObject(jsonSchema) ? { jsonSchema } : {}),
    ...(typeof title === 'string' && title !== '' ? { title } : {}),
    ...(forwardSubagentText === true ? { forwardsAgents: true } : {}),
    ...(request.agentProgressSummaries === true ? { summarizesAgents: true } : {}),
    ...(request.promptSuggestions === true ? { suggestsPrompts: true } : {}),
  };
}

/** Fields that are read here. */
const honoured: ReadonlySet<string> = new Set(
  (
    'subtype hooks sdkMcpServers sdkMcpServerConfigs mcpServers toolAliases jsonSchema systemPrompt ' +
    'appendSystemPrompt agents title skills plugins planModeInstructions excludeDynamicSections ' +
    'forwardSubagentText agentProgressSummaries promptSuggestions'
  ).split(' '),
);

/** Fields that only say what the program could show or has prepared; nothing is lost without them. */
const announcements: ReadonlySet<string> = new Set([
  'supportedDialogKinds',
  'perTaskStopAffordance',
  'sdkMcpServerManifests',
  'sdkMcpServerManifestsOrigin',
]);

/** Fields that ask for fewer tokens; the prompt of a session stays the same anyway. */
const extras: ReadonlySet<string> = new Set(['systemPromptSnapshot']);

function assertHonoured(request: JsonObject): void {
  const asked = Object.keys(request).filter(
    (field) =>
      ![honoured, announcements, extras].some((fields) => fields.has(field)) && !isEmpty(request[field]),
  );
  if (asked.length > 0) throw refusal(`Unsupported in initialize: ${asked.join(', ')}. Leave it out.`);
}

function refusal(message: string): AgentError {
  return new AgentError('usage', message);
}

/** True if a field asks for nothing. */
function isEmpty(value: JsonValue | undefined): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || value === false;
}

/** The mark between the parts of a prompt that may be cached together and those that change; it is not said to models. */
const cacheMark = '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__';

function textOf(field: string, value: JsonValue): string {
  if (typeof value === 'string') return value;
  return textsOf(field, value)
    .filter((text) => text !== cacheMark)
    .join('\n\n');
}

function aliasesOf(aliases: JsonValue | undefined): Record<string, string> {
  if (!isJsonObject(aliases)) throw refusal('Invalid toolAliases in initialize: expected an object.');
  return Object.fromEntries(
    Object.entries(aliases).map(([name, target]) => {
      if (typeof target === 'string' && target !== '') return [name, target];
      throw refusal(`Invalid toolAliases.${name} in initialize: expected the name of a tool.`);
    }),
  );
}

function textsOf(field: string, value: JsonValue): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw refusal(`Invalid ${field} in initialize: expected a list of texts.`);
}

/** Hook events that guard nothing here: they never happen, or their hooks only watch. */
const silentEvents: ReadonlySet<string> = new Set(
  (
    'Setup TeammateIdle TaskCreated TaskCompleted ' +
    'StopFailure PostModelSwitch PermissionDenied InstructionsLoaded CwdChanged FileChanged DirectoryAdded'
  ).split(' '),
);

/** The hooks of a program, as settings. */
function hooksOf(hooks: JsonValue | undefined): JsonObject {
  if (isEmpty(hooks)) return {};
  if (!isJsonObject(hooks)) throw refusal('Invalid hooks in initialize: expected an object.');
  const entries = Object.entries(hooks).filter(
    ([event, groups]) => !isEmpty(groups) && !silentEvents.has(event),
  );
  const unknown = entries.map(([event]) => event).filter((event) => !isHookEventName(event));
  if (unknown.length > 0)
    throw refusal(`Unsupported hook events: ${unknown.join(', ')}. See docs/hooks.md for those there are.`);
  return { hooks: Object.fromEntries(entries.map(([event, groups]) => [event, groupsOf(event, groups)])) };
}

function groupsOf(event: string, groups: JsonValue): JsonObject[] {
  if (!Array.isArray(groups)) throw refusal(`Invalid hooks.${event} in initialize: expected a list.`);
  return groups.map((group: JsonValue) => {
    const ids = isJsonObject(group) ? group.hookCallbackIds : undefined;
    if (!isJsonObject(group) || !Array.isArray(ids))
      throw refusal(`Invalid hooks.${event} in initialize: expected {"matcher", "hookCallbackIds"}.`);
    const { matcher, timeout, onFailure } = group;
    return {
      matcher: typeof matcher === 'string' ? usableMatcher(event, matcher) : '',
      hooks: ids.map((id: JsonValue) => ({
        type: 'callback',
        callback_id: String(id),
        ...(typeof timeout === 'number' ? { timeout } : {}),
        ...(typeof onFailure === 'string' ? { onFailure } : {}),
      })),
    };
  });
}

/** A guard behind a matcher that is no pattern would watch nothing. */
function usableMatcher(event: string, matcher: string): string {
  try {
    if (matcher !== '*') new RegExp(matcher);
    return matcher;
  } catch {
    throw refusal(
      `Invalid hooks.${event} in initialize: the matcher "${matcher}" is not a regular expression.`,
    );
  }
}

function pluginsOf(plugins: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(plugins)) throw refusal('Invalid plugins in initialize: expected a list.');
  return plugins.map((plugin: JsonValue) => {
    const { type, path, ...rest } = isJsonObject(plugin) ? plugin : {};
    if (type === 'local' && typeof path === 'string' && Object.values(rest).every(isEmpty)) return path;
    throw refusal(
      `Unsupported plugin in initialize: ${JSON.stringify(plugin)}. Only {"type": "local", "path"}.`,
    );
  });
}

function programServersOf({
  sdkMcpServers,
  sdkMcpServerConfigs,
}: JsonObject): Record<string, McpServerOptions> {
  const names = isEmpty(sdkMcpServers) ? [] : textsOf('sdkMcpServers', sdkMcpServers ?? []);
  const configs = isJsonObject(sdkMcpServerConfigs) ? sdkMcpServerConfigs : {};
  return Object.fromEntries(
    names.map((name) => {
      const config = configs[name];
      const { timeout, tools, ...rest } = isJsonObject(config) ? config : {};
      const unknown = Object.keys(rest).filter((field) => !isEmpty(rest[field]));
      if (unknown.length > 0)
        throw refusal(
          `Unsupported setting of the MCP server "${name}": ${unknown.join(', ')}. Use permission rules.`,
        );
      return [name, { type: 'sdk', ...(typeof timeout === 'number' ? { timeout } : {}) } as const];
    }),
  );
}

/** MCP servers that are started or reached from here, as `--mcp-config` gives them. */
function outerServersOf({ mcpServers }: JsonObject): Record<string, McpServerOptions> {
  if (isEmpty(mcpServers)) return {};
  if (!isJsonObject(mcpServers)) throw refusal('Invalid mcpServers in initialize: expected an object.');
  return parseMcpConfig(JSON.stringify({ mcpServers }));
}

/** Rules from the policies that a program gives for single tools of its servers: each call is asked about, or denied. */
function policiesOf({ sdkMcpServers, sdkMcpServerConfigs }: JsonObject): JsonObject {
  const names = isEmpty(sdkMcpServers) ? [] : textsOf('sdkMcpServers', sdkMcpServers ?? []);
  const configs = isJsonObject(sdkMcpServerConfigs) ? sdkMcpServerConfigs : {};
  const [ask, deny]: [string[], string[]] = [[], []];
  for (const server of names) {
    const config = configs[server];
    const tools = isJsonObject(config) && Array.isArray(config.tools) ? config.tools : [];
    for (const tool of tools) {
      if (!isJsonObject(tool) || typeof tool.name !== 'string') continue;
      const { name, permission_policy: policy } = tool;
      // A program allows calls by allowedTools or by its answers; a policy that is not known asks.
      if (policy === 'always_allow') continue;
      (policy === 'always_deny' ? deny : ask).push(`mcp__${server}__${name}`);
    }
  }
  return ask.length + deny.length === 0 ? {} : { permissions: { ask, deny } };
}

import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  AgentError,
  type AnyTool,
  type Extension,
  type HookExecutors,
  type Model,
  type ModelChoice,
  type PermissionMode,
  type RetryPolicy,
  realPathOf,
  type StateKey,
  type ThinkingLevel,
  thinkingLevels,
  type UserInterface,
  type Workspace,
} from '@robota-sdk/agent-core';
import {
  type Compaction,
  type CompactionPolicy,
  type ISessionLogger,
  Session,
  type SessionHandle,
  type SessionOptions,
  secretHider,
} from '@robota-sdk/agent-sessions';
import {
  hasSearchBackend,
  hiddenFromSearch,
  limitToolOutput,
  sandboxAccess,
  searchAccess,
  webAccess,
} from '@robota-sdk/agent-tools';
import { builtInTools } from './built-in-tools.ts';
import { chooseSandbox, type SandboxChoice } from './choose-sandbox.ts';
import type { Config } from './config/load-config.ts';
import type { CompactionSettings } from './config/settings.ts';
import type { ProjectInfo } from './context/detect-project.ts';
import type { ProjectContext } from './context/load-context.ts';
import { buildSystemPrompt } from './context/system-prompt.ts';
import { todoReminder } from './context/todo-reminder.ts';
import { knownSecrets, unmistakableSecrets, withoutSecrets } from './credentials.ts';
import { announceQuestions } from './hooks/announce-questions.ts';
import { loadSettingsHooks } from './hooks/load-settings-hooks.ts';
import type { ConnectedModel, InteractiveSession } from './interactive-session.ts';
import { createPermissions, type SessionPermissions } from './permissions/session-permissions.ts';
import { builtInProviders } from './providers/built-in-providers.ts';
import { connectModel, defaultModelName, type ModelSources, noProvider } from './providers/connect-model.ts';
import { Registries } from './registries.ts';
import { selectTools, type ToolSelection } from './select-tools.ts';

/** Rules as a user writes them. */
export interface RuleLists {
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** What a session is assembled from; only `config` and `context` are needed. */
export interface CreateSessionOptions {
  readonly config: Config;
  readonly context: ProjectContext;
  readonly projectInfo?: ProjectInfo | undefined;
  /** The person to ask; without one, whatever needs a yes is denied. */
  readonly terminal?: UserInterface | undefined;
  readonly cwd?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  /** Rules beside those of the settings. */
  readonly rules?: RuleLists | undefined;
  readonly additionalDirectories?: readonly string[] | undefined;
  /** How the commands of the session are sandboxed, beside the settings. */
  readonly sandbox?: SandboxChoice | undefined;
  readonly model?: string | undefined;
  readonly fallbackModels?: readonly string[] | undefined;
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly allowInsecureHttp?: boolean | undefined;
  readonly idleTimeoutMs?: number | undefined;
  readonly thinking?: ThinkingLevel | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxCost?: number | undefined;
  readonly retry?: RetryPolicy | undefined;
  readonly language?: string | undefined;
  readonly systemPrompt?: string | undefined;
  readonly appendSystemPrompt?: string | undefined;
  readonly tools?: ToolSelection | undefined;
  readonly builtInTools?: boolean | undefined;
  readonly extensions?: readonly Extension<InteractiveSession>[] | undefined;
  /** How hooks of the settings are run, by their type, beside `command`, `http`, `prompt` and `agent`. */
  readonly hookExecutors?: HookExecutors | undefined;
  /** Where the conversation is kept; in memory without one. */
  readonly handle?: SessionHandle | undefined;
  readonly logger?: ISessionLogger | undefined;
  /** Told whenever the older part of the conversation was replaced or pruned. */
  readonly onCompact?: ((compaction: Compaction) => void) | undefined;
}

/** A safety net against runs that never end; nobody's work needs as many. */
const defaultMaxTurns = 500;

/** Wires tools, providers, permissions and the prompt into a session. */
export function createSession(options: CreateSessionOptions): Session {
  return assembleSession(options).session;
}

/** A session and the parts a front end may still want to change. */
export interface AssembledSession {
  readonly session: Session;
  readonly permissions: SessionPermissions;
  /** Takes the keys in use out of a text. */
  redact(text: string): string;
  /** Finds another model by name, and what it needs around it. */
  connect(name: string): ConnectedModel;
}

/** Does the work of `createSession` and keeps hold of the parts. */
export function assembleSession(
  options: CreateSessionOptions,
  registries = loadRegistries(options),
): AssembledSession {
  const { config, handle, terminal } = options;
  const { settings, host } = config;
  const { hooks } = registries;
  const workspace = workspaceOf(options);
  const secrets = knownSecrets(config, options);
  const redact = secretHider(unmistakableSecrets(secrets));
  const sources = { ...modelSources(options, registries), redact };
  const selected = selectedTools(options, registries);
  const surround = (model: Model) => surroundingsOf(model, { options, selected, workspace });
  const withSearch = (choice: ModelChoice) => ({
    ...choice,
    webSearch: vendorSearches(choice.model, options, selected),
  });
  const [first, ...fallbacks] = chooseModels(options, sources);
  const models = [withSearch(first), ...fallbacks.map(withSearch)] as const;
  const outputDir = outputDirOf(options);
  const asked = terminal && announceQuestions(terminal, hooks, 'permission_prompt');
  const permissions = createPermissions(
    { ...options, terminal: asked },
    { workspace, outputDir, scope: () => ({ workspace, state: session.state }) },
  );
  const surroundings = surround(models[0].model);
  const sessionOptions: SessionOptions = {
    ...surroundings,
    models,
    workspace,
    hooks,
    env: withoutSecrets({ ...host.env, ...settings.env }, { vendors: config.catalogue.vendors, secrets }),
    thinking: options.thinking ?? choicesIn(handle).thinking ?? settings.thinking ?? 'off',
    maxTurns: options.maxTurns ?? settings.maxTurns ?? defaultMaxTurns,
    authorize: (request, signal) => permissions.authorizer.authorize(request, signal),
    limitOutput: (output, call, directory) =>
      limitToolOutput(output, { outputDir: directory, name: call.id }),
    outputDir,
    reminder: todoReminder(surroundings.tools),
    compaction: (model) => compactionFor(model, settings.compaction),
    ...given('terminal', terminal && announceQuestions(terminal, hooks, 'elicitation_dialog')),
    ...given('handle', handle),
    ...given('logger', options.logger),
    ...given('maxCost', options.maxCost),
    ...given('retry', options.retry ?? settings.retry),
    ...given('compactInstructions', options.context.compactInstructions),
    ...given('onCompact', options.onCompact),
  };
  const session = new Session(sessionOptions);
  if (!handle) session.state.get(temporaryOutputs).directory = dirname(outputDir);
  Object.assign(session.state.get(sandboxAccess), chooseSandbox(config, options.sandbox));
  session.state.get(searchAccess).env = host.env;
  if (permissions.hidden) session.state.get(hiddenFromSearch).files = permissions.hidden;
  if (settings.webFetch.allowPrivate) session.state.get(webAccess).allowPrivate = true;
  const connect = (name: string) => {
    const choice = withSearch(connectModel(name, withoutFlags(sources)));
    return { choice, surroundings: surround(choice.model) };
  };
  loadSettingsHooks({
    groups: config.hooks ?? [],
    executors: options.hookExecutors,
    registries,
    session,
    sessionOptions,
    permissions,
    connect: (name) => connect(name).choice,
  });
  return { session, permissions, connect, redact };
}

interface Surroundings {
  readonly tools: readonly AnyTool[];
  readonly systemMessage: string;
  readonly webSearch: boolean;
}

/** What differs from model to model: who searches the web, hence tools and prompt. */
function surroundingsOf(
  model: Model,
  parts: { options: CreateSessionOptions; selected: readonly AnyTool[]; workspace: Workspace },
): Surroundings {
  const { options, selected, workspace } = parts;
  const webSearch = vendorSearches(model, options, selected);
  const ours = !webSearch && hasSearchBackend(options.config.host.env);
  const tools = selected.filter((tool) => tool.name !== 'WebSearch' || ours);
  return { tools, webSearch, systemMessage: systemMessageOf(options, { tools, workspace, webSearch }) };
}

/** The vendor searches where a search of ours would be offered and nothing has to be asked, which a vendor can't do. */
function vendorSearches(model: Model, options: CreateSessionOptions, selected: readonly AnyTool[]): boolean {
  if (model.vendor !== 'anthropic' || model.api !== 'anthropic') return false;
  if (!selected.some((tool) => tool.name === 'WebSearch')) return false;
  const { deny, ask } = options.config.settings.permissions;
  const restricted = [
    ...[...deny, ...ask].map((rule) => rule.tool),
    ...[...(options.rules?.deny ?? []), ...(options.rules?.ask ?? [])].map((text) =>
      text.split('(')[0]?.trim(),
    ),
  ];
  return !restricted.some((tool) => tool === 'WebSearch' || tool === 'web_search');
}

function compactionFor({ vendor, id }: Model, { models, ...general }: CompactionSettings): CompactionPolicy {
  return { ...general, ...models[id], ...models[`${vendor}/${id}`] };
}

function loadRegistries(options: CreateSessionOptions): Registries {
  const registries = new Registries();
  for (const extension of extensionsOf(options)) {
    if (registries.load(extension) instanceof Promise) {
      const advice = 'Use createInteractiveSession or query, which wait for it.';
      throw new AgentError('usage', `The extension "${extension.name}" sets up asynchronously. ${advice}`);
    }
  }
  return registries;
}

/**
 * The extensions of a session in their order, in which the first of a name wins. Built-in tools come first, so that
 * nothing can pose as one of them; built-in providers come last, so that an adapter can be replaced.
 */
export function extensionsOf(options: CreateSessionOptions): readonly Extension<InteractiveSession>[] {
  const tools = options.builtInTools === false ? [] : [builtInTools];
  return [...tools, ...(options.extensions ?? []), builtInProviders];
}

function workspaceOf({ cwd, additionalDirectories = [], config }: CreateSessionOptions): Workspace {
  const root = realDirectory(cwd ?? process.cwd());
  const added = [...config.settings.additionalDirectories, ...additionalDirectories];
  return {
    cwd: root,
    additional: added.map((directory) => realDirectory(resolve(root, directory))),
    home: config.host.home,
  };
}

/** Where a directory really is; an error says that it can't be used. */
export function realDirectory(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return realPathOf(path);
  const why = found ? 'it is a file' : 'it does not exist';
  throw new AgentError('usage', `The directory ${path} can not be used: ${why}. Correct the path.`);
}

/** What a session without a file of its own leaves in the temporary directory goes with it. */
const temporaryOutputs: StateKey<{ directory?: string }> = {
  name: 'temporaryOutputs',
  create: () => ({}),
  dispose: ({ directory }) => {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  },
};

/** Where results too long for the model are kept in full. */
function outputDirOf({ handle }: CreateSessionOptions): string {
  const parent = handle?.directory ?? join(tmpdir(), `robota-${randomUUID()}`);
  return join(realPathOf(parent), 'outputs');
}

function modelSources(options: CreateSessionOptions, { providers }: Registries): ModelSources {
  const { settings, host, storedKeys, catalogue, profiles } = options.config;
  return {
    catalogue,
    profiles,
    providers,
    keys: { flag: options.apiKey, env: host.env, stored: storedKeys, settings: settings.apiKeys },
    baseUrls: settings.baseUrls,
    baseUrl: options.baseUrl,
    allowInsecureHttp: options.allowInsecureHttp ?? settings.allowInsecureHttp,
    idleTimeoutMs: options.idleTimeoutMs ?? settings.idleTimeoutMs,
    warnings: options.config.warnings,
  };
}

function chooseModels(options: CreateSessionOptions, sources: ModelSources): [ModelChoice, ...ModelChoice[]] {
  const { settings, activeProfile } = options.config;
  const name =
    options.model ??
    choicesIn(options.handle).model ??
    settings.model ??
    activeProfile ??
    usable(settings.foreignModel, sources) ??
    defaultModelName(sources);
  if (name === undefined) throw noProvider(sources.warnings);
  const fallbacks = options.fallbackModels ?? settings.fallbackModels ?? [];
  const own = withoutFlags(sources);
  return [connectModel(name, sources), ...fallbacks.map((fallback) => connectModel(fallback, own))];
}

/** Other tools reach vendors that we do not: their model counts only where we can reach it. */
function usable(name: string | undefined, sources: ModelSources): string | undefined {
  if (name === undefined) return undefined;
  try {
    connectModel(name, sources);
    return name;
  } catch {
    return undefined;
  }
}

/** What a person chose in a session that is now resumed. */
function choicesIn(handle: SessionHandle | undefined): { model?: string; thinking?: ThinkingLevel } {
  const path = handle?.path() ?? [];
  const model = path.findLast((entry) => entry.type === 'model_change');
  const level = path.findLast((entry) => entry.type === 'thinking_level_change')?.thinkingLevel;
  return {
    ...given('model', model && `${model.provider}/${model.modelId}`),
    ...given(
      'thinking',
      thinkingLevels.find((known) => known === level),
    ),
  };
}

/** A base URL and a key on the command line belong to the model on the command line. */
function withoutFlags(sources: ModelSources): ModelSources {
  return { ...sources, baseUrl: undefined, keys: { ...sources.keys, flag: undefined } };
}

function selectedTools(options: CreateSessionOptions, { tools }: Registries): readonly AnyTool[] {
  const { settings } = options.config;
  return selectTools(tools.values(), {
    only: options.tools?.only ?? settings.tools,
    exclude: [...settings.excludeTools, ...(options.tools?.exclude ?? [])],
    none: options.tools?.none,
  });
}

function systemMessageOf(
  options: CreateSessionOptions,
  { tools, workspace, webSearch }: { tools: readonly AnyTool[]; workspace: Workspace; webSearch: boolean },
): string {
  const { context, config } = options;
  const append = [context.appendSystemPrompt, options.appendSystemPrompt].filter(Boolean).join('\n\n');
  return buildSystemPrompt({
    cwd: workspace.cwd,
    tools,
    webSearch,
    context: {
      ...context,
      ...given('systemPrompt', options.systemPrompt ?? context.systemPrompt),
      ...(append === '' ? {} : { appendSystemPrompt: append }),
    },
    ...given('project', options.projectInfo),
    ...given('language', options.language ?? config.settings.language),
  });
}

function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

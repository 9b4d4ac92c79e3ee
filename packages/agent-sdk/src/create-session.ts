import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import {
  AgentError,
  type AnyTool,
  Authorizer,
  type Extension,
  type ModelChoice,
  type PermissionMode,
  type PermissionRules,
  parseRule,
  type RetryPolicy,
  type Rule,
  silentInterface,
  type ThinkingLevel,
  type UserInterface,
  type Workspace,
} from '@robota-sdk/agent-core';
import { type ISessionLogger, Session, type SessionHandle } from '@robota-sdk/agent-sessions';
import { hasSearchBackend, limitToolOutput, searchAccess, webAccess } from '@robota-sdk/agent-tools';
import { builtInTools } from './built-in-tools.ts';
import type { Config } from './config/load-config.ts';
import type { ProjectInfo } from './context/detect-project.ts';
import type { ProjectContext } from './context/load-context.ts';
import { buildSystemPrompt } from './context/system-prompt.ts';
import { withoutSecrets } from './credentials.ts';
import type { InteractiveSession, SessionPermissions } from './interactive-session.ts';
import { saveProjectRules } from './permissions/save-rules.ts';
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
  /** Where the conversation is kept; in memory without one. */
  readonly handle?: SessionHandle | undefined;
  readonly logger?: ISessionLogger | undefined;
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
  readonly registries: Registries;
  readonly permissions: SessionPermissions;
  /** Finds another model by name. */
  connect(name: string): ModelChoice;
}

/** Does the work of `createSession` and keeps hold of the parts. */
export function assembleSession(
  options: CreateSessionOptions,
  registries = loadRegistries(options),
): AssembledSession {
  const { config } = options;
  const { settings, host } = config;
  const workspace = workspaceOf(options);
  const sources = modelSources(options, registries);
  const connect = (name: string) => connectModel(name, sources);
  const models = chooseModels(options, sources);
  const { model } = models[0];
  const webSearch = model.vendor === 'anthropic' && model.api === 'anthropic';
  const tools = offeredTools(options, registries, webSearch);
  const outputDir = outputDirOf(options);
  const permissions = createPermissions(options, workspace, outputDir);
  const session = new Session({
    tools,
    models,
    systemMessage: systemMessageOf(options, { tools, workspace, webSearch }),
    workspace,
    hooks: registries.hooks,
    env: withoutSecrets(host.env, config.catalogue.vendors),
    outputDir,
    thinking: options.thinking ?? settings.thinking ?? 'off',
    maxTurns: options.maxTurns ?? settings.maxTurns ?? defaultMaxTurns,
    webSearch,
    authorize: (request, signal) => permissions.authorizer.authorize(request, signal),
    limitOutput: (output, call, directory) =>
      limitToolOutput(output, { outputDir: directory, name: call.id }),
    ...given('terminal', options.terminal),
    ...given('handle', options.handle),
    ...given('logger', options.logger),
    ...given('maxCost', options.maxCost),
    ...given('retry', options.retry ?? settings.retry),
    ...given('compactInstructions', options.context.compactInstructions),
  });
  session.state.get(searchAccess).env = host.env;
  if (settings.webFetch.allowPrivate) session.state.get(webAccess).allowPrivate = true;
  return { session, registries, permissions, connect };
}

/** Loads the built-ins, then the given extensions, which therefore can't replace a built-in of the same name. */
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

/** The extensions of a session, built-ins first. */
export function extensionsOf(options: CreateSessionOptions): readonly Extension<InteractiveSession>[] {
  const tools = options.builtInTools === false ? [] : [builtInTools];
  return [builtInProviders, ...tools, ...(options.extensions ?? [])];
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

function realDirectory(path: string): string {
  try {
    return realpathSync(path);
  } catch (thrown) {
    throw new AgentError('usage', `The directory ${path} can not be used; check that it exists.`, {
      cause: thrown,
    });
  }
}

/** Where results too long for the model are kept in full. */
function outputDirOf({ handle }: CreateSessionOptions): string {
  const parent = handle?.directory ?? join(tmpdir(), `robota-${process.pid}`);
  return join(realPath(parent), 'outputs');
}

/** Resolves the links of the part that exists; the rest is still to be made. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPath(dirname(path)), basename(path));
  }
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
  };
}

function chooseModels(options: CreateSessionOptions, sources: ModelSources): [ModelChoice, ...ModelChoice[]] {
  const { settings, activeProfile } = options.config;
  const name = options.model ?? settings.model ?? activeProfile ?? defaultModelName(sources);
  if (name === undefined) throw noProvider();
  const fallbacks = options.fallbackModels ?? settings.fallbackModels ?? [];
  // A base URL and a key on the command line belong to the model on the command line.
  const own = { ...sources, baseUrl: undefined, keys: { ...sources.keys, flag: undefined } };
  return [connectModel(name, sources), ...fallbacks.map((fallback) => connectModel(fallback, own))];
}

function offeredTools(
  options: CreateSessionOptions,
  { tools }: Registries,
  webSearch: boolean,
): readonly AnyTool[] {
  const { settings, host } = options.config;
  const selected = selectTools(tools.values(), {
    only: options.tools?.only ?? settings.tools,
    exclude: [...settings.excludeTools, ...(options.tools?.exclude ?? [])],
    none: options.tools?.none,
  });
  const canSearch = !webSearch && hasSearchBackend(host.env);
  return canSearch ? selected : selected.filter((tool) => tool.name !== 'WebSearch');
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

function createPermissions(
  options: CreateSessionOptions,
  workspace: Workspace,
  outputDir: string,
): SessionPermissions {
  const { settings } = options.config;
  // The model is told where the rest of a long result is, so it must be able to look there.
  const builtIn = parseAll([...defaultAllow, `Read(/${outputDir}/**)`], 'built-in');
  const rules = joinRules(settings.permissions, options.rules ?? {}, builtIn);
  const permissions: SessionPermissions = {
    mode: options.permissionMode ?? settings.permissionMode ?? 'default',
    rules,
    authorizer: new Authorizer({
      policy: () => ({ mode: permissions.mode, rules, workspace }),
      ui: options.terminal ?? silentInterface,
      saveRules: (saved) => saveProjectRules(workspace.cwd, saved),
    }),
  };
  return permissions;
}

/** Reading our own configuration folders never needs a question. */
const defaultAllow = ['.agents', '.claude', '.robota'].flatMap((folder) => [
  `Read(${folder}/**)`,
  `Glob(${folder}/**)`,
]);

function joinRules(settings: PermissionRules, flags: RuleLists, builtIn: readonly Rule[]): PermissionRules {
  return {
    allow: [...settings.allow, ...parseAll(flags.allow, 'command line'), ...builtIn],
    ask: [...settings.ask, ...parseAll(flags.ask, 'command line')],
    deny: [...settings.deny, ...parseAll(flags.deny, 'command line')],
  };
}

function parseAll(texts: readonly string[] = [], source: string): Rule[] {
  return texts.map((text) => {
    const parsed = parseRule(text, { source });
    if (parsed.ok) return parsed.rule;
    throw new AgentError('usage', `The rule "${text}" can not be used: ${parsed.problem.message}`);
  });
}

function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

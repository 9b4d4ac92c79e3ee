import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  type HostEnvironment,
  processHost,
  type SettingOwner,
  secretsToHide,
  type TrustGate,
  userPaths,
} from '@robota-sdk/agent-config';
import {
  AgentError,
  type Catalogue,
  given,
  givenFields,
  type JsonObject,
  type Model,
  type Problem,
  problemNotice,
  Registries,
  sentence,
  silentInterface,
  textRedactor,
  warning,
} from '@robota-sdk/agent-core';
import { servedConfig } from '@robota-sdk/agent-models';
import type {
  ComponentContext,
  ElicitByProgram,
  IAgentDefinition,
  LoadedConfig,
  McpServerOptions,
  ProgramServers,
  SessionMcp,
} from '@robota-sdk/agent-resources';
import { actingAgent, componentFolders, detectProject, hookInstaller } from '@robota-sdk/agent-resources';
import type { Replay } from '@robota-sdk/agent-sessions';
import {
  type Conversation,
  FileSessionLogger,
  type ISessionLogger,
  type SessionHandle,
  type SessionProblem,
  type SessionStorePort,
  unkeptCopy,
} from '@robota-sdk/agent-sessions';
import { assembleSession, extensionsOf } from '../assembly/assemble-session.ts';
import { checkOptions, interactiveShape } from '../assembly/check-options.ts';
import { agentsOf } from '../assembly/host-subagents.ts';
import {
  doubtsAbout,
  SessionExtensions,
  type SessionExtensionsServices,
  withResources,
} from '../assembly/session-extensions.ts';
import { SessionFiles } from '../assembly/session-files.ts';
import { realDirectory } from '../assembly/workspace-of.ts';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import { smallWindowProblems } from '../prompt/small-window.ts';
import { LiveSettings } from '../settings/live-settings.ts';
import { findSession } from '../stored/find-session.ts';
import { JoinedLogger } from '../stored/joined-logger.ts';
import { KeptSessions } from '../stored/kept-sessions.ts';
import { interruptedProblems } from '../tasks/interrupted-warning.ts';
import { taskRegistry } from '../tasks/task-registry.ts';
import { InteractiveSession } from './interactive-session.ts';

/**
 * The session to use: a new one, none on disk, the last of the directory, a certain one, or a file (created if needed).
 */
export type StoredSessionChoice =
  | 'new'
  | 'none'
  | 'latest'
  | { readonly open: string }
  | { readonly path: string };

/** Opens a store of sessions that reports its problems to the caller. */
type OpenStore = (onProblem: (problem: SessionProblem) => void) => Promise<SessionStorePort>;

/** Like `createSession`, but loads everything else from files. */
export interface InteractiveSessionOptions extends Partial<Omit<CreateSessionOptions, 'config' | 'live'>> {
  readonly host?: HostEnvironment;
  readonly store?: StoredSessionChoice;
  /** Opens the store of sessions. Default: files in our home directory. */
  readonly sessions?: OpenStore | undefined;
  /** Continue in a copy and leave the chosen session unchanged. */
  readonly fork?: boolean;
  /** True if messages are stored; otherwise an opened session is only read, and continues in memory. */
  readonly keep?: boolean;
  /** Stores a session even without messages, because a client knows its id; lists do not show it. */
  readonly keepUnused?: boolean;
  /** Commands that the front end has no use for: no list, hint or completion names them. */
  readonly hiddenCommands?: readonly string[];
  /** Reads AGENTS.md and similar files. Default: true. */
  readonly contextFiles?: boolean;
  /** Loads extensions, skills and commands from files. Default: true. */
  readonly extensionFiles?: boolean;
  /** Adds the built-in commands, which a single prompt does not need. Default: true. */
  readonly builtInCommands?: boolean;
  /** Offers the skills of files, or only those of these names. Default: true. */
  readonly skills?: boolean | readonly string[];
  /** Settings that override those of all files, for this session; the strongest first. */
  readonly settings?: readonly JsonObject[] | undefined;
  /**
   * The owners whose files are read: settings, instructions, skills, commands, agents, MCP servers, plugins. Default:
   * all.
   */
  readonly settingSources?: readonly SettingOwner[] | undefined;
  /** Reads settings files. Default: true. */
  readonly settingFiles?: boolean | undefined;
  /** Write the log of the session to this file, too. */
  readonly debugFile?: string | undefined;
  /** The name of the agent that the session works as. */
  readonly agent?: string | undefined;
  /** The id of a new session. Default: generated. */
  readonly sessionId?: string | undefined;
  /** The name of the session, to find it by. */
  readonly name?: string | undefined;
  /** Folders of plugins that are used without being installed. */
  readonly pluginDirectories?: readonly string[] | undefined;
  /** Reaches MCP servers that live in the program itself: those of the type `sdk`. */
  readonly programServers?: ProgramServers | undefined;
  /** Answers MCP servers' questions instead of the terminal. */
  readonly elicit?: ElicitByProgram | undefined;
  /** MCP servers by name, in addition to those of files. */
  readonly mcpServers?: Readonly<Record<string, McpServerOptions>> | undefined;
  /** Uses only these MCP servers. */
  readonly strictMcpConfig?: boolean | undefined;
  /** Trusts the repository's current content for this session. Otherwise the user is asked, if present. */
  readonly trustProject?: boolean;
  /** An earlier decision about the repository's content; the user is not asked again. */
  readonly trust?: TrustGate | undefined;
  /** Called with the settings once they are read and the user has decided about the repository's content. */
  readonly onConfig?: ((config: LoadedConfig) => void) | undefined;
  /** Adds the vendors and models of a program to those of the user. */
  readonly withModels?: ((catalogue: Catalogue) => Catalogue) | undefined;
  /** Write the exchanges with models and the results of tools to this file. */
  readonly record?: string | undefined;
  /** Replays such a file: no network, processes or files are used. */
  readonly replay?: string | undefined;
}

/** Loads settings, instructions and extensions of a directory and opens a session in it. */
export async function createInteractiveSession(
  options: InteractiveSessionOptions = {},
): Promise<InteractiveSession> {
  checkOptions('createInteractiveSession', options, interactiveShape);
  return openInteractiveSession(options);
}

/** Does the work of `createInteractiveSession` for options that were checked. */
export async function openInteractiveSession(
  options: InteractiveSessionOptions,
): Promise<InteractiveSession> {
  const early: Problem[] = [];
  let tell = (problem: Problem): void => void early.push(problem);
  const onProblem = (problem: Problem) => tell(problem);
  const { cwd, project, host, files } = await filesOf(options, onProblem);
  const [loaded, context, projectInfo] = await Promise.all([
    files.readConfig(),
    options.context ?? files.readContext?.() ?? { instructions: [] },
    options.projectInfo ?? detectProject(cwd),
  ]);
  options.onConfig?.(loaded);
  const { trustProject = false, settings: givenSettings, pluginDirectories } = options;
  const place = { cwd: project, host, trustProject };
  assertHooksRun(loaded, options.settings);
  const live = new LiveSettings({
    config: loaded,
    place,
    options,
    given: { givenSettings, pluginDirectories },
  });
  const { config } = live;
  const resources = await files.readResources(config);
  const reload = options.replay === undefined ? files.readContext : undefined;
  const agents = agentsOf({ agents: [...(options.agents ?? []), ...resources.agents] });
  // A name in the settings that no agent has is told; one that was asked for is an error.
  const { agent: wanted } = config.settings;
  const isKnown = agents.some(({ name }) => name === wanted);
  if (wanted !== undefined && !isKnown && options.agent === undefined)
    onProblem(
      warning('agent.unknown', sentence`Unknown agent "${{ agent: wanted }}" in the settings.`, {
        subject: 'agent',
      }),
    );
  const agent = options.agent ?? (isKnown ? wanted : undefined);
  const acting = actingAgent({ ...options, agent }, agents);
  const base = { ...acting, cwd, config, live, context, projectInfo, ...given('reloadContext', reload) };
  const full = withResources(base, resources);
  const extensions = extensionsOf(full);
  const registries = new Registries<InteractiveSession>();
  if (options.builtInCommands !== false)
    await registries.load((await import('../commands/built-in-commands.ts')).builtInCommands);
  for (const extension of extensions) await registries.load(extension);
  for (const name of options.hiddenCommands ?? []) registries.commands.hide(name);
  early.unshift(...resources.problems, ...doubtsAbout(resources, full, registries));
  const onStoreProblem = (problem: SessionProblem) => onProblem(storeProblem(problem));
  const store = await options.sessions?.(onStoreProblem);
  const { data: home } = userPaths(host);
  const kept = new KeptSessions({ home, cwd: project, store, onProblem: onStoreProblem });
  const secrets = secretsToHide(config, options);
  const opened = await tapFor(options, { cwd, home: host.home, redact: textRedactor(secrets) });
  // A new session has no file before its first entry, so problems with the model or the rules leave none behind.
  const handle =
    options.handle ??
    opened?.handle ??
    (await openHandle(opened?.replay ? 'none' : (options.store ?? 'new'), kept, options));
  const logger = options.logger ?? loggerFor(handle, { secrets, onProblem, debugFile: options.debugFile });
  const ready = {
    ...full,
    config: opened?.replay ? config : await servedConfig({ ...full, handle }),
    ...givenFields({ tap: opened?.tap, handle, logger }),
  };
  const isWatched = options.terminal !== undefined && options.extensionFiles !== false;
  const watched = isWatched ? { cwd: project, host, config, ui: options.terminal, onProblem } : undefined;
  const added = { base, resources, extensions, mcp: files.mcp, readAgain: () => files.readAgain(), watched };
  const session = await start(ready, { registries, kept, early, added, ...given('replay', opened?.replay) });
  installHooksOf(agents, agent, session);
  if (options.name !== undefined) await session.branches.setName(options.name);
  if (options.keepUnused) await handle?.keepUnused();
  void session.getSession().begin();
  tell = (problem) => session.getSession().notify(problemNotice(problem));
  return session;
}

/** The settings that a session of these options would have. The user is asked about the repository's content, if present. */
export async function sessionConfig(options: InteractiveSessionOptions): Promise<LoadedConfig> {
  return (await filesOf(options)).files.readConfig();
}

/** The one place where the options of a session become the files that it reads. */
async function filesOf(options: InteractiveSessionOptions, onProblem: (problem: Problem) => void = () => {}) {
  const { settingSources, settingFiles } = options;
  const host = {
    ...(options.host ?? (await processHost())),
    ...givenFields({ settingSources, settingFiles }),
  };
  const cwd = realDirectory(options.cwd ?? process.cwd());
  const project = options.project === undefined ? cwd : realDirectory(options.project);
  const hasContextFiles = options.context === undefined && options.contextFiles !== false;
  const files = new SessionFiles({ ...options, cwd: project, host, hasContextFiles, onProblem });
  return { cwd, project, host, files };
}

/** A session that works as an agent is under its hooks, too. */
function installHooksOf(
  agents: readonly IAgentDefinition[],
  agent: string | undefined,
  session: InteractiveSession,
): void {
  const { hooks } = agents.find(({ name }) => name === agent) ?? {};
  if (hooks) session.getSession().state.peek(hookInstaller)?.install(hooks);
}

/** Hooks that a program relies on must not be switched off unseen. */
function assertHooksRun({ areHooksOff }: LoadedConfig, settings: readonly JsonObject[] = []): void {
  if (!areHooksOff || !settings.some(({ hooks }) => hooks !== undefined)) return;
  const advice = 'Take "disableAllHooks" out of your settings, or leave the hooks out.';
  throw new AgentError(
    'config',
    `The given hooks would never run: your settings disable all hooks. ${advice}`,
  );
}

interface Beginnings {
  readonly registries: Registries<InteractiveSession>;
  readonly kept: KeptSessions;
  /** Problems from before there was a session to report them. */
  readonly early: readonly Problem[];
  /** The resources of files, and how to reload them. */
  readonly added: Pick<SessionExtensionsServices, 'resources' | 'extensions' | 'readAgain'> & {
    readonly base: CreateSessionOptions;
    readonly mcp: SessionMcp;
    /** With a user present, components are reloaded when their files change. */
    readonly watched: ComponentContext | undefined;
  };
  readonly replay?: Replay;
}

async function start(
  options: CreateSessionOptions,
  { registries, kept, early, added, replay }: Beginnings,
): Promise<InteractiveSession> {
  const { handle } = options;
  try {
    const assembled = assembleSession(options, registries);
    const { session, permissions, connect, redact, kit, checkpoints } = assembled;
    const tasks = session.state.get(taskRegistry);
    await tasks.countInterrupted();
    const { base, watched, mcp, ...read } = added;
    const { config, context } = options;
    const extensions = new SessionExtensions({ session, registries, kit, options: base, ...read });
    if (watched) await followComponents(session, extensions, watched);
    return new InteractiveSession({
      conversation: session,
      tasks,
      mcp,
      permissions,
      connect,
      learn: kit.learn,
      redact,
      commands: registries.commands,
      kept,
      place: { cwd: kept.cwd, host: config.host },
      extensions,
      ...givenFields({ live: options.live, checkpoints, replay }),
      ui: options.terminal ?? silentInterface,
      models: config.catalogue.models,
      problems: [
        ...[...config.problems, ...permissions.problems].filter((problem) => !isSettled(problem, registries)),
        ...(context.problems ?? []),
        ...registries.clashes(),
        ...early,
        ...unreadVariables(config.host.env),
        ...(handle?.problems ?? []).map(storeProblem),
        ...interruptedProblems(tasks.lost),
        ...smallWindowProblems(session.model),
        ...kit.models.flatMap(({ model }) => unkeepableLimit(options, model)),
      ],
    });
  } catch (thrown) {
    await handle?.close();
    throw thrown;
  }
}

/** A warning about a tool that an extension has added is obsolete. */
function isSettled({ code, subject }: Problem, { tools }: Registries<InteractiveSession>): boolean {
  return code === 'rule.unfamiliar-tool' && subject !== undefined && tools.get(subject) !== undefined;
}

function storeProblem({ code, message, hint }: SessionProblem): Problem {
  return warning(`session.${code}`, message, { hint });
}

/** Nothing is loaded if there is no folder to watch. */
async function followComponents(
  session: Conversation,
  extensions: SessionExtensions,
  place: ComponentContext,
): Promise<void> {
  const { cwd, host, config } = place;
  const folders = componentFolders({ cwd, host, plugins: config.plugins }).map(({ path }) => path);
  if (folders.length === 0) return;
  const { watchComponents } = await import('@robota-sdk/agent-resources');
  watchComponents({ session, extensions, place, folders });
}

/** Variables of Claude Code that change its answers and that Robota does not read, with ours. */
const foreignVariables: Readonly<Record<string, string>> = {
  ANTHROPIC_CUSTOM_HEADERS: 'Write "headers" of a vendor into models.json.',
  API_TIMEOUT_MS: 'Use the setting "idleTimeoutMs".',
  BASH_DEFAULT_TIMEOUT_MS: 'The model gives a timeout with each command.',
  BASH_MAX_TIMEOUT_MS: 'The model gives a timeout with each command.',
  CLAUDE_CODE_EFFORT_LEVEL: 'Use --effort LEVEL.',
  CLAUDE_CODE_MAX_OUTPUT_TOKENS: 'Write "maxOutputTokens" into the profile of the model.',
  CLAUDE_CODE_USE_BEDROCK: 'Use --model bedrock/MODEL.',
  CLAUDE_CODE_USE_VERTEX: 'Use --model vertex/MODEL.',
  CLAUDE_CODE_SUBAGENT_MODEL: 'Write "model" into the file of the agent.',
  MAX_MCP_OUTPUT_TOKENS: 'Long results are saved to a file that the model can search.',
  MAX_THINKING_TOKENS: 'Use --max-thinking-tokens N.',
  MCP_TIMEOUT: 'Write "timeoutMs" into the definition of the server.',
  MCP_TOOL_TIMEOUT: 'Write "timeoutMs" into the definition of the server.',
};

function unreadVariables(env: HostEnvironment['env']): readonly Problem[] {
  return Object.entries(foreignVariables).flatMap(([name, hint]) =>
    env[name] ? [warning('env.unread', sentence`${{ name }} is not read.`, { subject: name, hint })] : [],
  );
}

/** A limit in dollars needs a known price. */
function unkeepableLimit(options: CreateSessionOptions, { vendor, id, api, price }: Model): Problem[] {
  const { maxCost, config } = options;
  const { budget } = config.settings;
  if (price || api === 'offline' || (maxCost === undefined && Object.keys(budget).length === 0)) return [];
  const model = `${vendor}/${id}`;
  const message = sentence`No price is known for ${{ model }}, so a limit on the cost cannot be enforced.`;
  return [warning('budget.unknown-price', message, { subject: model, isInactive: true })];
}

/** Loads nothing for most sessions, which have none. */
async function tapFor(
  options: InteractiveSessionOptions,
  place: { readonly cwd: string; readonly home: string; redact(text: string): string },
) {
  if (options.record === undefined && options.replay === undefined) return undefined;
  const { openTap } = await import('@robota-sdk/agent-sessions');
  return openTap(options, place);
}

async function openHandle(
  choice: StoredSessionChoice,
  kept: KeptSessions,
  {
    fork,
    keep = true,
    terminal,
    sessionId,
  }: Pick<InteractiveSessionOptions, 'fork' | 'keep' | 'terminal' | 'sessionId'>,
): Promise<SessionHandle | undefined> {
  if (choice === 'none') return undefined;
  const { store, cwd } = kept;
  if (choice === 'new') return keep ? store.create({ cwd, ...given('id', sessionId) }) : undefined;
  const open = async (reference: string) => {
    if (!keep) return unkeptCopy(await store.open(reference, { mode: 'read' }), cwd);
    return fork ? store.fork(reference, { cwd }) : store.open(reference);
  };
  if (choice === 'latest') {
    const latest = await store.latest(cwd);
    return latest ? open(latest.id) : store.create({ cwd });
  }
  if ('open' in choice) return open((await findSession(choice.open, kept, terminal)).path);
  if (fork || existsSync(choice.path)) return open(choice.path);
  assertDirectoryOf(choice.path);
  return store.create({ cwd, file: choice.path });
}

/** A missing directory is probably a typo. */
function assertDirectoryOf(path: string): void {
  const directory = dirname(resolve(path));
  if (existsSync(directory) && statSync(directory).isDirectory()) return;
  throw new AgentError(
    'usage',
    `Directory not found: ${directory} (for the session ${path}). Create it first, or choose an existing one.`,
  );
}

interface LoggerOptions {
  readonly secrets: readonly string[];
  readonly debugFile: string | undefined;
  onProblem(problem: Problem): void;
}

function loggerFor(
  handle: SessionHandle | undefined,
  { debugFile, ...options }: LoggerOptions,
): ISessionLogger | undefined {
  const own = handle?.directory === undefined ? [] : [join(handle.directory, 'log.jsonl')];
  const files = debugFile === undefined ? own : [...own, debugFile];
  const loggers = files.map(
    (file) => new FileSessionLogger({ file, sessionId: handle?.id ?? '', ...options }),
  );
  return loggers.length > 1 ? new JoinedLogger(loggers) : loggers[0];
}

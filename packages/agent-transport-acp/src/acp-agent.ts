import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { EnvVariable, McpServer } from '@agentclientprotocol/sdk';
import {
  type AgentContext,
  type AuthMethod,
  type InitializeRequest,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  RequestError,
  type ResumeSessionRequest,
  type SetSessionConfigOptionRequest,
  type SetSessionConfigOptionResponse,
  type SetSessionModeRequest,
} from '@agentclientprotocol/sdk';
import {
  AgentError,
  configuredServers,
  createInteractiveSession,
  describeProblem,
  errorMessage,
  type InteractiveSession,
  type InteractiveSessionOptions,
  keyOrigins,
  modelInUse,
  ownCatalogue,
  ownSessions,
  removeKey,
  sessionConfig,
  sessionLabel,
  tidyOwnSessions,
} from '@robota-sdk/agent-sdk/front-end';
import { AcpSession, requestErrorOf } from './acp-session.ts';
import { ClientEditor } from './client-editor.ts';
import { clientOptions } from './client-options.ts';
import { EditorInterface } from './editor-interface.ts';
import { replayHistory } from './replay-history.ts';
import { type EditorClient, SessionChannel } from './session-channel.ts';
import { setConfigOption, setMode } from './session-settings.ts';

export interface AcpAgentOptions {
  /** Options of every session: model, mode, rules. */
  readonly session: InteractiveSessionOptions;
  readonly version: string;
  /** Takes what is worth a line in a log. */
  log(text: string): void;
}

/** A request for a session: where, and with what beside it. */
type Opening = Pick<NewSessionRequest, 'cwd' | 'additionalDirectories' | 'mcpServers' | '_meta'>;

/** Commands that make no sense where the editor decides about sessions. */
const leftToEditor = ['exit', 'new', 'resume'];

const pageSize = 50;
const loginMethod = 'robota-login';

/** The sessions of one editor, and what it can ask for. */
export class AcpAgent {
  readonly #options: AcpAgentOptions;
  readonly #sessions = new Map<string, AcpSession>();
  /** Sessions that are open, also those that the editor does not know yet. */
  readonly #opened = new Set<InteractiveSession>();
  #capabilities: EditorClient['capabilities'] = {};
  #tidied: Promise<void> | undefined;

  constructor(options: AcpAgentOptions) {
    this.#options = options;
  }

  initialize({ clientCapabilities = {} }: InitializeRequest): InitializeResponse {
    this.#capabilities = clientCapabilities;
    // Forks are not yet in the stable protocol, but editors that know them may use them.
    const sessionCapabilities = {
      list: {},
      resume: {},
      close: {},
      delete: {},
      fork: {},
      additionalDirectories: {},
    };
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'robota', title: 'Robota', version: this.#options.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities,
        auth: { logout: {} },
      },
      authMethods: [authMethod(clientCapabilities)],
    };
  }

  /** Keys are not given through editors; whether there is one can be told. */
  async authenticate(methodId: string): Promise<void> {
    if (methodId !== loginMethod)
      throw RequestError.invalidParams({ methodId }, `the only method is ${loginMethod}`);
    const found = modelInUse(await sessionConfig(this.#options.session));
    if (!found.ok) throw requestErrorOf({ code: 'auth', message: describeProblem(found.problem) });
  }

  /** Removes every stored key, since the protocol wants new sessions to require a login; reports keys from other sources. */
  async logout(): Promise<void> {
    const { host, storedKeys } = await sessionConfig(this.#options.session);
    for (const vendor of Object.keys(storedKeys)) await removeKey(vendor, host);
    const left = await sessionConfig(this.#options.session);
    const origins = keyOrigins(left).flatMap(({ origin }) => origin ?? []);
    if (origins.length === 0) return;
    const others = [...new Set(origins)].join(', ');
    const message = `Stored keys are removed, but sessions can still use a key from: ${others}. Remove it there.`;
    throw requestErrorOf({ code: 'key-elsewhere', message });
  }

  async create(request: Opening, context: AgentContext) {
    const opened = await this.#open(request, { store: 'new' }, context);
    this.#introduce(opened);
    // Nothing waits for it: a session that is not removed now is removed the next time.
    this.#tidied ??= tidyOwnSessions().catch(() => {});
    return { sessionId: opened.session.id, ...opened.choices };
  }

  /** Opens a kept session and tells all of it again. */
  async load(request: LoadSessionRequest, context: AgentContext) {
    const opened = await this.#reopen(request, context);
    await replayHistory(opened.channel, opened.session);
    this.#introduce(opened);
    return opened.choices;
  }

  /** Opens a kept session that the editor still remembers. */
  async resume(request: ResumeSessionRequest, context: AgentContext) {
    const opened = await this.#reopen({ mcpServers: [], ...request }, context);
    this.#introduce(opened);
    return opened.choices;
  }

  /** Continues in a copy; the original session is unchanged. */
  async fork(request: LoadSessionRequest, context: AgentContext) {
    const open = await this.#pathOf(request.sessionId);
    const opened = await this.#open(request, { store: { open }, fork: true }, context);
    this.#introduce(opened);
    return { sessionId: opened.session.id, ...opened.choices };
  }

  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const catalogue = await ownCatalogue();
    const { sessions } = await catalogue.list(cwd ? { cwd: realDirectory(cwd) } : {});
    const from = Number(cursor ?? 0);
    if (!Number.isInteger(from) || from < 0) throw RequestError.invalidParams({ cursor }, 'unknown cursor');
    const next = from + pageSize;
    return {
      sessions: sessions.slice(from, next).map((session) => ({
        sessionId: session.id,
        cwd: session.cwd,
        title: sessionLabel(session),
        updatedAt: session.modified,
      })),
      ...(next < sessions.length ? { nextCursor: String(next) } : {}),
    };
  }

  /** Deletes a session that is not open. */
  async delete(sessionId: string): Promise<void> {
    await this.#sessions.get(sessionId)?.close();
    const path = await this.#pathOf(sessionId);
    await (await ownSessions()).delete(path).catch((thrown: unknown) => {
      throw AgentError.is(thrown) ? requestErrorOf(thrown) : thrown;
    });
  }

  /** A session that is open. */
  get(sessionId: string): AcpSession {
    const session = this.#sessions.get(sessionId);
    if (!session) throw RequestError.sessionNotFound(sessionId);
    return session;
  }

  setMode({ sessionId, modeId }: SetSessionModeRequest): Record<string, never> {
    const opened = this.get(sessionId);
    setMode(opened.session, modeId);
    opened.noteChoices();
    return {};
  }

  async setConfigOption(request: SetSessionConfigOptionRequest): Promise<SetSessionConfigOptionResponse> {
    const opened = this.get(request.sessionId);
    await setConfigOption(opened.session, request);
    opened.noteChoices();
    return { configOptions: opened.configOptions };
  }

  /** Stops and saves everything. */
  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#sessions.values()].map((session) => session.close()));
    await Promise.allSettled([...this.#opened].map((session) => session.shutdown()));
  }

  async #reopen(request: LoadSessionRequest, context: AgentContext): Promise<AcpSession> {
    const known = this.#sessions.get(request.sessionId);
    if (known) return known;
    const open = await this.#pathOf(request.sessionId);
    return this.#open(request, { store: { open } }, context);
  }

  async #open(
    request: Opening,
    choice: Pick<InteractiveSessionOptions, 'store' | 'fork'>,
    context: AgentContext,
  ): Promise<AcpSession> {
    const cwd = realDirectory(request.cwd);
    const { log } = this.#options;
    const own = clientOptions(request._meta, this.#options.session);
    const client: EditorClient = { context, log, capabilities: this.#capabilities };
    const ui = new EditorInterface();
    const editor = new ClientEditor(client, { named: request.cwd, real: cwd });
    const session = await createInteractiveSession({
      ...own,
      ...choice,
      cwd,
      additionalDirectories: [
        ...(own.additionalDirectories ?? []),
        ...(request.additionalDirectories ?? []).map(realDirectory),
      ],
      mcpServers: { ...own.mcpServers, ...givenServers(request.mcpServers) },
      // An editor may come back in another process for a session that it never prompted.
      keepUnused: true,
      hiddenCommands: leftToEditor,
      terminal: ui,
      waitsForLimits: true,
      editor: editor.port,
    }).catch((thrown: unknown) => {
      throw AgentError.is(thrown) ? requestErrorOf(thrown) : thrown;
    });
    this.#opened.add(session);
    session.subscribe(({ type }) => {
      if (type !== 'session-close') return;
      this.#opened.delete(session);
      this.#sessions.delete(session.id);
    });
    const channel = new SessionChannel(client, session.id, (text) => session.redact(text));
    const vendors = await usableVendors({ ...own, cwd, trust: session.live?.config.trust });
    const opened = new AcpSession({ session, channel, ui, editor, vendors });
    this.#sessions.set(channel.sessionId, opened);
    await session.tasks.resumeWaiting();
    return opened;
  }

  /** After the answer, since the editor has no session to put it to before. */
  #introduce(opened: AcpSession): void {
    setImmediate(() => void opened.introduce());
  }

  /** Only whole ids: what an editor asks for is never a guess. */
  async #pathOf(sessionId: string): Promise<string> {
    const known = await (await ownCatalogue()).paths();
    const found = known.find(({ id }) => id === sessionId);
    if (!found) throw RequestError.sessionNotFound(sessionId);
    return found.path;
  }
}

function authMethod({ auth }: EditorClient['capabilities']): AuthMethod {
  const method = {
    id: loginMethod,
    name: 'Log in with a key',
    description:
      'Run "robota login" in a terminal, or set the variable of your vendor, such as ANTHROPIC_API_KEY.',
  };
  return auth?.terminal ? { ...method, type: 'terminal', args: ['login'] } : method;
}

/** A directory with its links resolved; says what is wrong with any other. */
function realDirectory(path: string): string {
  if (!isAbsolute(path))
    throw RequestError.invalidParams({ cwd: path }, 'the directory must be an absolute path');
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch (thrown) {
    throw RequestError.invalidParams({ cwd: path }, `no such directory (${errorMessage(thrown)})`);
  }
  throw RequestError.invalidParams({ cwd: path }, 'it is not a directory');
}

async function usableVendors(options: InteractiveSessionOptions): Promise<ReadonlySet<string>> {
  const config = await sessionConfig(options);
  return new Set(configuredServers(config).map(({ vendor }) => vendor.id));
}

type Servers = NonNullable<InteractiveSessionOptions['mcpServers']>;

/** The MCP servers that an editor hands on, as a session takes them. */
function givenServers(servers: readonly McpServer[]): Servers {
  return Object.fromEntries(servers.map((server) => [server.name, serverOf(server)]));
}

function serverOf(server: McpServer): Servers[string] {
  if ('url' in server) return { type: server.type, url: server.url, headers: byName(server.headers) };
  const { command, args, env } = server;
  return { type: 'stdio', command, args, env: byName(env) };
}

function byName(pairs: readonly Pick<EnvVariable, 'name' | 'value'>[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

import type { PriorDiscovery, RequestOptions } from '@modelcontextprotocol/client';
import {
  AgentError,
  type HookProcesses,
  type JsonObject,
  type JsonValue,
  jsonCopy,
  orAborted,
  startTimer,
} from '@robota-sdk/agent-core';
import { defaultCallMs, defaultStartMs, type McpServerSettings } from '../contract/mcp-server-settings.ts';
import type { McpKnowledge, McpProtocol, McpServerState, McpStatus } from '../contract/mcp-server-state.ts';
import type { McpServersOptions } from '../contract/mcp-servers-options.ts';
import { schemaTokens } from '../contract/schema-tokens.ts';
import { namePart } from '../contract/tool-name.ts';
import { type ConnectOptions, connectServer, type McpConnection, unlimitedMs } from './connect-server.ts';
import { defaultAnswers, type ElicitationAnswers, programAnswers } from './default-answers.ts';
import { Elicitor } from './elicitor.ts';
import { modernIn } from './era-probe.ts';
import { brokenOff } from './guarded-fetch.ts';
import type { ProcessTransport } from './process-transport.ts';
import { offeredKnowledge, readKnowledge } from './read-knowledge.ts';
import { type McpRequestOptions, type McpWork, RequestWatch, SilenceError } from './request-watch.ts';
import { lostSession, reasonOf, serverFailure, wantsLogin } from './server-failure.ts';

export interface McpServerServices {
  readonly options: McpServersOptions;
  readonly processes: HookProcesses;
  onChange(server: McpServerConnection): void;
}

const nothingKnown: McpKnowledge = { tools: [], prompts: [], hasResources: false };
const firstBackOffMs = 500;
const longestBackOffMs = 15_000;
/** How often in a row a server is started again after it died. */
const maxStreak = 5;
/** Uptime after which the restart counter resets. */
const healthyMs = 60_000;
/** How long a failure stands before the next use tries again. */
const failureMs = 10_000;
/** How long a server is taken to speak the revision it spoke when it was asked. */
const protocolMs = 24 * 3_600_000;

/** One server: starts it, keeps it going within bounds, and speaks to it in its name. */
export class McpServerConnection {
  readonly config: McpServerSettings;
  readonly #parts: McpServerServices;
  readonly #elicitor: ElicitationAnswers | undefined;
  readonly #watch: RequestWatch;
  #status: McpStatus;
  #error: AgentError | undefined;
  #knowledge = nothingKnown;
  #isKnown = false;
  #connection: McpConnection | undefined;
  /** How many requests are under way on each connection. */
  readonly #requests = new Map<McpConnection, number>();
  #learning: { isStale: boolean } | undefined;
  #process: ProcessTransport | undefined;
  #starting: Promise<void> | undefined;
  /** Cancels the start in progress. */
  #stopping = new AbortController();
  #restarts = 0;
  #streak = 0;
  #startMs: number | undefined;
  #changedAt = 0;

  constructor(config: McpServerSettings, parts: McpServerServices) {
    this.config = config;
    this.#parts = parts;
    this.#watch = new RequestWatch(config.callTimeoutMs ?? defaultCallMs);
    this.#status = config.isDisabled ? 'disabled' : 'idle';
    this.#elicitor = this.#answersOf(config);
  }

  get state(): McpServerState {
    const { client } = this.#connection ?? {};
    const { name } = this.config;
    const info = client?.getServerVersion();
    const instructions = client?.getInstructions();
    const protocolVersion = client?.getNegotiatedProtocolVersion();
    const { tools, protocol, ...offered } = this.#knowledge;
    const pid = this.#connection?.process?.pid;
    return {
      name,
      status: this.#status,
      ...(this.#error ? { error: this.#error.message } : {}),
      stderrTail: this.#process?.stderrTail ?? '',
      ...(info ? { serverInfo: { name: info.name, version: info.version } } : {}),
      ...(protocolVersion === undefined ? {} : { protocolVersion }),
      ...(instructions === undefined ? {} : { instructions }),
      tools,
      ...offered,
      get tokens() {
        return schemaTokens(name, tools);
      },
      restarts: this.#restarts,
      ...(pid === undefined ? {} : { pid }),
      ...(this.#startMs === undefined ? {} : { startMs: this.#startMs }),
    };
  }

  /** True if what it offers is known, from itself or from last time. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** The server's own name for a tool it offers, which may be given as it is called by here. */
  ownName(tool: string): string {
    const { tools } = this.#knowledge;
    const found =
      tools.find(({ name }) => name === tool) ?? tools.find(({ name }) => namePart(name) === tool);
    if (found) return found.name;
    throw new AgentError('tool', `The MCP server "${this.config.name}" offers no tool "${tool}".`);
  }

  get elicitor(): ElicitationAnswers | undefined {
    return this.#elicitor;
  }

  /** Answers the server's questions: its defaults, the program, the user, or none. */
  #answersOf({ name, elicitation }: McpServerSettings): ElicitationAnswers | undefined {
    if (elicitation === 'defaults') return defaultAnswers;
    const { ui, openUrl, elicit } = this.#parts.options;
    const onAsk = () => this.#watch.hold();
    if (elicit) return programAnswers(name, { elicit, onAsk });
    return ui && new Elicitor({ server: name, ui, ...(openUrl ? { openUrl } : {}), onAsk });
  }

  /** Takes over what is remembered of it. */
  async recall(): Promise<void> {
    if (this.#status === 'disabled') return;
    const remembered =
      this.#offered() ?? (await this.#parts.options.memory?.recall(this.config).catch(() => undefined));
    if (!remembered || this.#isKnown) return;
    this.#knowledge = remembered;
    this.#isKnown = true;
  }

  /** The tools that a server of the program was announced with. */
  #offered(): McpKnowledge | undefined {
    if (this.config.transport.kind !== 'program') return undefined;
    const offered = this.#parts.options.program?.(this.config.name).offered;
    return offered && offeredKnowledge(offered, this.config);
  }

  /** Starts with the session, unless it is to wait for its first use and that can be known. */
  begin(): void {
    if (this.#status !== 'idle' || (this.config.lifecycle === 'lazy' && this.#isKnown)) return;
    void this.start();
  }

  /** Starts the server if it is not running; settles when it is ready or has failed, and never rejects. */
  start(): Promise<void> {
    if (this.#status === 'ready') return Promise.resolve();
    this.#starting ??= this.#startOnce().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Waits for a start in progress. */
  async settled(): Promise<void> {
    while (this.#starting !== undefined) await this.#starting;
  }

  async restart(): Promise<void> {
    await this.#end();
    this.#streak = 0;
    await this.start();
  }

  async stop(status: McpStatus = 'stopped'): Promise<void> {
    await this.#end();
    this.#become(status);
  }

  /**
   * Does something with the server, waiting for it if it is starting. The work fails, in the server's name, when the server
   * dies, is silent for too long or is not to be had; a cancelled one tells the server.
   */
  async request<T>(work: McpWork<T>, options: McpRequestOptions = {}): Promise<T> {
    const connection = await this.#connected(options.signal);
    try {
      return await this.#during(connection, work, options);
    } catch (thrown) {
      if (!lostSession(thrown, connection.client)) throw this.#failure(thrown, connection, options);
    }
    // Nothing was done: the server had forgotten who we are.
    this.#renew(connection);
    const again = await this.#connected(options.signal);
    return this.#during(again, work, options).catch((thrown: unknown) => {
      throw this.#failure(thrown, again, options);
    });
  }

  /** A connection that was replaced is closed by the last request on it. */
  async #during<T>(connection: McpConnection, work: McpWork<T>, options: McpRequestOptions): Promise<T> {
    this.#requests.set(connection, (this.#requests.get(connection) ?? 0) + 1);
    try {
      return await this.#watch.run(connection.client, work, options);
    } finally {
      const left = (this.#requests.get(connection) ?? 1) - 1;
      if (left > 0) this.#requests.set(connection, left);
      else this.#requests.delete(connection);
      if (left === 0 && this.#connection !== connection) void connection.close().catch(() => {});
    }
  }

  /** Connects again, once for all requests that found their session lost. */
  #renew(connection: McpConnection): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#status = 'idle';
    void this.start();
  }

  /** Throws why a tool of it cannot be called; waits for its start where it has not yet said what it offers. */
  async assertOffers(tool: string, signal: AbortSignal): Promise<void> {
    if (this.#isKnown && this.#status !== 'failed') return;
    await this.#connected(signal);
    this.ownName(tool);
  }

  #failure(thrown: unknown, connection: McpConnection, { signal }: McpRequestOptions): unknown {
    if (signal?.aborted || AgentError.is(thrown)) return thrown;
    if (wantsLogin(thrown)) {
      this.#fail('needs-login', this.#loginNeeded(thrown));
      return this.#error;
    }
    const { process } = connection;
    const isDead = this.#connection !== connection || process?.end !== undefined;
    const why =
      isDead && process?.end ? `${process.end} before it had answered` : `failed: ${reasonOf(thrown)}`;
    const silence =
      thrown instanceof SilenceError ? `did not answer within ${thrown.limitMs / 1000} seconds` : why;
    const scene = { server: this.config.name, ...(isDead ? { stderrTail: process?.stderrTail } : {}) };
    return serverFailure(scene, silence, thrown);
  }

  async #connected(signal: AbortSignal | undefined): Promise<McpConnection> {
    if (this.#status === 'disabled' || this.#status === 'stopped')
      throw serverFailure({ server: this.config.name }, `is ${this.#status}; it can be started with /mcp`);
    const isStale = this.#status === 'failed' && Date.now() - this.#changedAt > failureMs;
    if (this.#status === 'idle' || this.#starting !== undefined || isStale)
      await orAborted(this.start(), signal);
    if (this.#connection && this.#status === 'ready') return this.#connection;
    throw this.#error ?? serverFailure({ server: this.config.name }, `is not ready (${this.#status})`);
  }

  async #startOnce(): Promise<void> {
    const stopping = this.#stopping.signal;
    this.#become('starting');
    for (;;) {
      const startedAt = performance.now();
      const failure = await this.#attempt(stopping);
      if (stopping.aborted) return;
      if (failure === undefined) {
        this.#startMs = Math.round(performance.now() - startedAt);
        return;
      }
      // Restart only servers that have worked before.
      if (this.#streak === 0 || this.#streak >= maxStreak || this.#status !== 'starting') {
        if (this.#status === 'starting') this.#fail('failed', failure);
        return;
      }
      await this.#backOff(stopping);
    }
  }

  /** Connects once; returns what went wrong. */
  async #attempt(stopping: AbortSignal): Promise<AgentError | undefined> {
    const limitMs = this.config.startTimeoutMs ?? defaultStartMs;
    const late = new AbortController();
    const timer = startTimer(limitMs, () => late.abort(new SilenceError(limitMs)));
    const signal = AbortSignal.any([stopping, late.signal]);
    const prior = this.#prior();
    let connection: McpConnection | undefined;
    try {
      const { options } = this.#parts;
      await options.mayStart?.(this.config);
      connection = await connectServer(this.#connectOptions(signal, prior));
      this.#connection = connection;
      this.#process = connection.process;
      await this.#learn(connection, { signal, timeout: unlimitedMs });
      if (stopping.aborted) await connection.close();
      return undefined;
    } catch (thrown) {
      this.#connection = undefined;
      await connection?.close();
      const isRemembered = prior !== undefined && !signal.aborted && !wantsLogin(thrown);
      if (!isRemembered) return this.#startFailure(late.signal.aborted ? late.signal.reason : thrown);
    } finally {
      timer.cancel();
    }
    // It may speak another revision by now.
    const { protocol, ...knowledge } = this.#knowledge;
    this.#knowledge = knowledge;
    return this.#attempt(stopping);
  }

  /** The remembered revision of the server; undefined after a day. */
  #prior(): PriorDiscovery | undefined {
    const { protocol } = this.#knowledge;
    if (!protocol || Date.now() - protocol.at > protocolMs) return undefined;
    return protocol.discover === undefined ? { kind: 'legacy' } : modernIn(protocol.discover);
  }

  #startFailure(thrown: unknown): AgentError {
    if (wantsLogin(thrown)) {
      const error = this.#loginNeeded(thrown);
      this.#fail('needs-login', error);
      return error;
    }
    const process = this.#process;
    const why =
      thrown instanceof SilenceError
        ? `was not ready within ${thrown.limitMs / 1000} seconds`
        : process?.end !== undefined
          ? `could not be started: it ${process.end}`
          : `could not be started: ${reasonOf(thrown)}`;
    const scene = { server: this.config.name, stderrTail: process?.stderrTail, rubbish: process?.rubbish };
    return serverFailure(scene, why, thrown);
  }

  #connectOptions(signal: AbortSignal, prior: PriorDiscovery | undefined): ConnectOptions {
    const { options, processes } = this.#parts;
    const stopping = this.#stopping.signal;
    return {
      config: this.config,
      options,
      processes,
      elicitor: this.#elicitor,
      signal,
      prior,
      onProcess: (process) => {
        this.#process = process;
      },
      onClose: (client) => {
        if (!stopping.aborted && this.#connection?.client === client) this.#died();
      },
      onBreak: (client) => {
        if (this.#connection?.client === client) this.#watch.fail(new Error(brokenOff));
      },
      onAlive: () => this.#watch.touch(),
      onListChange: () => {
        if (!stopping.aborted) void this.#learnAgain();
      },
    };
  }

  /** Asks for the offers after each change; once for all changes that are told meanwhile. */
  async #learnAgain(): Promise<void> {
    if (this.#learning) {
      this.#learning.isStale = true;
      return;
    }
    const learning = { isStale: true };
    this.#learning = learning;
    while (learning.isStale && this.#connection) {
      learning.isStale = false;
      await this.#learn(this.#connection, { timeout: defaultStartMs }).catch(() => {});
    }
    this.#learning = undefined;
  }

  /** Asks the server for its offers, and the user where they need approval. */
  async #learn(connection: McpConnection, options: RequestOptions): Promise<void> {
    const { memory, approve } = this.#parts.options;
    const read = await readKnowledge(connection.client, this.config, options);
    const offered = { ...read, protocol: this.#protocolOf(connection) };
    const knowledge = approve ? await approve(this.config, offered) : offered;
    // The connection may have ended meanwhile; then the result is obsolete.
    if (this.#connection !== connection) throw new Error('the connection was closed');
    if (!knowledge) {
      this.#knowledge = nothingKnown;
      return this.#fail(
        'unapproved',
        serverFailure(
          { server: this.config.name },
          'offers other tools than the user approved, and is not used until the user approves them',
        ),
      );
    }
    const isNew = !this.#isKnown || !sameJson(knowledge, this.#knowledge);
    this.#knowledge = knowledge;
    this.#isKnown = true;
    this.#error = undefined;
    this.#become('ready');
    if (isNew) await memory?.keep(this.config, knowledge).catch(() => {});
  }

  /** The revision for the memory, with the time at which the server was asked. */
  #protocolOf({ prior }: McpConnection): McpProtocol {
    const { protocol } = this.#knowledge;
    if (protocol && this.#prior()?.kind === prior.kind) return protocol;
    const at = Date.now();
    return prior.kind === 'modern' ? { at, discover: jsonCopy(prior.discover) as JsonObject } : { at };
  }

  /** It ended by itself: it is started again, after a while that grows. */
  #died(): void {
    const process = this.#connection?.process;
    this.#connection = undefined;
    if (this.#status !== 'ready') return;
    if (Date.now() - this.#changedAt > healthyMs) this.#streak = 0;
    const scene = { server: this.config.name, stderrTail: process?.stderrTail };
    this.#error = serverFailure(scene, process?.end ?? 'closed the connection');
    if (this.#streak >= maxStreak) return this.#fail('failed', this.#error);
    this.#become('starting');
    const stopping = this.#stopping.signal;
    this.#starting = this.#backOff(stopping)
      .then(() => (stopping.aborted ? undefined : this.#startOnce()))
      .finally(() => {
        this.#starting = undefined;
      });
  }

  async #backOff(stopping: AbortSignal): Promise<void> {
    const delayMs = Math.min(firstBackOffMs * 2 ** this.#streak, longestBackOffMs);
    this.#streak += 1;
    this.#restarts += 1;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      stopping.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          resolve();
        },
        { once: true },
      );
    });
  }

  async #end(): Promise<void> {
    this.#stopping.abort(new Error('stopped'));
    const open = new Set([...this.#requests.keys(), ...(this.#connection ? [this.#connection] : [])]);
    this.#connection = undefined;
    await Promise.all([...[...open].map(({ close }) => close()), this.settled()]);
    this.#stopping = new AbortController();
    this.#error = undefined;
    this.#status = 'idle';
  }

  #loginNeeded(thrown: unknown): AgentError {
    const { name } = this.config;
    return serverFailure(
      { server: name },
      `requires a login: run robota mcp login ${name}, or use /mcp`,
      thrown,
    );
  }

  #fail(status: McpStatus, error: AgentError): void {
    this.#error = error;
    this.#become(status);
  }

  #become(status: McpStatus): void {
    this.#status = status;
    this.#changedAt = Date.now();
    this.#parts.onChange(this);
  }
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a as JsonValue) === JSON.stringify(b as JsonValue);
}

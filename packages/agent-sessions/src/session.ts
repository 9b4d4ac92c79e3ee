import { randomUUID } from 'node:crypto';
import {
  AgentError,
  type AgentEvent,
  type AgentRun,
  type AnyTool,
  Authorizer,
  type EventSink,
  Hooks,
  type Message,
  MessageQueue,
  type Model,
  type ModelChoice,
  type RunOutcome,
  runAgent,
  SessionState,
  silentInterface,
  type ThinkingLevel,
  type ToolCallContent,
  type ToolOutput,
  type UserContent,
  type UserInterface,
  type WindowReason,
  type Workspace,
} from '@robota-sdk/agent-core';
import { type CompactionResult, compact } from './compaction/compact.ts';
import { type ContextState, contextState, needsCompaction } from './context-window.ts';
import { type ISessionLogger, SilentSessionLogger } from './session-logger.ts';
import { SessionRecorder } from './session-recorder.ts';
import type { SessionHandle } from './store/session-handle.ts';

/** What a session is made of; everything beyond `tools`, `models` and `systemMessage` has a sensible default. */
export interface SessionOptions {
  readonly tools: readonly AnyTool[];
  /** The model and its fallbacks. */
  readonly models: readonly [ModelChoice, ...ModelChoice[]];
  readonly systemMessage: string;
  /** The person at the terminal; without one, whatever needs a yes is denied. */
  readonly terminal?: UserInterface;
  readonly workspace?: Workspace;
  /** Where the conversation is kept; without one it lives in memory. */
  readonly handle?: SessionHandle;
  readonly logger?: ISessionLogger;
  readonly hooks?: Hooks;
  readonly queue?: MessageQueue;
  readonly thinking?: ThinkingLevel;
  readonly webSearch?: boolean;
  readonly maxTurns?: number;
  readonly maxCost?: number;
  readonly retry?: AgentRun['retry'];
  readonly execution?: AgentRun['execution'];
  /** The environment of child processes, without secrets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly outputDir?: string;
  readonly compactInstructions?: string;
  readonly authorize?: AgentRun['authorize'];
  readonly limitOutput?: (
    output: ToolOutput,
    call: ToolCallContent,
    outputDir: string,
  ) => Promise<ToolOutput>;
}

/** What one prompt may change. */
export interface PromptOptions {
  readonly maxTurns?: number;
  readonly maxCost?: number;
  readonly signal?: AbortSignal;
  readonly origin?: 'command';
}

/** One conversation: its messages, its queue, and at most one run at a time. */
export class Session {
  readonly id: string;
  readonly queue: MessageQueue;
  readonly hooks: Hooks;
  readonly state = new SessionState();
  readonly #options: SessionOptions;
  readonly #recorder: SessionRecorder;
  readonly #listeners = new Set<EventSink>();
  readonly #workspace: Workspace;
  #models: SessionOptions['models'];
  #thinking: ThinkingLevel;
  #messages: Message[];
  #controller: AbortController | undefined;
  #running: Promise<unknown> | undefined;
  #cost = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.id = options.handle?.id ?? randomUUID();
    this.queue = options.queue ?? new MessageQueue();
    this.hooks = options.hooks ?? new Hooks();
    this.#recorder = new SessionRecorder(options.handle, options.logger ?? new SilentSessionLogger());
    this.#models = options.models;
    this.#thinking = options.thinking ?? 'off';
    this.#messages = options.handle?.messages() ?? [];
    this.#workspace = options.workspace ?? { cwd: process.cwd(), additional: [], home: '/' };
  }

  /** The conversation as the model sees it. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  get model(): ModelChoice['model'] {
    return this.#models[0].model;
  }

  get thinking(): ThinkingLevel {
    return this.#thinking;
  }

  get isRunning(): boolean {
    return this.#controller !== undefined;
  }

  /** US dollars of all runs of this object. */
  get cost(): number {
    return this.#cost;
  }

  getSessionId(): string {
    return this.id;
  }

  getContextState(): ContextState {
    return contextState(this.#messages, this.model);
  }

  /** Receives every event of every run, until the returned function is called. */
  subscribe(listener: EventSink): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs the loop on a prompt and returns the answer; throws when there is none. */
  async run(text: string, options: PromptOptions = {}): Promise<string> {
    const outcome = await this.prompt([{ type: 'text', text }], options);
    if (outcome.error) throw new AgentError(outcome.error.code, outcome.error.message);
    return outcome.text;
  }

  /** Runs the loop on a prompt and tells how it ended. */
  async prompt(content: readonly UserContent[], options: PromptOptions = {}): Promise<RunOutcome> {
    return this.#exclusively(options.signal, async (signal) => {
      const run = this.#runOf(content, options, signal);
      const outcome = await runAgent(run, (event) => this.#receive(event));
      this.#cost += outcome.cost;
      await this.#recorder.flush();
      return outcome;
    });
  }

  steer(content: readonly UserContent[]): void {
    this.queue.steer(content);
  }

  followUp(content: readonly UserContent[]): void {
    this.queue.follow(content);
  }

  /** Stops what is going on; the conversation keeps what there is. Resolves when it has stopped. */
  async abort(): Promise<void> {
    this.#controller?.abort();
    await this.#running?.catch(() => {});
  }

  /** Replaces the older part of the conversation by a summary; the originals stay in the session's file. */
  async compact(instructions?: string): Promise<CompactionResult> {
    return this.#exclusively(undefined, (signal) =>
      this.#compact({ reason: 'manual', signal }, instructions),
    );
  }

  async setModel(models: SessionOptions['models']): Promise<void> {
    this.#models = models;
    const { vendor, id } = models[0].model;
    await this.#recorder.append({ type: 'model_change', provider: vendor, modelId: id });
  }

  async setThinking(level: ThinkingLevel): Promise<void> {
    this.#thinking = level;
    await this.#recorder.append({ type: 'thinking_level_change', thinkingLevel: level });
  }

  /** Starts over with an empty conversation; the old one stays in the file as another branch. */
  async clear(): Promise<void> {
    this.#assertIdle();
    this.#messages = [];
    await this.#recorder.restart();
  }

  /** Ends the session: stops the run, then lets go of files and processes. */
  async close(): Promise<void> {
    await this.abort();
    await this.#recorder.close();
  }

  #runOf(content: readonly UserContent[], options: PromptOptions, signal: AbortSignal): AgentRun {
    const own = this.#options;
    const outputDir = own.outputDir ?? `${this.#workspace.cwd}/.robota/outputs`;
    const ui = own.terminal ?? silentInterface;
    const { limitOutput } = own;
    const maxTurns = options.maxTurns ?? own.maxTurns;
    const maxCost = options.maxCost ?? own.maxCost;
    return {
      history: this.#messages,
      prompt: { content, ...(options.origin === undefined ? {} : { origin: options.origin }) },
      system: own.systemMessage,
      models: this.#models,
      thinking: this.#thinking,
      tools: own.tools,
      toolEnvironment: { workspace: this.#workspace, state: this.state, env: own.env ?? {}, outputDir, ui },
      hooks: this.hooks,
      queue: this.queue,
      sessionId: this.id,
      signal,
      authorize: own.authorize ?? this.#defaultAuthorize(ui),
      fitWindow: (messages, reason) => this.#fit(messages, reason, signal),
      ...(limitOutput ? { limitOutput: (output, call) => limitOutput(output, call, outputDir) } : {}),
      ...(maxTurns === undefined ? {} : { maxTurns }),
      ...(maxCost === undefined ? {} : { maxCost }),
      ...(own.webSearch === undefined ? {} : { webSearch: own.webSearch }),
      ...(own.retry === undefined ? {} : { retry: own.retry }),
      ...(own.execution === undefined ? {} : { execution: own.execution }),
    };
  }

  #defaultAuthorize(ui: UserInterface): AgentRun['authorize'] {
    const policy = {
      mode: 'default',
      rules: { allow: [], ask: [], deny: [] },
      workspace: this.#workspace,
    } as const;
    const authorizer = new Authorizer({ policy: () => policy, ui });
    return (request, signal) => authorizer.authorize(request, signal);
  }

  /** Deltas come by the thousand: they pass without a promise unless a listener wants to be waited for. */
  #receive(event: AgentEvent): void | Promise<void> {
    if (event.type === 'message-append') this.#messages.push(event.message);
    const recorded = this.#recorder.record(event);
    return recorded === undefined ? this.#publish(event) : recorded.then(() => this.#publish(event));
  }

  #publish(event: AgentEvent): void | Promise<void> {
    const waiting: Promise<void>[] = [];
    for (const listener of this.#listeners) {
      const answer = listener(event);
      if (answer instanceof Promise) waiting.push(answer);
    }
    if (waiting.length > 0) return Promise.all(waiting).then(() => {});
  }

  async #fit(messages: readonly Message[], reason: WindowReason, signal: AbortSignal) {
    if (reason === 'threshold' && !needsCompaction(messages, this.model)) return undefined;
    const result = await this.#compact({ reason, signal });
    return result.kind === 'unchanged' ? undefined : result.messages;
  }

  async #compact(
    { reason, signal }: { reason: 'manual' | WindowReason; signal: AbortSignal },
    focus?: string,
  ): Promise<CompactionResult> {
    const { compactInstructions, retry } = this.#options;
    const result = await compact({
      messages: this.#messages,
      choice: this.#models[0],
      reason,
      signal,
      ...(focus ? { focus } : {}),
      ...(compactInstructions === undefined ? {} : { instructions: compactInstructions }),
      ...(retry === undefined ? {} : { retry }),
    });
    if (result.kind === 'unchanged') return result;
    this.#messages = [...result.messages];
    if (result.kind === 'summarised') this.#cost += result.cost;
    await this.#recorder.append(result.entry);
    await this.#publish({ type: 'notice-show', level: 'info', text: compactedText(result, this.model) });
    return result;
  }

  async #exclusively<T>(
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.#assertIdle();
    const controller = new AbortController();
    this.#controller = controller;
    const forward = () => controller.abort();
    outer?.addEventListener('abort', forward, { once: true });
    if (outer?.aborted) forward();
    const running = work(controller.signal);
    this.#running = running;
    try {
      return await running;
    } finally {
      outer?.removeEventListener('abort', forward);
      this.#controller = undefined;
      this.#running = undefined;
    }
  }

  #assertIdle(): void {
    if (!this.isRunning) return;
    throw new AgentError('session', 'The session is busy; wait for the run to end, or steer it.');
  }
}

function compactedText(result: Exclude<CompactionResult, { kind: 'unchanged' }>, model: Model): string {
  const percent = (tokens: number) => `${Math.min(100, Math.round((tokens / model.contextWindow) * 100))}%`;
  const change = `Context compressed: ${percent(result.tokensBefore)} → ${percent(result.tokensAfter)}`;
  return result.notice === undefined ? change : `${change}. ${result.notice}`;
}

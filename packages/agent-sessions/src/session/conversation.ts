import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AgentError,
  type AgentEvent,
  type AgentRun,
  callback,
  checkArguments,
  type EventSink,
  givenFields,
  HookRegistry,
  homeDirectory,
  type Message,
  MessageQueue,
  type Model,
  type Notice,
  notifyAll,
  objectInstance,
  optional,
  type RunOutcome,
  runAgent,
  SessionState,
  silentInterface,
  type ThinkingLevel,
  text as textShape,
  thinkingLevels,
  type UserContent,
  type UserMessage,
  userContentShape,
  type Workspace,
  words,
} from '@robota-sdk/agent-core';
import { SessionSpending } from '../budget/session-spending.ts';
import type { CompactionResult } from '../compaction/compact.ts';
import { type ParkedRun, resumedRun } from '../compaction/parked-run.ts';
import { type CompactionServices, SessionCompaction } from '../compaction/session-compaction.ts';
import { SessionContext } from '../compaction/session-context.ts';
import type {
  Compaction,
  ConversationOptions,
  ModelDependentOptions,
  PromptOptions,
  ProviderConversationOptions,
} from '../compaction/session-options.ts';
import { SessionRecorder } from '../compaction/session-recorder.ts';
import { joinOutcomes, type SessionTotals, type SpentOn, spentDraft } from '../entry/session-totals.ts';
import { HistoryGuard } from '../history/history-guard.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import { unkeptHandle } from '../store/unkept-handle.ts';
import { SessionBranches } from '../tree/session-branches.ts';
import type { ContextState } from '../window/context-window.ts';
import {
  abortShape,
  conversationShape,
  modelChoices,
  noticeShape,
  promptShape,
  totalsShape,
} from './argument-shapes.ts';
import { defaultAuthorize, withModels } from './complete-options.ts';
import { ExclusiveActivity } from './exclusive-activity.ts';
import { nothingDone, PromptHooks } from './prompt-hooks.ts';
import { limitsOf, promptOf, reminderOf } from './run-options.ts';

type Models = ConversationOptions['models'];

/** One conversation: its messages, its queue, and at most one run at a time. */
export class Conversation {
  readonly id: string;
  readonly queue: MessageQueue;
  readonly hooks: HookRegistry;
  readonly state = new SessionState();
  /** The name and the tree of the session: to inspect, label and move. */
  readonly branches: SessionBranches;
  /** The contents of the window, the removed messages, and the pins. */
  readonly context: SessionContext;
  /** Its waits for limits, which another process can resume. */
  readonly parking: ParkedRun;
  /** Its cost and limits. */
  readonly spending: SessionSpending;
  #options: ConversationOptions;
  readonly #handle: SessionHandle;
  readonly #recorder: SessionRecorder;
  readonly #promptHooks: PromptHooks;
  readonly #guard: HistoryGuard;
  readonly #compaction: SessionCompaction;
  readonly #activity = new ExclusiveActivity<'run' | 'compaction'>();
  readonly #listeners = new Set<EventSink>();
  readonly #workspace: Workspace;
  #models: Models;
  #thinking: ThinkingLevel;
  #messages: Message[];

  constructor(given: ConversationOptions | ProviderConversationOptions) {
    checkArguments('new Session', { options: [given, conversationShape] });
    const options = given.models ? given : withModels(given);
    this.#options = options;
    this.#handle = options.handle ?? unkeptHandle(options.workspace?.cwd ?? process.cwd());
    this.id = this.#handle.id;
    this.queue = options.queue ?? new MessageQueue();
    this.hooks = options.hooks ?? new HookRegistry();
    this.#recorder = new SessionRecorder(this.#handle, options);
    this.parking = this.#recorder.parked;
    this.#guard = new HistoryGuard({
      notify: (notice) => this.notify(notice),
      append: (draft) => this.#recorder.append(draft),
      adopt: (messages) => {
        this.#messages = [...messages];
      },
    });
    this.#models = options.models;
    this.#thinking = options.thinking ?? 'off';
    this.#messages = this.#handle.messages({ keepsPending: options.resolvePending !== undefined });
    this.spending = new SessionSpending({
      limits: options.budget ?? {},
      ui: options.terminal ?? silentInterface,
      notify: (notice) => this.notify(notice),
      entries: () => this.#handle.entries(),
      spent: this.#handle.totals,
      ...givenFields({ day: options.dayLedger, payer: options.payer }),
    });
    this.#workspace = options.workspace ?? { cwd: process.cwd(), additional: [], home: homeDirectory() };
    const [source, { cwd }] = [this.#messages.length > 0 ? 'resume' : 'startup', this.#workspace] as const;
    this.#promptHooks = new PromptHooks(this.hooks, { cwd, source });
    this.#compaction = new SessionCompaction(this.#compactionParts());
    this.context = this.#createContext();
    this.branches = this.#createBranches();
  }

  /** The conversation as the model sees it. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  get model(): Model {
    return this.#models[0].model;
  }

  /** The model and its fallbacks. */
  get models(): Models {
    return this.#models;
  }

  /** The tools, the prompt and the instruction files that go with the model. */
  get surroundings(): ModelDependentOptions {
    const { tools, systemMessage, webSearch, instructions } = this.#options;
    return { tools, systemMessage, ...(webSearch && { webSearch }), ...(instructions && { instructions }) };
  }

  get thinking(): ThinkingLevel {
    return this.#thinking;
  }

  /** True during a run or a compaction. */
  get isRunning(): boolean {
    return this.#activity.current !== undefined;
  }

  /** True during a requested compaction; nothing can be steered then. */
  get isCompacting(): boolean {
    return this.#activity.current === 'compaction';
  }

  /** Tokens and money of the whole session: every branch, every summary, earlier processes included. */
  get totals(): SessionTotals {
    return this.spending.totals;
  }

  /** The current system prompt. */
  get systemMessage(): string {
    return this.#options.systemMessage;
  }

  /** The folder for the full text of cut output. */
  get outputDir(): string {
    return this.#options.outputDir ?? join(tmpdir(), `robota-${this.id}`);
  }

  getContextState(): ContextState {
    return this.#compaction.contextState();
  }

  /** Receives every event of every run, until the returned function is called. */
  subscribe(listener: EventSink): () => void {
    checkArguments('Session.subscribe', { listener: [listener, callback] });
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Shows a notice to all listeners. */
  notify(notice: Notice & { readonly about?: 'check' }): void {
    checkArguments('Session.notify', { notice: [notice, noticeShape] });
    // A failing listener must not fail the reported action.
    void Promise.resolve()
      .then(() => this.#publish({ type: 'notice-show', ...notice }))
      .catch(() => {});
  }

  /** Runs the start hooks, which otherwise run with the first prompt. Never rejects. */
  async begin(): Promise<void> {
    await this.#promptHooks.begin();
  }

  /** Runs the loop on a prompt and returns the answer; throws if there is none. */
  async run(text: string, options: PromptOptions = {}): Promise<string> {
    checkArguments('Session.run', { text: [text, textShape], options: [options, promptShape] });
    const outcome = await this.prompt([{ type: 'text', text }], options);
    if (outcome.error) throw new AgentError(outcome.error.code, outcome.error.message);
    return outcome.text;
  }

  /** Runs the loop on a prompt and returns its outcome. */
  async prompt(content: readonly UserContent[], options: PromptOptions = {}): Promise<RunOutcome> {
    checkArguments('Session.prompt', {
      content: [content, userContentShape],
      options: [options, promptShape],
    });
    return this.#activity.run('run', options.signal, async (signal) => {
      const parked = options.resumesParked ? this.branches.parked : undefined;
      if (!parked) this.#options.onPrompt?.(content);
      const unpaid = await this.spending.begin(signal, options.maxCost ?? this.#options.maxCost);
      if (unpaid) return { ...nothingDone, status: 'limit', error: unpaid };
      const input = await this.#promptHooks.admit(parked ? undefined : content, signal);
      if (input.kind === 'refused') return input.outcome;
      if (parked?.calls) this.#messages = this.#handle.messages({ keepsPending: new Set(parked.calls) });
      const first = this.#runOf(options, signal, input.content);
      let outcome = await this.#run(parked ? resumedRun(first, parked) : first);
      // A message that arrived at the end of the run was not seen by it.
      while (outcome.status === 'completed' && !this.queue.isEmpty)
        outcome = joinOutcomes(outcome, await this.#run(this.#runOf(options, signal)));
      return outcome;
    });
  }

  /** Runs the loop on queued reminders without a prompt. Does nothing during a run, which reads them anyway. */
  async wake(): Promise<void> {
    if (this.#activity.current !== undefined || this.queue.isEmpty) return;
    await this.#activity.run('run', undefined, async (signal) => {
      const unpaid = await this.spending.begin(signal, this.#options.maxCost);
      if (!unpaid) await this.#run(this.#runOf({}, signal));
    });
  }

  /** Stores the spending of an agent or a hook, so that it counts after reopening the session. */
  async keepSpent(used: SessionTotals, about: SpentOn = { purpose: 'agents' }): Promise<void> {
    checkArguments('Session.keepSpent', { used: [used, totalsShape], about: [about, objectInstance] });
    await this.#recorder.append(spentDraft(used, about));
  }

  steer(content: readonly UserContent[]): void {
    checkArguments('Session.steer', { content: [content, userContentShape] });
    this.queue.steer(content);
  }

  followUp(content: readonly UserContent[]): void {
    checkArguments('Session.followUp', { content: [content, userContentShape] });
    this.queue.follow(content);
  }

  /** Cancels the current activity and resolves when it has stopped; with `keepsParked` another process can resume a wait for a limit. */
  async abort(options: { readonly keepsParked?: boolean } = {}): Promise<void> {
    checkArguments('Session.abort', { options: [options, abortShape] });
    const { keepsParked = false } = options;
    this.parking.keepsInterrupted = keepsParked;
    await this.#activity.abort();
  }

  /** Resolves when the session is idle. */
  async whenIdle(): Promise<void> {
    await this.#activity.whenIdle();
  }

  /** Replaces the older part of the conversation by a summary; the originals stay in the session's file. */
  async compact(instructions?: string): Promise<CompactionResult> {
    checkArguments('Session.compact', { instructions: [instructions, optional(textShape)] });
    return this.#activity.run('compaction', undefined, (signal) =>
      this.#compaction.compact({ reason: 'manual', signal, focus: instructions }),
    );
  }

  /** Like `setModel`, if the file already names the model or need not. */
  useModel(models: Models, surroundings: ModelDependentOptions = {}): void {
    checkArguments('Session.useModel', {
      models: [models, modelChoices],
      surroundings: [surroundings, objectInstance],
    });
    this.#models = models;
    this.#options = { ...this.#options, ...surroundings };
  }

  /** Switches models from the next turn on; tools and prompt change with the next run. */
  async setModel(models: Models, surroundings: ModelDependentOptions = {}): Promise<void> {
    this.useModel(models, surroundings);
    const { vendor, id } = models[0].model;
    await this.#recorder.append({ type: 'model_change', provider: vendor, modelId: id });
  }

  async setThinking(level: ThinkingLevel): Promise<void> {
    checkArguments('Session.setThinking', { level: [level, words(...thinkingLevels)] });
    this.#thinking = level;
    await this.#recorder.append({ type: 'thinking_level_change', thinkingLevel: level });
  }

  /** Starts over with an empty conversation; the old one stays in the file as another branch. */
  async clear(): Promise<void> {
    this.#activity.assertIdle();
    await this.#promptHooks.end('clear');
    this.#messages = [];
    await this.#recorder.restart();
    void this.begin();
  }

  /** Ends the session: stops the run, then releases files and processes. */
  async close(): Promise<void> {
    if (this.#activity.isClosed) return;
    this.#activity.close();
    await this.abort({ keepsParked: true });
    try {
      await this.#promptHooks.end('close');
      await this.state.dispose();
    } finally {
      await this.#recorder.close();
    }
  }

  async #run(run: AgentRun): Promise<RunOutcome> {
    const outcome = await runAgent(run, (event) => this.#receive(event));
    await this.#recorder.flush();
    return outcome;
  }

  #runOf(options: PromptOptions, signal: AbortSignal, content?: readonly UserContent[]): AgentRun {
    const own = this.#options;
    const { terminal: ui = silentInterface } = own;
    const { outputDir } = this;
    const current = () => this.#compaction.watch(this.#models);
    const currentSystem = () => this.#options.systemMessage;
    const currentThinking = () => this.#thinking;
    return {
      history: this.#messages,
      // Read for every turn, since it can change during a run.
      get system() {
        return currentSystem();
      },
      get models() {
        return current();
      },
      get thinking() {
        return currentThinking();
      },
      tools: own.tools,
      toolEnvironment: { workspace: this.#workspace, state: this.state, env: own.env ?? {}, outputDir, ui },
      hooks: this.hooks,
      queue: this.queue,
      sessionId: this.id,
      signal,
      authorize: own.authorize ?? defaultAuthorize(ui, this.#workspace),
      checkSpending: (signal) => this.spending.check(signal),
      ...this.#compaction.partsOf(signal),
      ...this.#guard.partsOf(() => this.model),
      ...(content ? { prompt: promptOf(content, options), ...reminderOf(own, this.#messages) } : {}),
      ...limitsOf(own, options, outputDir),
    };
  }

  /** Thousands of deltas pass without a promise, unless a listener returns one. */
  #receive(event: AgentEvent): void | Promise<void> {
    if (event.type === 'message-append') this.#messages.push(event.message);
    if (event.type === 'turn-end') {
      this.spending.charge({ usage: event.usage, cost: event.cost, modelCalls: 1 });
      this.#compaction.settle(event.usage);
    }
    const recorded = this.#recorder.record(event);
    return recorded === undefined ? this.#publish(event) : recorded.then(() => this.#publish(event));
  }

  #publish(event: AgentEvent): void | Promise<void> {
    const told = notifyAll(this.#listeners, event);
    return told && this.#activity.waitFor(told);
  }

  #compactionParts(): CompactionServices {
    return {
      handle: this.#handle,
      hooks: this.hooks,
      recorder: this.#recorder,
      outputDir: this.outputDir,
      options: () => ({ ...this.#options, models: this.#models }),
      messages: () => this.#messages,
      adopt: (compaction) => this.#adopt(compaction),
      refresh: (surroundings) => this.useModel(this.#models, surroundings),
      charge: (used) => this.spending.charge(used),
      publish: (event) => this.#publish(event),
    };
  }

  #createContext(): SessionContext {
    return new SessionContext({
      handle: this.#handle,
      add: (message) => this.#add(message),
      keepShell: (run) => this.#recorder.keepShell(run),
      publish: (event) => this.#publish(event),
      lastMessageId: () => this.#messages.at(-1)?.id ?? null,
      compaction: this.#compaction,
      rewrite: (work) =>
        this.#activity.run('compaction', undefined, async () => {
          this.#messages = await work();
        }),
    });
  }

  /** A run that is going hears of it with its next turn. */
  async #add(message: UserMessage): Promise<void> {
    if (this.isRunning) return this.queue.remindOf(message);
    await this.#activity.run('compaction', undefined, async () => {
      await this.#receive({ type: 'message-append', message });
    });
  }

  #createBranches(): SessionBranches {
    return new SessionBranches({
      handle: this.#handle,
      isKept: this.#handle.isKept,
      options: () => ({ ...this.#options, models: this.#models }),
      exclusively: (work) => this.#activity.run('compaction', undefined, work),
      adopt: async ({ messages, thinking, used, from }) => {
        if (used) this.spending.charge(used);
        this.#messages = messages;
        this.#thinking = thinking ?? this.#thinking;
        this.#recorder.logMove(from);
        await this.#promptHooks.end('resume');
        this.#promptHooks.startAgain('resume');
        void this.begin();
      },
    });
  }

  #adopt(compaction: Compaction): void {
    this.#messages = [...compaction.messages];
    if (compaction.kind !== 'pruned') this.#promptHooks.startAgain('compact');
  }
}

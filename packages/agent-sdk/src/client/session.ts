import { randomUUID } from 'node:crypto';
import {
  AgentError,
  callback,
  checkArguments,
  either,
  errorMessage,
  having,
  type Message,
  type Model,
  notifyAll,
  nullable,
  object,
  objectInstance,
  optional,
  orAborted,
  type PermissionMode,
  pathShape,
  permissionModes,
  textOf,
  text as textShape,
  words,
} from '@robota-sdk/agent-core';
import type { SessionMcp } from '@robota-sdk/agent-resources';
import type { Review, ReviewTarget } from '@robota-sdk/agent-review';
import {
  type CompactionResult,
  type ContextState,
  type Conversation,
  noTotals,
  type SessionTotals,
} from '@robota-sdk/agent-sessions';
import type { ReloadReport } from '../assembly/session-extensions.ts';
import type { Answer } from '../contract/question.ts';
import { failedResult, outcomeOf, type RunResult, resultOf } from '../contract/run-result.ts';
import type { SessionEvent, SessionListener } from '../contract/session-event.ts';
import type { SessionPermissions } from '../permissions/session-permissions.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { TaskRegistry } from '../tasks/task-registry.ts';
import { checkClientOptions } from './check-client-options.ts';
import { openers } from './interactive-session-of.ts';
import { openClientSession } from './open-client-session.ts';
import type { Prompt, SessionOptions, TurnOptions } from './options.ts';
import { PendingQuestions } from './pending-questions.ts';
import { Run, type RunControl } from './run.ts';
import {
  asError,
  promptContent,
  type RunRequest,
  type RunSignals,
  signalsOf,
  withOutput,
  withTimeLimit,
} from './run-request.ts';
import type { SessionClient, SessionStart, SessionUse } from './session-client.ts';
import { schemaOf } from './tool.ts';

const reviewTarget = either(words('session'), object({ range: textShape }), object({ worktree: pathShape }));

/** One conversation in one directory. Nothing is read before its first prompt or `ready`. */
export class Session implements AsyncDisposable {
  readonly #options: SessionOptions;
  readonly #client: SessionClient;
  readonly #use: SessionUse;
  readonly #questions: PendingQuestions | undefined;
  readonly #listeners = new Set<SessionListener>();
  readonly #id: string | undefined;
  #inner: InteractiveSession | undefined;
  #opening: Promise<InteractiveSession> | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #active: RunControl | undefined;
  /** Callbacks that end messages a run has not taken yet. */
  readonly #steering = new Map<RunControl, (() => void)[]>();
  #closing: Promise<void> | undefined;

  constructor(options: SessionOptions, client: SessionClient, use: SessionUse = { isSingle: false }) {
    checkArguments('new Session (write createSession)', {
      options: [options, objectInstance],
      client: [
        client,
        having({ options: objectInstance, opened: callback, closed: callback, publish: callback }),
      ],
      use: [use, objectInstance],
    });
    this.#options = options;
    this.#client = client;
    this.#use = use;
    this.#id = idOf(options);
    openers.set(this, () => this.#open());
    const { questions = 'deny' } = options;
    if (questions !== 'deny')
      this.#questions = new PendingQuestions(questions, (event) => this.#publish(event));
  }

  /** Known immediately for new sessions, after `ready` for others. */
  get id(): string {
    const id = this.#inner?.getSession().id ?? this.#id;
    if (id === undefined)
      throw new AgentError('usage', 'The id of this session is known after `await session.ready`.');
    return id;
  }

  /** Opens the session now; rejects like its first prompt would. */
  get ready(): Promise<SessionStart> {
    return this.#open().then((inner) => startOf(inner));
  }

  get state(): 'new' | 'idle' | 'running' | 'closed' {
    if (this.#closing !== undefined) return 'closed';
    if (this.#active) return 'running';
    return this.#inner ? 'idle' : 'new';
  }

  get messages(): readonly Message[] {
    return this.#inner?.getMessages() ?? [];
  }

  /** How full the context window is; undefined before the session is open. */
  get context(): ContextState | undefined {
    return this.#inner?.getContextState();
  }

  /** Tokens and US dollars of the whole session. */
  get spent(): SessionTotals {
    return this.#inner?.getSession().totals ?? noTotals;
  }

  /** The conversation with its branches: entries, labels, name; undefined before the session is open. */
  get tree(): Conversation['branches'] | undefined {
    return this.#inner?.getSession().branches;
  }

  /** Background agents and commands; undefined before the session is open. */
  get tasks(): TaskRegistry | undefined {
    return this.#inner?.tasks;
  }

  /** The current settings, and how to change them; undefined before the session is open. */
  get settings(): LiveSettings | undefined {
    return this.#inner?.live;
  }

  /** Mode, rules and decisions; undefined before the session is open. */
  get permissions(): SessionPermissions | undefined {
    return this.#inner?.permissions;
  }

  /** The MCP servers and their states; undefined before the session is open. */
  get mcp(): SessionMcp | undefined {
    return this.#inner?.mcp;
  }

  /** Runs a prompt. During a run it waits. */
  run(prompt: Prompt, options?: Omit<TurnOptions, 'output'>): Run<string>;
  run<T>(prompt: Prompt, options: TurnOptions<T>): Run<T>;
  run<T>(prompt: Prompt, options: TurnOptions<T> = {}): Run<T> {
    let control: RunControl | undefined;
    return new Run<T>({
      session: this,
      execute: (own) => {
        control = own;
        return this.#queue({ prompt, options, control: own });
      },
      steer: (text) => this.#steer(text, control),
    });
  }

  /** Answers a question of the event `question-start`. */
  answer(questionId: string, answer: Answer): void {
    checkArguments('Session.answer', {
      questionId: [questionId, textShape],
      answer: [answer, objectInstance],
    });
    if (!this.#questions)
      throw new AgentError('usage', `This session asks nothing: its option "questions" is not 'wait'.`);
    this.#questions.answer(questionId, answer);
  }

  /** Summarizes the older part of the conversation. */
  async compact(instructions?: string): Promise<CompactionResult> {
    checkArguments('Session.compact', { instructions: [instructions, optional(textShape)] });
    const session = (await this.#open()).getSession();
    await session.whenIdle();
    return session.compact(instructions);
  }

  /** Continues from an earlier entry of the conversation (`null`: its start); the rest stays as another branch. */
  async rewind(entryId: string | null): Promise<void> {
    checkArguments('Session.rewind', { entryId: [entryId, nullable(textShape)] });
    await (await this.#open()).moveTo(entryId);
  }

  /** The changes of this session, of a git range or of a worktree, to keep, take back and comment on. */
  async review(target: ReviewTarget = 'session'): Promise<Review> {
    checkArguments('Session.review', { target: [target, reviewTarget] });
    const { openReview } = await import('../review/open-review.ts');
    return openReview(await this.#open(), target);
  }

  /** Continues with another model from the next turn on. */
  async setModel(name: string): Promise<Model> {
    checkArguments('Session.setModel', { name: [name, textShape] });
    return (await this.#open()).setModel(name);
  }

  async setPermissionMode(mode: PermissionMode): Promise<void> {
    checkArguments('Session.setPermissionMode', { mode: [mode, words(...permissionModes)] });
    (await this.#open()).permissions.choose(mode);
  }

  /** Interrupts the run that is going; queued ones stay. Resolves when it has stopped. */
  async interrupt(): Promise<void> {
    await this.#inner?.abort();
  }

  /** Reads skills, commands, agents, plugins and instructions again. */
  async reload(): Promise<ReloadReport> {
    return (await this.#open()).reload();
  }

  /** Calls a listener for every event from now on, until the returned function is called. */
  subscribe(listener: SessionListener): () => void {
    checkArguments('Session.subscribe', { listener: [listener, callback] });
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the run, its processes and its files. Queued prompts fail with `session-closed`. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#questions?.dismissAll();
    const inner = await this.#opening?.catch(() => undefined);
    await inner?.shutdown();
    this.#client.closed(this);
  }

  /** Empty until a stored session is found. */
  get #knownId(): string {
    return this.#inner?.getSession().id ?? this.#id ?? '';
  }

  #open(): Promise<InteractiveSession> {
    if (this.#closing !== undefined) return Promise.reject(closedError());
    this.#opening ??= this.#openNow().catch((thrown: unknown) => {
      // The next prompt tries again: a key or a server may be there then.
      this.#opening = undefined;
      this.#client.closed(this);
      throw thrown;
    });
    return this.#opening;
  }

  async #openNow(): Promise<InteractiveSession> {
    if (this.#id !== undefined) this.#client.opened(this);
    const inner = await openClientSession({
      client: this.#client.options,
      options: this.#options,
      id: this.#id,
      terminal: this.#questions?.ui,
      onCompact: this.#use.callbacks?.onCompact,
      isSingle: this.#use.isSingle,
    });
    this.#inner = inner;
    this.#client.opened(this);
    inner.subscribe((event) => this.#hear(event), { withAgents: true });
    const { id: sessionId, cwd, model, problems } = startOf(inner);
    this.#publish({ type: 'session-open', sessionId, cwd, model, problems });
    return inner;
  }

  async #queue<T>(request: RunRequest<T>): Promise<RunResult<T>> {
    const { control, options } = request;
    const previous = this.#tail;
    let done = () => {};
    this.#tail = new Promise<void>((resolve) => {
      done = resolve;
    });
    const begun = performance.now();
    let limits: RunSignals | undefined;
    try {
      this.#use.check?.();
      checkClientOptions('run', options);
      limits = signalsOf(this.#options, request);
      await orAborted(previous, limits.signal);
      this.#active = control;
      return this.#end(await this.#execute(request, { signal: limits.signal, begun }), control);
    } catch (thrown) {
      const sessionId = this.#knownId;
      const durationMs = performance.now() - begun;
      const error = asError(thrown, limits?.signal ?? control.signal);
      return this.#end(failedResult(error, { sessionId, durationMs }), control);
    } finally {
      limits?.clear();
      if (this.#use.isSingle) await this.close();
      for (const refuse of this.#steering.get(control) ?? []) refuse();
      this.#steering.delete(control);
      if (this.#active === control) this.#active = undefined;
      // If a waiting prompt is aborted, the next one must still wait.
      void previous.then(done);
    }
  }

  #end<T>(result: RunResult<T>, control: RunControl): RunResult<T> {
    this.#publish({ type: 'run-end', outcome: outcomeOf(result), result }, control);
    return result;
  }

  async #execute<T>(
    { prompt, options }: RunRequest<T>,
    { signal, begun }: { readonly signal: AbortSignal; readonly begun: number },
  ): Promise<RunResult<T>> {
    const content = promptContent(prompt);
    const inner = await orAborted(this.#open(), signal);
    await inner.getSession().whenIdle();
    const { output, maxTurns = this.#options.maxTurns, maxCost = this.#options.maxCost } = options;
    const schema = output && schemaOf(output);
    const finished = await inner.submit(content, {
      signal,
      ...(maxTurns === undefined ? {} : { maxTurns }),
      ...(maxCost === undefined ? {} : { maxCost }),
      ...(schema ? { jsonSchema: schema.json } : {}),
    });
    if (!finished) throw new AgentError('session', 'The prompt was not run: another run is active.');
    const { outcome, value } = withOutput(withTimeLimit(finished, signal), schema);
    return resultOf<T>(outcome, {
      sessionId: this.id,
      durationMs: performance.now() - begun,
      models: finished.models,
      context: finished.contextState,
      output: () => value as T,
      reason: signal.reason,
    });
  }

  async #steer(text: string, control: RunControl | undefined): Promise<boolean> {
    const inner = this.#inner;
    if (!inner || !control || this.#active !== control) return false;
    return new Promise((resolve) => {
      const settle = (isTaken: boolean) => {
        stop();
        resolve(isTaken);
      };
      const stop = this.subscribe((event) => {
        if (event.type !== 'message-append' || event.agentId !== undefined) return;
        const { message } = event;
        if (message.role === 'user' && textOf(message.content).includes(text)) settle(true);
      });
      this.#steering.set(control, [...(this.#steering.get(control) ?? []), () => settle(false)]);
      inner.getSession().steer([{ type: 'text', text }]);
    });
  }

  /** A callback of a query that throws ends the run; a listener that throws does not. */
  #hear(event: SessionEvent): void | Promise<void> {
    // A prompt may take several runs of the loop; `#end` reports its end.
    if (event.type === 'run-end') return;
    this.#publish(event);
    const { onTextDelta, onServerToolUse } = this.#use.callbacks ?? {};
    if ('agentId' in event) return;
    if (event.type === 'text-delta' && onTextDelta)
      return notifyAll([() => onTextDelta(event.text)], undefined);
    if (event.type === 'server-tool' && onServerToolUse) {
      const { name, summary } = event.content;
      return notifyAll([() => onServerToolUse(name, summary)], undefined);
    }
  }

  #publish(event: SessionEvent, control = this.#active): void {
    control?.push(event);
    this.#client.publish(this.#knownId, event);
    for (const listener of [...this.#listeners]) {
      try {
        const returned = listener(event);
        if (returned instanceof Promise) returned.catch((thrown: unknown) => this.#complain(thrown));
      } catch (thrown) {
        this.#complain(thrown);
      }
    }
  }

  /** Reports a failing listener to the current run, not to listeners again. */
  #complain(thrown: unknown): void {
    const text = `A listener of the session failed: ${errorMessage(thrown)}`;
    this.#active?.push({ type: 'notice-show', level: 'warning', text });
  }
}

/** New sessions get their id immediately; stored ones are looked up first. */
function idOf({ session = 'memory' }: SessionOptions): string | undefined {
  if (session === 'memory' || session === 'new') return randomUUID();
  return typeof session === 'object' && 'id' in session ? session.id : undefined;
}

function startOf(inner: InteractiveSession): SessionStart {
  const { id, model } = inner.getSession();
  return { id, cwd: inner.place.cwd, model: `${model.vendor}/${model.id}`, problems: inner.problems };
}

function closedError(): AgentError {
  return new AgentError('session-closed', 'The session is closed. Create another one.');
}

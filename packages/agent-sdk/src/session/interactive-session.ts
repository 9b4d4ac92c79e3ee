import { isOn } from '@robota-sdk/agent-config';
import {
  AgentError,
  type AgentEvent,
  type Command,
  callback,
  checkArguments,
  either,
  errorMessage,
  flag,
  having,
  isJsonObject,
  type JsonValue,
  type Message,
  type Model,
  nearest,
  notifyAll,
  nullable,
  object,
  objectInstance,
  optional,
  type Problem,
  type Registry,
  type RunOutcome,
  text as textShape,
  type UserContent,
  usableOutcome,
  userContentShape,
} from '@robota-sdk/agent-core';
import type { IAgentDefinition, Skill, SkillActivation } from '@robota-sdk/agent-resources';
import { type ConnectedModel, subagentHost } from '@robota-sdk/agent-resources';
import type { ContextState, Conversation, MoveResult, Replay } from '@robota-sdk/agent-sessions';
import { promptShape } from '@robota-sdk/agent-sessions';
import type { ReloadReport } from '../assembly/session-extensions.ts';
import type { IExecutionResult } from '../contract/run-result.ts';
import type { SessionEvent, SessionListener } from '../contract/session-event.ts';
import { SessionGoal } from '../goal/session-goal.ts';
import type { SessionPermissions } from '../permissions/session-permissions.ts';
import type { KeptSessions } from '../stored/kept-sessions.ts';
import type { TaskRegistry } from '../tasks/task-registry.ts';
import { type CommandResult, commandResult } from './command-result.ts';
import { ConversationMembers } from './conversation-members.ts';
import { promptForJson } from './json-result.ts';
import { type InteractiveSessionEvents, NamedListeners } from './named-events.ts';
import { RunMeasure } from './run-measure.ts';
import type { SessionEnvironment, SessionServices, SubmitOptions } from './session-services.ts';

const moveOptions = object({}, { summarize: optional(either(flag, textShape)) });
const sessionServices = having({ conversation: objectInstance, tasks: objectInstance });

/** A session with its commands and events: the only object a front end needs. */
export class InteractiveSession extends ConversationMembers {
  override readonly tasks: TaskRegistry;
  /** The goal that runs have to prove. */
  readonly goal: SessionGoal;
  readonly #services: SessionServices;
  readonly #named = new NamedListeners();
  readonly #listeners = new Set<SessionListener>([(event) => this.#named.take(event)]);
  /** Those that also hear subagents. */
  readonly #agentListeners = new Set<SessionListener>();
  #measure: RunMeasure;
  #isPrompted = false;
  readonly #unsubscribe: (() => void)[];
  /** Of the running commands. */
  readonly #commands = new Set<AbortController>();
  /** The initial model: a key on the command line belongs to this model only, even after switching back. */
  readonly #first: ConnectedModel;
  #isOver = false;

  constructor(services: SessionServices) {
    super();
    checkArguments('new InteractiveSession', { services: [services, sessionServices] });
    this.#services = services;
    this.tasks = services.tasks;
    this.goal = new SessionGoal(services);
    this.#measure = new RunMeasure(services.conversation);
    const { models, surroundings } = services.conversation;
    this.#first = { choice: models[0], surroundings };
    const hearAgent = (event: AgentEvent, agentId: string) => this.#receiveAgent(event, agentId);
    const { agentListeners } = services.conversation.state.get(subagentHost);
    agentListeners.add(hearAgent);
    this.#unsubscribe = [
      () => agentListeners.delete(hearAgent),
      services.live?.subscribe((keys) => this.publish({ type: 'settings-change', keys })) ?? (() => {}),
      services.conversation.subscribe((event) => this.#receive(event)),
      this.tasks.subscribe((change) =>
        this.#tell('group' in change ? { type: 'job-change', change } : { type: 'task-change', change }),
      ),
    ];
  }

  override listAgentDefinitions(): readonly IAgentDefinition[] {
    return this.#services.conversation.state.get(subagentHost).definitions;
  }

  protected override get services(): SessionServices {
    return this.#services;
  }

  getSession(): Conversation {
    return this.#services.conversation;
  }

  isExecuting(): boolean {
    return this.#services.conversation.isRunning;
  }

  get place(): SessionEnvironment {
    return this.#services.place;
  }

  get permissions(): SessionPermissions {
    return this.#services.permissions;
  }

  /** The recording the session lives from, if it is a replay. */
  get replay(): Replay | undefined {
    return this.#services.replay;
  }

  /** The skills found at the start or the last reload. */
  get skills(): readonly Skill[] {
    return this.#services.extensions?.skills ?? [];
  }

  /** Reloads what files add: extensions, skills, commands, agents, plugins, instructions. The conversation stays. */
  async reload(): Promise<ReloadReport> {
    const { conversation: session, extensions } = this.#services;
    if (!extensions) throw new AgentError('session', 'This session cannot load its extensions again.');
    if (session.isRunning)
      throw new AgentError('session', 'Wait for the run to end, or stop it, then reload.');
    return extensions.reload();
  }

  /** Problems of the settings. */
  get problems(): readonly Problem[] {
    return this.#services.problems ?? [];
  }

  /** Removes the keys in use from a text; for anything that is shown or stored. */
  redact(text: string): string {
    checkArguments('InteractiveSession.redact', { text: [text, textShape] });
    return this.#services.redact?.(text) ?? text;
  }

  /** Switches to another model from the next turn on; the fallbacks stay. */
  async setModel(name: string): Promise<Model> {
    checkArguments('InteractiveSession.setModel', { name: [name, textShape] });
    const { conversation: session } = this.#services;
    await this.#services.learn?.(name);
    const { choice, surroundings } = this.#services.connect(name);
    await session.setModel([choice, ...session.models.slice(1)], surroundings);
    return choice.model;
  }

  /** The stored sessions, possibly including this one. */
  get kept(): KeptSessions {
    return this.#services.kept;
  }

  /**
   * Moves to another entry of the session (null: the start), with the model used there. If that model is unavailable,
   * the current one stays and the result gives the reason.
   */
  async moveTo(
    entryId: string | null,
    options: { readonly summarize?: boolean | string } = {},
  ): Promise<MoveResult & { readonly model?: Model; readonly modelProblem?: string }> {
    checkArguments('InteractiveSession.moveTo', {
      entryId: [entryId, nullable(textShape)],
      options: [options, moveOptions],
    });
    const { conversation: session } = this.#services;
    const moved = await session.branches.moveTo(entryId, options);
    this.publish({ type: 'context-change', context: this.getContextState() });
    const name = session.branches.model;
    if (name === undefined || name === nameOf(session.model)) return moved;
    try {
      return { ...moved, model: this.useModel(name) };
    } catch (thrown) {
      return { ...moved, modelProblem: errorMessage(thrown) };
    }
  }

  /** Like `setModel`, if the session's file already names the model or need not. */
  useModel(name: string): Model {
    checkArguments('InteractiveSession.useModel', { name: [name, textShape] });
    const { conversation: session, extensions } = this.#services;
    const first = this.#first;
    const isFirst = name === nameOf(first.choice.model);
    // The resources of files may have changed since the session began.
    const now = extensions?.surroundings(first.choice.model) ?? first.surroundings;
    const { choice, surroundings } = isFirst ? { ...first, surroundings: now } : this.#services.connect(name);
    session.useModel([choice, ...session.models.slice(1)], surroundings);
    return choice.model;
  }

  listModels(): readonly Model[] {
    return this.#services.models;
  }

  getMessages(): readonly Message[] {
    return this.#services.conversation.messages;
  }

  getContextState(): ContextState {
    return this.#services.conversation.getContextState();
  }

  /**
   * Hears every event, until the returned function is called; those of subagents on request. A run waits for the
   * promise of a listener.
   */
  subscribe(listener: SessionListener, options: { readonly withAgents?: boolean } = {}): () => void {
    checkArguments('InteractiveSession.subscribe', {
      listener: [listener, callback],
      options: [options, object({}, { withAgents: optional(flag) })],
    });
    const { withAgents = false } = options;
    this.#listeners.add(listener);
    if (withAgents) this.#agentListeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      this.#agentListeners.delete(listener);
    };
  }

  /** Publishes an event from outside a run. A throwing listener is reported as `error`. */
  publish(event: SessionEvent): void {
    checkArguments('InteractiveSession.publish', { event: [event, having({ type: textShape })] });
    try {
      this.#tell(event)?.catch((thrown: unknown) => this.#named.fail('event', thrown));
    } catch (thrown) {
      this.#named.fail('event', thrown);
    }
  }

  /** Hears events under the names of the table in `named-events.ts`. */
  on<K extends keyof InteractiveSessionEvents>(
    name: K,
    listener: (value: InteractiveSessionEvents[K]) => unknown,
  ): () => void {
    checkArguments('InteractiveSession.on', { name: [name, textShape], listener: [listener, callback] });
    return this.#named.on(name, listener);
  }

  off<K extends keyof InteractiveSessionEvents>(
    name: K,
    listener: (value: InteractiveSessionEvents[K]) => unknown,
  ): void {
    checkArguments('InteractiveSession.off', { name: [name, textShape], listener: [listener, callback] });
    this.#named.off(name, listener);
  }

  /** Listeners of a name; without one, those of `subscribe`. */
  listenerCount(name?: keyof InteractiveSessionEvents): number {
    // One listener forwards to the named ones.
    return name === undefined ? this.#listeners.size - 1 : this.#named.count(name);
  }

  /**
   * Runs a prompt as text for the model, without parsing commands. During a run it joins as steering and nothing is
   * returned; during a compaction it waits.
   */
  async submit(
    input: string | readonly UserContent[],
    options: SubmitOptions = {},
  ): Promise<IExecutionResult | undefined> {
    checkArguments('InteractiveSession.submit', {
      input: [input, either(textShape, userContentShape)],
      options: [options, promptShape],
    });
    const content = typeof input === 'string' ? [{ type: 'text', text: input } as const] : input;
    const { conversation: session } = this.#services;
    if (session.isCompacting) await session.whenIdle();
    if (session.isRunning && options.joinsRun === false)
      throw new AgentError('session', 'The session is busy with another run.');
    if (session.isRunning) {
      // Attachments are queued separately from typed text, so that they are not returned with it.
      if (options.attachments) session.queue.remind(options.attachments);
      session.steer(content);
      return undefined;
    }
    const result = await this.#execute(content, options);
    await this.#named.finish(result);
    return result;
  }

  /** Runs a command; null if there is none of that name. `options` apply if it calls the model. */
  async executeCommand(name: string, args = '', options: SubmitOptions = {}): Promise<CommandResult | null> {
    checkArguments('InteractiveSession.executeCommand', {
      name: [name, textShape],
      args: [args, textShape],
      options: [options, promptShape],
    });
    const command = this.findCommand(name);
    if (!command) return null;
    const controller = new AbortController();
    this.#commands.add(controller);
    const signals = options.signal ? [options.signal, controller.signal] : [controller.signal];
    const signal = AbortSignal.any(signals);
    try {
      const returned = await command.run(args.trim(), { session: this, ui: this.#services.ui, signal });
      const outcome = usableOutcome(returned, { command: name, source: this.commands.sourceOf(command) });
      return await commandResult(outcome, ({ text, maxTurns, attachments }) =>
        this.submit(text, {
          ...options,
          origin: 'command',
          ...(maxTurns === undefined ? {} : { maxTurns }),
          ...(attachments === undefined ? {} : { attachments }),
        }),
      );
    } catch (thrown) {
      return { success: false, message: errorMessage(thrown) };
    } finally {
      this.#commands.delete(controller);
    }
  }

  /** The commands with their sources, and the names that more than one source claims. */
  get commands(): Registry<Command<InteractiveSession>> {
    return this.#services.commands;
  }

  /** The commands of every front end; `commands` also includes those of the terminal UI. */
  listCommands(): readonly Command<InteractiveSession>[] {
    return this.#services.commands.values().filter((command) => isOn(command, 'prompt'));
  }

  /** The probable meanings of a mistyped command. */
  nearCommands(name: string): string[] {
    checkArguments('InteractiveSession.nearCommands', { name: [name, textShape] });
    const names = this.listCommands().flatMap((command) => [command.name, ...(command.aliases ?? [])]);
    const likely = [...nearest(name, names, 1), ...names.filter((each) => isAbbreviated(name, each))];
    return [...new Set(likely)].slice(0, 2);
  }

  /** Stops the run and the running commands; resolves when the run has stopped. */
  async abort(options: { readonly keepsParked?: boolean } = {}): Promise<void> {
    checkArguments('InteractiveSession.abort', { options: [options, objectInstance] });
    for (const controller of this.#commands) controller.abort();
    await this.#services.conversation.abort(options);
  }

  /** Returns queued messages of the current run. */
  cancelQueue(): readonly (readonly UserContent[])[] {
    const queued = this.#services.conversation.queue.clear();
    this.unsent.settle();
    return queued.map(({ content }) => content);
  }

  /** Ends the session: the run, its processes, its files. */
  async shutdown(): Promise<void> {
    this.stopWatching();
    await this.#services.conversation.close();
    await this.#services.extensions?.dispose();
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
    if (!this.#isOver) await this.#tell({ type: 'session-close', sessionId: this.id });
    this.#isOver = true;
  }

  async #execute(content: readonly UserContent[], options: SubmitOptions): Promise<IExecutionResult> {
    const { conversation: session } = this.#services;
    const { jsonSchema, joinsRun: _, ...promptOptions } = options;
    const measure = new RunMeasure(session);
    this.#measure = measure;
    this.#isPrompted = true;
    this.goal.begin();
    try {
      const finished = jsonSchema
        ? await promptForJson(session, content, { ...promptOptions, jsonSchema })
        : { outcome: await session.prompt(content, promptOptions) };
      const outcome = this.#proven(finished.outcome);
      const { models, spent } = measure;
      const { usage, cost } = spent;
      const contextState = session.getContextState();
      const goal = this.goal.report();
      const shown = { response: outcome.text, contextState, ...(goal ? { goal } : {}) };
      return { ...finished, ...outcome, usage, cost, models, ...shown };
    } finally {
      this.#isPrompted = false;
    }
  }

  /** A run may end without a check, such as one that presents a plan. */
  #proven(outcome: RunOutcome): RunOutcome {
    const message = outcome.status === 'completed' ? this.goal.missingProof : undefined;
    return message === undefined
      ? outcome
      : { ...outcome, status: 'failed', error: { code: 'unproven', message } };
  }

  /** The command with a name or an alias. */
  findCommand(name: string): Command<InteractiveSession> | undefined {
    checkArguments('InteractiveSession.findCommand', { name: [name, textShape] });
    const { commands } = this.#services;
    const isCalled = (command: Command<InteractiveSession>) => command.aliases?.includes(name);
    // A command hidden by another may still be reached by an alias.
    const found =
      commands.get(name) ?? commands.values().find(isCalled) ?? commands.everything().find(isCalled);
    return found && isOn(found, 'prompt') ? found : undefined;
  }

  #receive(event: AgentEvent): void | Promise<void> {
    if (event.type === 'text-delta') return this.#tell(event);
    // A run on reminders alone has no prompt that measures it.
    if (event.type === 'run-start' && !this.#isPrompted) this.#measure = new RunMeasure(this.conversation);
    this.#measure.count(event);
    if (event.type === 'run-end')
      return this.#tell({ ...event, result: this.#measure.resultOf(event.outcome, this.goal.report()) });
    if (event.type === 'turn-end') this.publish({ type: 'context-change', context: this.getContextState() });
    if (event.type === 'tool-start' && event.call.name === 'Skill')
      this.publish({ type: 'skill-start', ...activationOf(event.call.input) });
    return this.#tell(event);
  }

  #receiveAgent(event: AgentEvent, agentId: string): void {
    this.#measure.count(event, agentId);
    if (event.type === 'run-end' || this.#agentListeners.size === 0) return;
    void notifyAll(this.#agentListeners, { ...event, agentId });
  }

  /** Returns a promise only if a listener did. */
  #tell(event: SessionEvent): void | Promise<void> {
    return notifyAll(this.#listeners, event);
  }
}

function activationOf(input: JsonValue): SkillActivation {
  return { skill: isJsonObject(input) ? String(input.skill) : '', by: 'model' };
}

/** True if the letters of `short` occur in `name` in order, starting with its first letter. */
function isAbbreviated(short: string, name: string): boolean {
  let position = 0;
  for (const letter of name) if (letter === short[position]) position++;
  return short.length > 1 && name[0] === short[0] && position === short.length;
}

function nameOf({ vendor, id }: Model): string {
  return `${vendor}/${id}`;
}

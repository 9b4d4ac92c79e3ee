import type { TaskSettings } from '@robota-sdk/agent-config';
import { AgentError, given, givenFields, type StateKey } from '@robota-sdk/agent-core';
import { findDefinition, type SubagentHost, subagentHost } from '@robota-sdk/agent-resources';
import { noTotals, totalsOf } from '@robota-sdk/agent-sessions';
import { totalsSince } from '../state/totals-since.ts';
import { newAgentId } from '../subagents/create-subagent-session.ts';
import { Transcripts } from '../subagents/transcripts.ts';
import type { AgentJob, AgentJobServices } from './agent-job.ts';
import { JobGroups } from './job-groups.ts';
import { type LogPart, ProcessTasks, readFileFrom } from './process-tasks.ts';
import type { TaskLog } from './task-log.ts';
import { type BackgroundTask, hasEnded, preview, type TaskKind, type TaskStatus } from './task-state.ts';
import { now, type TaskListener, TaskTable } from './task-table.ts';

/** An agent to start outside the conversation. */
export interface AgentJobRequest {
  readonly prompt: string;
  /** Default: general-purpose. */
  readonly agentType?: string;
  readonly label?: string;
  /** `foreground` resolves at its end, `background` immediately. */
  readonly mode?: 'foreground' | 'background';
  readonly model?: string;
  /** Default: as in the agent's definition. */
  readonly isolation?: 'none' | 'worktree';
}

export interface TaskFilter {
  readonly kind?: TaskKind;
  readonly status?: TaskStatus | readonly TaskStatus[];
}

/** Input for a task: text for an agent. */
export type TaskInput = { readonly prompt: string } | { readonly stdin: string };

export interface TaskRegistryServices {
  readonly host: SubagentHost;
  readonly settings: TaskSettings;
  /** The file of changes; absent for an unsaved session. */
  readonly log?: TaskLog;
}

/** The background work of a conversation: agents and commands. */
export class TaskRegistry {
  readonly groups: JobGroups;
  readonly #firstHost: SubagentHost;
  readonly #settings: TaskSettings;
  readonly #table: TaskTable;
  readonly #transcripts: Transcripts;
  readonly #processes: ProcessTasks;
  readonly #waiting: AgentJob[] = [];
  readonly #running = new Map<string, { readonly job: AgentJob; readonly done: Promise<void> }>();
  /** Agents that waited for a limit when the program ended. */
  #limited: readonly BackgroundTask[] = [];
  #isDisposed = false;

  constructor({ host, settings, log }: TaskRegistryServices) {
    this.#firstHost = host;
    this.#settings = settings;
    this.#table = new TaskTable(log);
    this.#transcripts = new Transcripts(host);
    this.#processes = new ProcessTasks(this.#table, host.session, {
      cwd: this.#cwd,
      hasUser: host.options.terminal !== undefined,
    });
    this.groups = new JobGroups(this.#table, host.session.id);
  }

  subscribe(listener: TaskListener): () => void {
    return this.#table.subscribe(listener);
  }

  list({ kind, status }: TaskFilter = {}): readonly BackgroundTask[] {
    const wanted = status === undefined ? undefined : [status].flat();
    return this.#table
      .tasks()
      .filter((task) => kind === undefined || task.kind === kind)
      .filter((task) => wanted === undefined || wanted.includes(task.status));
  }

  find(id: string): BackgroundTask | undefined {
    return this.#table.find(id);
  }

  /** The task of an id or the beginning of one; an error lists those there are. */
  require(reference: string): BackgroundTask {
    return this.#table.require(reference);
  }

  /** Starts an agent, or queues it if enough are running. */
  async spawnAgent(request: AgentJobRequest): Promise<BackgroundTask> {
    this.#assertOpen();
    if (request.prompt.trim() === '') throw new AgentError('usage', 'Missing prompt for the agent.');
    const task = this.#draft(request);
    const { AgentJob } = await import('./agent-job.ts');
    await this.#noteInSession(task);
    this.#table.add(task);
    this.#enqueue(new AgentJob({ id: task.id, prompt: request.prompt }, this.#jobParts(task)));
    return request.mode === 'foreground' ? this.whenEnded(task.id) : this.require(task.id);
  }

  /** Sends text to an agent: while it works, or to continue after its end. */
  async send(id: string, input: TaskInput): Promise<BackgroundTask> {
    this.#assertOpen();
    const task = this.require(id);
    if (task.kind === 'process')
      throw new AgentError('usage', `${task.id} is a command, and background commands have no input.`);
    if (!('prompt' in input) || input.prompt.trim() === '')
      throw new AgentError('usage', `Missing prompt for ${task.id}.`);
    if (task.status === 'queued')
      throw new AgentError('usage', `${task.id} has not started yet; send it more when it has.`);
    if (!hasEnded(task) && this.#running.get(task.id)?.job.steer(input.prompt)) return task;
    await this.#running.get(task.id)?.done;
    const { AgentJob } = await import('./agent-job.ts');
    const job = new AgentJob({ id: task.id, prompt: input.prompt }, this.#jobParts(task));
    this.#table.change(
      task.id,
      { status: 'queued', promptPreview: preview(input.prompt) },
      'background_task_updated',
    );
    this.#enqueue(job);
    return this.require(task.id);
  }

  /** How many commands calls wait for; `moveToBackground` moves them all. */
  get movable(): number {
    return this.#processes.movable;
  }

  /** Moves the commands that calls wait for to the background; returns their number. */
  moveToBackground(): number {
    return this.#processes.moveToBackground();
  }

  /** Ends a task with everything it started; resolves when it has ended. */
  async cancel(id: string, reason = 'It was stopped.'): Promise<BackgroundTask> {
    const task = this.require(id);
    if (hasEnded(task)) return task;
    if (task.kind === 'process') await this.#processes.cancel(task.id);
    else await this.#cancelAgent(task.id, reason);
    return this.require(task.id);
  }

  /** Removes an ended task from the list; its output stays. */
  close(id: string): void {
    const task = this.require(id);
    if (!hasEnded(task))
      throw new AgentError('usage', `${task.id} is still ${task.status}; stop it before it is closed.`);
    this.#table.remove(task.id);
  }

  /** The output of a task from an offset: the conversation of an agent, the output of a command. */
  async readLog(id: string, { offset = 0 }: { readonly offset?: number } = {}): Promise<LogPart> {
    const task = this.require(id);
    if (task.unread) this.#table.change(task.id, { unread: false }, 'background_task_updated');
    if (task.kind === 'process') return readFileFrom(task.logPath ?? '', offset);
    const [{ renderTranscript }, handle] = await Promise.all([
      import('./render-transcript.ts'),
      this.#transcripts.read(task.id),
    ]);
    const said = renderTranscript(handle?.path() ?? []) + (this.#running.get(task.id)?.job.streaming ?? '');
    await handle?.close();
    const text = said.slice(offset);
    return { text, nextOffset: offset + text.length, isEnd: true };
  }

  /** The directory of an agent, from its conversation. */
  async directoryOf(id: string): Promise<string | undefined> {
    const handle = await this.#transcripts.read(this.require(id).id);
    await handle?.close();
    return handle?.header.cwd;
  }

  /** Resolves with a task when it has ended. */
  async whenEnded(id: string, signal?: AbortSignal): Promise<BackgroundTask> {
    const task = this.require(id);
    if (hasEnded(task)) return task;
    return this.#table.until(
      (event) =>
        'task' in event && event.task.id === task.id && hasEnded(event.task) ? event.task : undefined,
      { signal, onAbort: `No longer waiting for ${task.id}; it keeps running.` },
    );
  }

  /** Marks the result as reported. */
  markRead(id: string): void {
    if (this.find(id)?.unread) this.#table.change(id, { unread: false }, 'background_task_updated');
  }

  /** Adds the spending of agents that a crash ended to the budget. */
  async countInterrupted(): Promise<void> {
    const { session } = this.#host;
    const interrupted = this.list({ kind: 'agent', status: 'interrupted' });
    const waiting = await Promise.all(interrupted.map(({ id }) => this.#transcripts.isWaiting(id)));
    this.#limited = interrupted.filter((_, index) => waiting[index]);
    for (const task of interrupted) {
      const handle = await this.#transcripts.read(task.id);
      const entries = [...(handle?.entries() ?? [])];
      const spent = totalsOf(entries);
      const model = entries
        .flatMap((entry) =>
          entry.type === 'message' && entry.message.role === 'assistant' ? entry.message.model : [],
        )
        .at(-1);
      await handle?.close();
      const missing = totalsSince(spent, task.spent ?? noTotals);
      if (missing.modelCalls <= 0) continue;
      session.spending.charge(missing);
      await session.keepSpent(missing, {
        purpose: 'agents',
        ...givenFields({ agent: task.agentType, model }),
      });
      this.#table.change(task.id, { spent }, 'background_task_updated');
    }
  }

  /** Tasks that ended with the program and do not resume by themselves. */
  get lost(): readonly BackgroundTask[] {
    const own = new Set(this.#limited.map(({ id }) => id));
    return this.list({ status: 'interrupted' }).filter(({ id }) => !own.has(id));
  }

  /** Resumes the agents that waited for a limit when the program ended; the model receives their results. */
  async resumeWaiting(): Promise<readonly BackgroundTask[]> {
    const tasks = this.#limited;
    this.#limited = [];
    if (tasks.length === 0) return [];
    const [{ AgentJob }, { tellModel }] = await Promise.all([
      import('./agent-job.ts'),
      import('./tell-model.ts'),
    ]);
    for (const task of tasks) {
      this.#table.change(task.id, { status: 'queued', unread: false }, 'background_task_updated');
      tellModel(task, { host: this.#host, registry: this, signal: new AbortController().signal });
      this.#enqueue(new AgentJob({ id: task.id }, this.#jobParts(task)));
    }
    return tasks;
  }

  /** Ends all of it; the session is over. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const active = this.list({ kind: 'agent' }).filter((task) => !hasEnded(task));
    await Promise.all(active.map(({ id }) => this.#cancelAgent(id, 'The session ended.')));
    this.#processes.dispose();
    this.#table.close();
  }

  /** The current host of agents: definitions and instructions may have been reloaded. */
  get #host(): SubagentHost {
    const { session } = this.#firstHost;
    return session.state.peek(subagentHost) ?? this.#firstHost;
  }

  get #cwd(): string {
    return this.#host.options.workspace?.cwd ?? process.cwd();
  }

  #draft(request: AgentJobRequest): BackgroundTask {
    const { prompt, agentType = 'general-purpose', label, mode = 'background', model } = request;
    const definition = findDefinition(agentType, this.#host.definitions);
    const isolation = request.isolation ?? definition.isolation ?? 'none';
    return {
      id: newAgentId(),
      kind: 'agent',
      label: label ?? preview(prompt, 60),
      agentType: definition.name,
      status: 'queued',
      mode,
      parentSessionId: this.#host.session.id,
      depth: 1,
      cwd: this.#cwd,
      createdAt: now(),
      updatedAt: now(),
      promptPreview: preview(prompt),
      unread: false,
      ...given('model', model),
      ...given('isolation', isolation === 'worktree' ? isolation : undefined),
    };
  }

  /** A session that only started tasks must be findable too. */
  async #noteInSession({ id, label, agentType = '' }: BackgroundTask): Promise<void> {
    const data = { taskId: id, label, agentType };
    await this.#host.options.handle?.append({ type: 'custom', customType: 'robota.task', data });
  }

  #jobParts({ agentType = 'general-purpose' }: BackgroundTask): AgentJobServices {
    return {
      host: this.#host,
      table: this.#table,
      transcripts: this.#transcripts,
      settings: this.#settings,
      definition: findDefinition(agentType, this.#host.definitions),
    };
  }

  #enqueue(job: AgentJob): void {
    this.#waiting.push(job);
    this.#startNext();
  }

  #startNext(): void {
    while (!this.#isDisposed && this.#running.size < this.#settings.maxConcurrent) {
      const job = this.#waiting.shift();
      if (!job) return;
      const done = job.run().finally(() => {
        this.#running.delete(job.id);
        this.#startNext();
      });
      this.#running.set(job.id, { job, done });
    }
  }

  async #cancelAgent(id: string, reason: string): Promise<void> {
    const place = this.#waiting.findIndex((job) => job.id === id);
    if (place >= 0) {
      this.#waiting.splice(place, 1);
      const error = { category: 'cancelled', message: reason, recoverable: true };
      const patch = { status: 'cancelled', completedAt: now(), error } as const;
      this.#table.change(id, patch, 'background_task_cancelled');
      return;
    }
    const running = this.#running.get(id);
    running?.job.cancel(reason);
    await running?.done;
  }

  #assertOpen(): void {
    if (this.#isDisposed)
      throw new AgentError('session', 'The session is closed. Open it again to continue.');
  }
}

/** The tasks of a session, which end with it; set by `createSession`. */
export const taskRegistry: StateKey<TaskRegistry> = {
  name: 'taskRegistry',
  create: () => {
    throw new AgentError('session', 'This session cannot work in the background.');
  },
  dispose: (registry) => registry.dispose(),
};

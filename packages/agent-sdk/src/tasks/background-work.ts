import {
  AgentError,
  abortSignal,
  amount,
  checkArguments,
  either,
  list,
  object,
  optional,
  text,
  words,
} from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '@robota-sdk/agent-resources';
import type { SessionPermissions } from '../permissions/session-permissions.ts';
import type { JobGroupRequest } from './job-groups.ts';
import type { LogPart } from './process-tasks.ts';
import type { AgentJobRequest, TaskFilter, TaskInput, TaskRegistry } from './task-registry.ts';
import type { BackgroundTask, JobGroup } from './task-state.ts';

const taskFilter = object({}, { kind: optional(text), status: optional(either(text, list(text))) });
const taskInput = either(object({ prompt: text }), object({ stdin: text }));
const logOptions = object({}, { offset: optional(amount) });
const groupRequest = object({ waitPolicy: text, taskIds: list(text) }, { label: optional(text) });
const jobRequest = object(
  { prompt: text },
  {
    agentType: optional(text),
    label: optional(text),
    mode: optional(words('foreground', 'background')),
    model: optional(text),
    isolation: optional(words('none', 'worktree')),
  },
);

/** Operations on background work, for front ends. */
export abstract class BackgroundWork {
  /** All background tasks of the conversation. */
  abstract readonly tasks: TaskRegistry;
  abstract readonly permissions: SessionPermissions;
  /** The agents that can be started. */
  abstract listAgentDefinitions(): readonly IAgentDefinition[];

  listBackgroundTasks(filter?: TaskFilter): readonly BackgroundTask[] {
    checkArguments('listBackgroundTasks', { filter: [filter, optional(taskFilter)] });
    return this.tasks.list(filter);
  }

  getBackgroundTask(id: string): BackgroundTask | undefined {
    checkArguments('getBackgroundTask', { id: [id, text] });
    return this.tasks.find(id);
  }

  /** Ends a task with everything it started; resolves when it has ended. */
  async cancelBackgroundTask(id: string, reason?: string): Promise<BackgroundTask> {
    checkArguments('cancelBackgroundTask', { id: [id, text], reason: [reason, optional(text)] });
    return this.tasks.cancel(id, reason);
  }

  /** Removes an ended task from the list; its output stays. */
  closeBackgroundTask(id: string): void {
    checkArguments('closeBackgroundTask', { id: [id, text] });
    this.tasks.close(id);
  }

  async sendBackgroundTask(id: string, input: TaskInput): Promise<BackgroundTask> {
    checkArguments('sendBackgroundTask', { id: [id, text], input: [input, taskInput] });
    return this.tasks.send(id, input);
  }

  async readBackgroundTaskLog(id: string, options?: { readonly offset?: number }): Promise<LogPart> {
    checkArguments('readBackgroundTaskLog', { id: [id, text], options: [options, optional(logOptions)] });
    return this.tasks.readLog(id, options);
  }

  createBackgroundJobGroup(request: JobGroupRequest): JobGroup {
    checkArguments('createBackgroundJobGroup', { request: [request, groupRequest] });
    return this.tasks.groups.create(request);
  }

  listBackgroundJobGroups(): readonly JobGroup[] {
    return this.tasks.groups.list();
  }

  getBackgroundJobGroup(id: string): JobGroup | undefined {
    checkArguments('getBackgroundJobGroup', { id: [id, text] });
    return this.listBackgroundJobGroups().find((group) => group.id === id);
  }

  /** Resolves when the group is done according to its policy. */
  async waitBackgroundJobGroup(id: string, signal?: AbortSignal): Promise<JobGroup> {
    checkArguments('waitBackgroundJobGroup', { id: [id, text], signal: [signal, optional(abortSignal)] });
    return this.tasks.groups.wait(id, signal);
  }

  listAgentJobs(filter: Omit<TaskFilter, 'kind'> = {}): readonly BackgroundTask[] {
    checkArguments('listAgentJobs', { filter: [filter, taskFilter] });
    return this.tasks.list({ ...filter, kind: 'agent' });
  }

  /** Starts an agent; resolves immediately, or at its end in the mode `foreground`. */
  async spawnAgentJob(request: AgentJobRequest): Promise<BackgroundTask> {
    checkArguments('spawnAgentJob', { request: [request, jobRequest] });
    const name = request.agentType ?? 'general-purpose';
    const { verdict, reason } = await this.permissions.check({ tool: 'Agent', name });
    // Starting an agent manually needs no question, but deny rules apply.
    if (verdict === 'deny') throw new AgentError('usage', `The agent is not started: ${reason}`);
    return this.tasks.spawnAgent(request);
  }

  async sendAgentJob(id: string, prompt: string): Promise<BackgroundTask> {
    checkArguments('sendAgentJob', { id: [id, text], prompt: [prompt, text] });
    return this.tasks.send(id, { prompt });
  }

  async cancelAgentJob(id: string, reason?: string): Promise<BackgroundTask> {
    checkArguments('cancelAgentJob', { id: [id, text], reason: [reason, optional(text)] });
    return this.tasks.cancel(id, reason);
  }

  closeAgentJob(id: string): void {
    checkArguments('closeAgentJob', { id: [id, text] });
    this.tasks.close(id);
  }
}

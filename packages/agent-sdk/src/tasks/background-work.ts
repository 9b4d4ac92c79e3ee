import { AgentError } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '@robota-sdk/agent-resources';
import type { SessionPermissions } from '../permissions/session-permissions.ts';
import type { JobGroupRequest } from './job-groups.ts';
import type { LogPart } from './process-tasks.ts';
import type { AgentJobRequest, TaskFilter, TaskInput, TaskRegistry } from './task-registry.ts';
import type { BackgroundTask, JobGroup } from './task-state.ts';

/** Operations on background work, for front ends. */
export abstract class BackgroundWork {
  /** All background tasks of the conversation. */
  abstract readonly tasks: TaskRegistry;
  abstract readonly permissions: SessionPermissions;
  /** The agents that can be started. */
  abstract listAgentDefinitions(): readonly IAgentDefinition[];

  listBackgroundTasks(filter?: TaskFilter): readonly BackgroundTask[] {
    return this.tasks.list(filter);
  }

  getBackgroundTask(id: string): BackgroundTask | undefined {
    return this.tasks.find(id);
  }

  /** Ends a task with everything it started; resolves when it has ended. */
  async cancelBackgroundTask(id: string, reason?: string): Promise<BackgroundTask> {
    return this.tasks.cancel(id, reason);
  }

  /** Removes an ended task from the list; its output stays. */
  closeBackgroundTask(id: string): void {
    this.tasks.close(id);
  }

  async sendBackgroundTask(id: string, input: TaskInput): Promise<BackgroundTask> {
    return this.tasks.send(id, input);
  }

  async readBackgroundTaskLog(id: string, options?: { readonly offset?: number }): Promise<LogPart> {
    return this.tasks.readLog(id, options);
  }

  createBackgroundJobGroup(request: JobGroupRequest): JobGroup {
    return this.tasks.groups.create(request);
  }

  listBackgroundJobGroups(): readonly JobGroup[] {
    return this.tasks.groups.list();
  }

  getBackgroundJobGroup(id: string): JobGroup | undefined {
    return this.listBackgroundJobGroups().find((group) => group.id === id);
  }

  /** Resolves when the group is done according to its policy. */
  async waitBackgroundJobGroup(id: string, signal?: AbortSignal): Promise<JobGroup> {
    return this.tasks.groups.wait(id, signal);
  }

  listAgentJobs(filter: Omit<TaskFilter, 'kind'> = {}): readonly BackgroundTask[] {
    return this.tasks.list({ ...filter, kind: 'agent' });
  }

  /** Starts an agent; resolves immediately, or at its end in the mode `foreground`. */
  async spawnAgentJob(request: AgentJobRequest): Promise<BackgroundTask> {
    const name = request.agentType ?? 'general-purpose';
    const { verdict, reason } = await this.permissions.check({ tool: 'Agent', name });
    // Starting an agent manually needs no question, but deny rules apply.
    if (verdict === 'deny') throw new AgentError('usage', `The agent is not started: ${reason}`);
    return this.tasks.spawnAgent(request);
  }

  async sendAgentJob(id: string, prompt: string): Promise<BackgroundTask> {
    return this.tasks.send(id, { prompt });
  }

  async cancelAgentJob(id: string, reason?: string): Promise<BackgroundTask> {
    return this.tasks.cancel(id, reason);
  }

  closeAgentJob(id: string): void {
    this.tasks.close(id);
  }
}

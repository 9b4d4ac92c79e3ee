import { randomUUID } from 'node:crypto';
import { AgentError, given, givenFields } from '@robota-sdk/agent-core';
import {
  type BackgroundTask,
  hasEnded,
  type JobGroup,
  type JobGroupResult,
  preview,
  type WaitPolicy,
  wordsOf,
} from './task-state.ts';
import { now, type TaskTable } from './task-table.ts';

export interface JobGroupRequest {
  readonly waitPolicy: WaitPolicy;
  readonly taskIds: readonly string[];
  readonly label?: string;
}

/** Groups of tasks: when they are done, and their results. */
export class JobGroups {
  readonly #table: TaskTable;
  readonly #parentSessionId: string;

  constructor(table: TaskTable, parentSessionId: string) {
    this.#table = table;
    this.#parentSessionId = parentSessionId;
    table.onChange = (task) => this.#onChange(task);
  }

  create({ waitPolicy, taskIds, label }: JobGroupRequest): JobGroup {
    if (taskIds.length === 0) throw new AgentError('usage', 'A group needs at least one task.');
    const ids = [...new Set(taskIds.map((id) => this.#table.require(id).id))];
    const group: JobGroup = {
      id: `group-${randomUUID().slice(0, 8)}`,
      parentSessionId: this.#parentSessionId,
      waitPolicy,
      taskIds: ids,
      status: 'running',
      ...given('label', label),
      createdAt: now(),
      updatedAt: now(),
      results: this.#resultsOf(ids, []),
    };
    this.#table.keepGroup(group, 'background_job_group_created');
    this.#settle(group);
    return this.require(group.id);
  }

  list(): readonly JobGroup[] {
    return this.#table.groups();
  }

  require(id: string): JobGroup {
    const group = this.#table.group(id);
    if (group) return this.#afterCrash(group);
    const known = this.list().map((each) => each.id);
    const hint = known.length === 0 ? 'No groups exist.' : `Available: ${known.join(', ')}.`;
    throw new AgentError('usage', `Unknown group "${id}". ${hint}`);
  }

  /** Resolves when the group is done; a signal ends only the waiting. */
  async wait(id: string, signal?: AbortSignal): Promise<JobGroup> {
    const group = this.require(id);
    if (group.status === 'completed') return group;
    return this.#table.until(
      (event) =>
        event.type === 'background_job_group_completed' && event.group.id === id ? event.group : undefined,
      { signal, onAbort: `No longer waiting for ${id}; its tasks keep running.` },
    );
  }

  #onChange({ id }: BackgroundTask): void {
    for (const group of this.#table.groups())
      if (group.status === 'running' && group.taskIds.includes(id)) this.#settle(group);
  }

  #settle(group: JobGroup): void {
    const results = this.#resultsOf(group.taskIds, group.results);
    const ended = results.filter(hasEnded).length;
    const isDone = group.waitPolicy === 'wait_any' ? ended > 0 : ended === results.length;
    if (!isDone && ended === group.results.filter(hasEnded).length) return;
    const changed: JobGroup = {
      ...group,
      results,
      updatedAt: now(),
      ...(isDone ? { status: 'completed', completedAt: now() } : {}),
    };
    this.#table.keepGroup(
      changed,
      isDone ? 'background_job_group_completed' : 'background_job_group_updated',
    );
  }

  /** Tasks ended by a crash sent no notification. */
  #afterCrash(group: JobGroup): JobGroup {
    if (group.status === 'running') this.#settle(group);
    return this.#table.group(group.id) ?? group;
  }

  /** A closed task keeps its last known result. */
  #resultsOf(ids: readonly string[], before: readonly JobGroupResult[]): readonly JobGroupResult[] {
    return ids.flatMap((id) => {
      const task = this.#table.find(id);
      return task ? resultOf(task) : before.filter(({ taskId }) => taskId === id);
    });
  }
}

function resultOf(task: BackgroundTask): JobGroupResult {
  const { id, label, status, result, error, worktree } = task;
  return {
    taskId: id,
    label,
    status,
    ...given('summary', result && preview(wordsOf(task), 200)),
    ...givenFields({ outputRef: task.transcriptPath ?? task.logPath, error, worktree }),
  };
}

import { statSync } from 'node:fs';
import { AgentError, notifyAll, orElse } from '@robota-sdk/agent-core';
import type { TaskLog, TaskLogLine } from './task-log.ts';
import {
  type BackgroundTask,
  hasEnded,
  type JobGroup,
  type JobGroupEvent,
  type TaskEvent,
} from './task-state.ts';

export type TaskListener = (event: TaskEvent | JobGroupEvent) => void | Promise<void>;

type Patch = Partial<Omit<BackgroundTask, 'id' | 'kind'>>;
type ChangeType = Extract<TaskEvent, { task: BackgroundTask }>['type'];

/** The tasks and groups of a session; every change is written to the file and sent to listeners. */
export class TaskTable {
  readonly #tasks = new Map<string, BackgroundTask>();
  readonly #groups = new Map<string, JobGroup>();
  readonly #listeners = new Set<TaskListener>();
  readonly #log: TaskLog | undefined;
  #isLoaded = false;
  /** Called after all listeners, for follow-up changes. */
  onChange: (task: BackgroundTask) => void = () => {};

  constructor(log: TaskLog | undefined) {
    this.#log = log;
  }

  subscribe(listener: TaskListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tasks(): readonly BackgroundTask[] {
    this.#load();
    return [...this.#tasks.values()];
  }

  groups(): readonly JobGroup[] {
    this.#load();
    return [...this.#groups.values()];
  }

  find(id: string): BackgroundTask | undefined {
    this.#load();
    return this.#tasks.get(id);
  }

  /** The task of an id or the beginning of one; an error lists those there are. */
  require(reference: string): BackgroundTask {
    const exact = this.find(reference);
    if (exact) return exact;
    const fitting = this.tasks().filter(({ id }) => reference !== '' && id.startsWith(reference));
    if (fitting.length === 1 && fitting[0]) return fitting[0];
    const ids = (fitting.length > 1 ? fitting : this.tasks()).map(({ id }) => id).join(', ');
    if (fitting.length > 1)
      throw new AgentError('usage', `Several tasks start with "${reference}": ${ids}. Give more of the id.`);
    const known = ids === '' ? 'No tasks exist.' : `Available: ${ids}.`;
    throw new AgentError('usage', `Unknown task "${reference}". ${known}`);
  }

  group(id: string): JobGroup | undefined {
    this.#load();
    return this.#groups.get(id);
  }

  add(task: BackgroundTask): BackgroundTask {
    this.#load();
    this.#keep({ task });
    void this.emit({ type: 'background_task_created', task });
    this.onChange(task);
    return task;
  }

  /** Applies a patch. A change without an event is not written to the file. */
  change(id: string, patch: Patch, type?: ChangeType): BackgroundTask {
    const task = { ...this.require(id), ...patch, updatedAt: now() };
    if (type === undefined) {
      this.#tasks.set(id, task);
      return task;
    }
    this.#keep({ task });
    void this.emit({ type, task });
    this.onChange(task);
    return task;
  }

  /** Removes a field, such as the error of a task that continues. */
  without(id: string, fields: readonly (keyof Patch)[]): void {
    const task: { -readonly [Field in keyof BackgroundTask]: BackgroundTask[Field] } = {
      ...this.require(id),
    };
    for (const field of fields) delete task[field as 'error'];
    this.#tasks.set(id, task);
  }

  remove(id: string): void {
    this.#keep({ closed: id });
    void this.emit({ type: 'background_task_closed', taskId: id });
  }

  keepGroup(group: JobGroup, type: JobGroupEvent['type']): void {
    this.#keep({ group });
    void this.emit({ type, group });
  }

  /** Returns a promise only if a listener does, as a slow reader would. */
  emit(event: TaskEvent | JobGroupEvent): void | Promise<void> {
    // A failing listener must not fail the reported action.
    return orElse(() => notifyAll(this.#listeners, event)?.catch(() => {}), undefined);
  }

  /** Resolves with the first value picked from an event; a signal rejects it. */
  until<T>(
    pick: (event: TaskEvent | JobGroupEvent) => T | undefined,
    { signal, onAbort }: { readonly signal: AbortSignal | undefined; readonly onAbort: string },
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = () => {
        stop();
        signal?.removeEventListener('abort', abort);
      };
      const abort = () => {
        end();
        reject(new AgentError('aborted', onAbort));
      };
      const stop = this.subscribe((event) => {
        const found = pick(event);
        if (found === undefined) return;
        end();
        resolve(found);
      });
      signal?.addEventListener('abort', abort, { once: true });
      if (signal?.aborted) abort();
    });
  }

  close(): void {
    this.#log?.close();
  }

  #keep(record: TaskLogLine): void {
    this.#take(record);
    this.#log?.append(record);
  }

  #take(record: TaskLogLine): void {
    if ('task' in record) this.#tasks.set(record.task.id, record.task);
    else if ('group' in record) this.#groups.set(record.group.id, record.group);
    else this.#tasks.delete(record.closed);
  }

  /** Reads the tasks of an earlier process; those that were running have stopped. */
  #load(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    for (const record of this.#log?.read() ?? []) this.#take(record);
    for (const task of this.#tasks.values()) if (!hasEnded(task)) this.#keep({ task: interrupted(task) });
  }
}

/** A task whose process is gone. */
function interrupted(task: BackgroundTask): BackgroundTask {
  const { currentAction: _, ...rest } = task;
  const how =
    task.kind === 'agent'
      ? `/agent send ${task.id} PROMPT resumes from what it wrote.`
      : 'Its output is kept.';
  return {
    ...rest,
    status: 'interrupted',
    unread: true,
    completedAt: lastSign(task),
    error: {
      category: 'interrupted',
      message: `The program ended before it did. ${how}`,
      recoverable: task.kind === 'agent',
    },
  };
}

/** The time of the last activity of a task: it may change its files without a line in the log. */
function lastSign({ transcriptPath, logPath, updatedAt }: BackgroundTask): string {
  const file = transcriptPath ?? logPath;
  const written =
    file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.mtime.toISOString();
  return written !== undefined && written > updatedAt ? written : updatedAt;
}

export function now(): string {
  return new Date().toISOString();
}

import type { TaskDetails, TaskRecord } from '../contract/task.ts';

/** A task for programs: every field is there, null where it has no value. */
export function taskFacts(task: TaskRecord | TaskDetails): Readonly<Record<string, unknown>> {
  return {
    id: task.id,
    name: task.name,
    state: task.state,
    reason: task.reason ?? null,
    branch: task.branch ?? null,
    filesChanged: task.filesChanged ?? null,
    added: task.added ?? null,
    removed: task.removed ?? null,
    activity: (task.state === 'running' ? task.activity : undefined) ?? null,
    attempts: task.attempts,
    cost: task.cost,
    turns: task.turns,
    worker: task.worker ?? null,
    question: task.question ?? null,
    sessionId: task.sessionId ?? null,
    createdAt: task.createdAt,
    startedAt: task.startedAt ?? null,
    updatedAt: task.updatedAt,
    endedAt: task.endedAt ?? null,
  };
}

import { givenFields } from '@robota-sdk/agent-core';
import type { TaskChange } from '../contract/steps.ts';
import type {
  Receipt,
  TaskDetails,
  TaskQuestion,
  TaskReason,
  TaskSpec,
  TaskState,
} from '../contract/task.ts';

/** A row of `fleet.task`. */
export interface TaskRow {
  readonly id: string;
  readonly name: string;
  readonly state: TaskState;
  readonly reason: TaskReason | null;
  readonly spec: TaskSpec;
  readonly round: number;
  /** A bigint, which `pg` gives as text. */
  readonly epoch: string;
  readonly worker: string | null;
  readonly step: string | null;
  readonly attempt_limit: number;
  readonly cost: number;
  readonly turns: number;
  readonly kills: number;
  readonly is_stopping: boolean;
  readonly question: TaskQuestion | null;
  readonly facts: TaskChange;
  readonly receipt: Receipt | null;
  readonly session_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly ended_at: Date | null;
  /** Only where the query counts them. */
  readonly attempts?: number;
}

/** The columns of `TaskRow`, with the number of attempts. */
export const taskColumns = `t.id, t.name, t.state, t.reason, t.spec, t.round, t.epoch, t.worker, t.step, t.attempt_limit, t.cost,
  t.turns, t.kills, t.is_stopping, t.question, t.facts, t.receipt, t.session_id, t.created_at, t.updated_at, t.ended_at,
  (select count(*)::int from fleet.attempt a where a.task_id = t.id) as attempts`;

/** A row as its reader knows it. */
export function toDetails(row: TaskRow): TaskDetails {
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    ...(row.reason === null ? {} : { reason: row.reason }),
    attempts: row.attempts ?? 0,
    cost: row.cost,
    turns: row.turns,
    ...(row.worker === null ? {} : { worker: row.worker }),
    ...(row.question === null ? {} : { question: row.question }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...listedFacts(row.facts),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at.toISOString() }),
    ...(row.session_id === null ? {} : { sessionId: row.session_id }),
    spec: row.spec,
    ...(row.receipt === null ? {} : { receipt: row.receipt }),
    ...(row.facts.directory === undefined ? {} : { directory: row.facts.directory }),
  };
}

/** Facts that lists show. */
export function listedFacts({
  branch,
  startedAt,
  activity,
  filesChanged,
  added,
  removed,
}: TaskChange): Partial<TaskDetails> {
  return givenFields({ branch, startedAt, activity, filesChanged, added, removed });
}

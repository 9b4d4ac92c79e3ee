import type { FleetDatabase, Lease, Queryable } from '../contract/database.ts';
import type { StepContext, StoredAnswer, TaskChange } from '../contract/steps.ts';
import type { AttemptRecord, TaskState } from '../contract/task.ts';
import { type TaskRow, taskColumns, toDetails } from '../database/task-rows.ts';
import { reserve, settle } from './budget.ts';
import { readLeased, updateLeased } from './leases.ts';

/** A task at the beginning of a step. */
export interface StepStart extends TaskRow {
  /** In their order. */
  readonly attempt_records: readonly AttemptRecord[];
  readonly answers: readonly StoredAnswer[];
}

/** Notes the step that begins, and reads all that it needs to know. */
export function beginStep(
  connection: Queryable,
  lease: Lease,
  { step, state }: { readonly step: string; readonly state: TaskState },
): Promise<StepStart> {
  const answer = `json_strip_nulls(json_build_object('hash', hash, 'decision', decision, 'text', text))`;
  return updateLeased<StepStart>(connection, lease, {
    set: 'step = $4, state = $5',
    values: [step, state],
    returning: `${taskColumns},
      (select coalesce(json_agg(record order by number), '[]') from fleet.attempt where task_id = t.id) as attempt_records,
      (select coalesce(json_agg(${answer} order by answered_at), '[]') from fleet.answer where task_id = t.id) as answers`,
  });
}

export interface StepContextOptions {
  readonly database: FleetDatabase;
  readonly lease: Lease;
  readonly start: StepStart;
  readonly attempt: number;
  readonly isTakeover: boolean;
  readonly signal: AbortSignal;
  changed(): void;
  listen(listener: (text: string) => void): void;
}

/** Makes the services of a step; each write is made under the lease. */
export function stepContext(options: StepContextOptions): StepContext {
  const { database, lease, start, attempt, signal, changed } = options;
  return {
    task: toDetails(start),
    round: start.round,
    attempt,
    lease,
    signal,
    attempts: start.attempt_records,
    isTakeover: options.isTakeover,
    answers: start.answers,
    facts: start.facts,
    async assertLease() {
      await readLeased(database, lease);
    },
    async record(change) {
      await recordFacts(database, lease, change);
      changed();
    },
    async recordAttempt(change) {
      await recordAttempt(database, { lease, attempt, change });
      changed();
    },
    reserve: (amount, model) => reserve(database, { lease, amount, model, signal }),
    async settle(reservation, cost) {
      await settle(database, reservation, cost);
      changed();
    },
    async useAnswer(hash) {
      await database.query('delete from fleet.answer where task_id = $1 and hash = $2', [lease.taskId, hash]);
    },
    onMessage: options.listen,
  };
}

async function recordFacts(database: FleetDatabase, lease: Lease, change: TaskChange): Promise<void> {
  const { notes = [], ...facts } = change;
  await updateLeased(database, lease, {
    set: `facts = t.facts || $4::jsonb || jsonb_build_object('notes', coalesce(t.facts->'notes', '[]'::jsonb) || $5::jsonb)`,
    values: [JSON.stringify(facts), JSON.stringify(notes)],
  });
}

interface AttemptChange {
  readonly lease: Lease;
  readonly attempt: number;
  readonly change: Partial<AttemptRecord>;
}

const newAttempt = { sessionId: '', state: 'running', cost: 0, turns: 0 };

async function recordAttempt(database: Queryable, { lease, attempt, change }: AttemptChange): Promise<void> {
  await updateLeased(database, lease, {
    before: `with leased as (select id from fleet.task where id = $1 and epoch = $2 and worker = $3 for update),
      changed as (
        insert into fleet.attempt as a (task_id, number, record) select id, $4::int, $5::jsonb || $6::jsonb from leased
        on conflict (task_id, number) do update set record = a.record || $6::jsonb returning record
      )`,
    set: `session_id = (select nullif(record->>'sessionId', '') from changed),
      turns = (select (record->>'turns')::int from changed) + (select coalesce(sum((record->>'turns')::int), 0)
        from fleet.attempt where task_id = t.id and number <> $4::int)`,
    values: [attempt, JSON.stringify({ ...newAttempt, number: attempt }), JSON.stringify(change)],
  });
}

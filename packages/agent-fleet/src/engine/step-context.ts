import type { FleetDatabase, Lease, Queryable } from '../contract/database.ts';
import type { StepContext, StoredAnswer, TaskChange } from '../contract/steps.ts';
import type { AttemptRecord } from '../contract/task.ts';
import { readAttempts, toDetails } from '../database/task-rows.ts';
import { reserve, settle } from './budget.ts';
import { readLeased, updateLeased } from './leases.ts';

export interface StepContextOptions {
  readonly database: FleetDatabase;
  readonly lease: Lease;
  readonly round: number;
  readonly attempt: number;
  readonly isTakeover: boolean;
  readonly signal: AbortSignal;
  changed(): void;
  listen(listener: (text: string) => void): void;
}

/** Makes the services of a step; each write is made under the lease. */
export async function stepContext(options: StepContextOptions): Promise<StepContext> {
  const { database, lease, attempt, signal, changed } = options;
  const row = await readLeased(database, lease);
  return {
    task: toDetails(row),
    round: options.round,
    attempt,
    lease,
    signal,
    attempts: await readAttempts(database, lease.taskId),
    isTakeover: options.isTakeover,
    answers: await readAnswers(database, lease.taskId),
    facts: row.facts,
    async assertLease() {
      await readLeased(database, lease);
    },
    async record(change) {
      await recordFacts(database, lease, change);
      changed();
    },
    async recordAttempt(change) {
      await database.transaction((connection) => recordAttempt(connection, { lease, attempt, change }));
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

async function readAnswers(connection: Queryable, taskId: string): Promise<readonly StoredAnswer[]> {
  const { rows } = await connection.query<{
    hash: string;
    decision: StoredAnswer['decision'];
    text: string | null;
  }>('select hash, decision, text from fleet.answer where task_id = $1 order by answered_at', [taskId]);
  return rows.map(({ hash, decision, text }) => ({ hash, decision, ...(text === null ? {} : { text }) }));
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

async function recordAttempt(
  connection: Queryable,
  { lease, attempt, change }: AttemptChange,
): Promise<void> {
  await readLeased(connection, lease, 'lock');
  const { rows } = await connection.query<{ record: AttemptRecord }>(
    'select record from fleet.attempt where task_id = $1 and number = $2',
    [lease.taskId, attempt],
  );
  const before = rows[0]?.record ?? { number: attempt, sessionId: '', state: 'running', cost: 0, turns: 0 };
  const record: AttemptRecord = { ...before, ...change, number: attempt };
  await connection.query(
    `insert into fleet.attempt (task_id, number, record) values ($1, $2, $3)
     on conflict (task_id, number) do update set record = excluded.record`,
    [lease.taskId, attempt, JSON.stringify(record)],
  );
  await updateLeased(connection, lease, {
    set: `session_id = $4, turns = (select coalesce(sum((record->>'turns')::int), 0) from fleet.attempt where task_id = t.id)`,
    values: [record.sessionId === '' ? null : record.sessionId],
  });
}

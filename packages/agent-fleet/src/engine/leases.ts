import type { WorkerRecord } from '../contract/client.ts';
import { type Lease, LostLeaseError, type Queryable } from '../contract/database.ts';
import type { Receipt, TaskQuestion, TaskReason } from '../contract/task.ts';
import { type TaskRow, taskColumns } from '../database/task-rows.ts';

/** A worker as the database knows it. */
export type WorkerIdentity = Omit<WorkerRecord, 'running' | 'isDraining' | 'beatAt'>;

/** A task that this worker may work on. */
export interface Claim {
  readonly lease: Lease;
  readonly round: number;
  /** True if another process began this round. */
  readonly isTakeover: boolean;
  /** True if its worker may hold no other task meanwhile. */
  readonly runsAlone: boolean;
}

/** Makes a worker known, also after it was declared dead. */
export async function registerWorker(connection: Queryable, worker: WorkerIdentity): Promise<void> {
  await connection.query(
    `insert into fleet.worker (id, host, pid, version, labels, jobs, beat_at) values ($1, $2, $3, $4, $5, $6, clock_timestamp())
     on conflict (id) do update set beat_at = clock_timestamp()`,
    [worker.id, worker.host, worker.pid, worker.version, worker.labels, worker.jobs],
  );
}

/** Takes up to `count` tasks whose labels the worker has, most urgent first. Each claim makes a larger epoch. */
export async function claimTasks(
  connection: Queryable,
  worker: WorkerIdentity,
  count: number,
): Promise<readonly Claim[]> {
  return claim(connection, worker, { count, runsAlone: false });
}

/** Takes a task that may only run alone, for a worker that holds none. */
export async function claimLoneTask(
  connection: Queryable,
  worker: WorkerIdentity,
): Promise<Claim | undefined> {
  return (await claim(connection, worker, { count: 1, runsAlone: true }))[0];
}

async function claim(
  connection: Queryable,
  worker: WorkerIdentity,
  { count, runsAlone }: { readonly count: number; readonly runsAlone: boolean },
): Promise<readonly Claim[]> {
  const { rows } = await connection.query<{ id: string; epoch: string; round: number; step: string | null }>(
    // Materialized: as a plain subquery it may run more than once, and lock more rows than its limit.
    `with next as materialized (
       select id from fleet.task where state = 'queued' and not waits and labels <@ $2::text[] and ${runsAlone ? '' : 'not '}runs_alone
         and exists (select from fleet.worker where id = $1 and not is_draining)
       order by priority, seq limit $3 for update skip locked
     )
     update fleet.task t set state = 'preparing', worker = $1, epoch = epoch + 1, reason = null, updated_at = clock_timestamp(),
       facts = jsonb_build_object('startedAt', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || t.facts
     from next where t.id = next.id
     returning t.id, t.epoch, t.round, t.step`,
    [worker.id, worker.labels, count],
  );
  return rows.map(({ id, epoch, round, step }) => ({
    lease: { taskId: id, worker: worker.id, epoch: Number(epoch) },
    round,
    isTakeover: step !== null,
    runsAlone,
  }));
}

/** News for a worker at its beat. */
export interface Beat {
  readonly isDraining: boolean;
  readonly held: readonly { readonly id: string; readonly epoch: number; readonly isStopping: boolean }[];
  readonly hasMessages: boolean;
}

/** Says that the worker lives; undefined if the others think that it does not. */
export async function beat(connection: Queryable, worker: string): Promise<Beat | undefined> {
  const { rows } = await connection.query<{
    is_draining: boolean;
    held: Beat['held'];
    has_messages: boolean;
  }>(
    `with beat as (update fleet.worker set beat_at = clock_timestamp() where id = $1 returning is_draining)
     select is_draining,
       (select coalesce(json_agg(json_build_object('id', id, 'epoch', epoch, 'isStopping', is_stopping)), '[]'::json)
        from fleet.task where worker = $1) as held,
       exists (select from fleet.message) as has_messages,
       -- A beat need not survive a loss of power: an idle machine leaves its disk alone.
       set_config('synchronous_commit', 'off', true)
     from beat`,
    [worker],
  );
  const row = rows[0];
  return row && { isDraining: row.is_draining, held: row.held, hasMessages: row.has_messages };
}

/** Reads a task under its lease; with `lock`, no other can take it before the transaction ends. */
export async function readLeased(
  connection: Queryable,
  lease: Lease,
  lock: 'lock' | 'look' = 'look',
): Promise<TaskRow> {
  const { rows } = await connection.query<TaskRow>(
    `select ${taskColumns} from fleet.task t where t.id = $1 and t.epoch = $2 and t.worker = $3 ${lock === 'lock' ? 'for update' : ''}`,
    [lease.taskId, lease.epoch, lease.worker],
  );
  const row = rows[0];
  if (row === undefined) throw new LostLeaseError(lease);
  return row;
}

/** A change of a task under its lease. */
export interface LeasedChange {
  /** The beginning of the statement, such as `with …`. */
  readonly before?: string;
  readonly set: string;
  readonly values?: readonly unknown[];
  /** Columns to read afterwards. */
  readonly returning?: string;
}

/** Changes columns of a task under its lease, in one statement, and gives those that are asked for. */
export async function updateLeased<Row>(
  connection: Queryable,
  lease: Lease,
  { before = '', set, values = [], returning = 't.id' }: LeasedChange,
): Promise<Row> {
  const { rows } = await connection.query<Row>(
    `${before} update fleet.task t set ${set}, updated_at = clock_timestamp() where t.id = $1 and t.epoch = $2 and t.worker = $3 returning ${returning}`,
    [lease.taskId, lease.epoch, lease.worker, ...values],
  );
  const row = rows[0];
  if (row === undefined) throw new LostLeaseError(lease);
  return row;
}

/** How a round of a task ended. */
export type RoundEnd =
  | { readonly state: 'done'; readonly receipt: Receipt }
  | { readonly state: 'failed'; readonly reason: TaskReason; readonly receipt?: Receipt }
  | { readonly state: 'stopped'; readonly receipt?: Receipt }
  | { readonly state: 'parked'; readonly reason: TaskReason; readonly question?: TaskQuestion };

/** Ends a round, and gives the task back. A task that its user stops meanwhile is not parked. */
export async function endRound(connection: Queryable, lease: Lease, end: RoundEnd): Promise<void> {
  const reason = end.state === 'done' ? undefined : end.state === 'stopped' ? stoppedByUser : end.reason;
  const receipt = end.state === 'parked' ? undefined : end.receipt;
  const question = end.state === 'parked' ? end.question : undefined;
  await updateLeased(connection, lease, {
    set: `state = case when $4 = 'parked' and t.is_stopping then 'stopped' else $4 end,
      reason = case when $4 = 'parked' and t.is_stopping then $9::jsonb else $5::jsonb end,
      question = case when t.is_stopping then null else $6::jsonb end, until = $7::timestamptz,
      receipt = $8::jsonb, ended_at = case when $4 <> 'parked' or t.is_stopping then now() end,
      worker = null, step = null, is_stopping = false, kills = 0`,
    values: [
      end.state,
      toJson(reason),
      toJson(question),
      reason?.until ?? null,
      toJson(receipt),
      toJson(stoppedByUser),
    ],
  });
}

export const stoppedByUser: TaskReason = { code: 'stopped-by-user', message: 'Stopped by the user.' };

function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** Gives back all tasks of a worker that ends in good order; others resume them where they are. */
export async function releaseWorker(connection: Queryable, worker: string): Promise<void> {
  await connection.query(
    `update fleet.task set worker = null, updated_at = clock_timestamp(),
       state = case when is_stopping then 'stopped' else 'queued' end,
       reason = case when is_stopping then $2::jsonb end,
       ended_at = case when is_stopping then now() end
     where worker = $1`,
    [worker, JSON.stringify(stoppedByUser)],
  );
  await connection.query('delete from fleet.worker where id = $1', [worker]);
}

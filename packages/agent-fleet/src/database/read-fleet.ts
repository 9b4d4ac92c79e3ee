import type { FleetCosts, Schedule, TaskQuery, WorkerRecord } from '../contract/client.ts';
import type { Queryable } from '../contract/database.ts';
import type { TaskDetails, TaskRecord, TaskSpec } from '../contract/task.ts';
import { type TaskRow, taskColumns, toDetails } from './task-rows.ts';

/** The tasks, oldest first. */
export async function readTasks(
  connection: Queryable,
  query: TaskQuery = {},
): Promise<readonly TaskRecord[]> {
  const { rows } = await connection.query<TaskRow>(
    `select ${listColumns} from fleet.task t where $1::text[] is null or t.state = any($1) order by t.seq limit $2`,
    [query.states ?? null, query.limit ?? null],
  );
  return rows.map((row) => {
    const { spec: _, ...record } = toDetails(row);
    return record;
  });
}

/** Specifications are large, and no list shows them. */
const listColumns = taskColumns
  .replace('t.spec', `'{}'::jsonb as spec`)
  .replace('t.receipt', 'null as receipt');

/** All of each task that changed after a moment, and the moment to ask for next. */
export async function readChanges(
  connection: Queryable,
  since: Date | undefined,
): Promise<{ readonly tasks: readonly TaskDetails[]; readonly last: Date | undefined }> {
  const { rows } = await connection.query<TaskRow>(
    `select ${taskColumns} from fleet.task t where $1::timestamptz is null or t.updated_at >= $1 order by t.seq`,
    [since ?? null],
  );
  const last = rows.reduce(
    (latest, row) => Math.max(latest, row.updated_at.getTime()),
    since?.getTime() ?? 0,
  );
  return { tasks: rows.map(toDetails), last: last === 0 ? undefined : new Date(last) };
}

/** One task by its id, or the unique beginning of one. */
export async function readTask(connection: Queryable, reference: string): Promise<TaskDetails | undefined> {
  const { rows } = await connection.query<TaskRow>(
    `select ${taskColumns} from fleet.task t where starts_with(t.id, $1) order by t.id = $1 desc limit 2`,
    [reference],
  );
  const [first, second] = rows;
  if (first === undefined || (second !== undefined && first.id !== reference)) return undefined;
  return toDetails(first);
}

/** The tasks that a user may mean: those of this name, and those whose id begins so. */
export async function readTaskNames(
  connection: Queryable,
  reference: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { rows } = await connection.query<{ id: string; name: string }>(
    'select id, name from fleet.task where name = $1 or starts_with(id, $1) order by id limit 1000',
    [reference],
  );
  return rows;
}

/** A text that changes whenever a task does. */
export async function readVersion(connection: Queryable): Promise<string> {
  const { rows } = await connection.query<{ version: string }>(
    `select concat(count(*), ' ', max(updated_at)) as version from fleet.task`,
  );
  return rows[0]?.version ?? '';
}

export async function readWorkers(connection: Queryable): Promise<readonly WorkerRecord[]> {
  const { rows } = await connection.query<{
    id: string;
    host: string;
    pid: number;
    version: string;
    labels: string[];
    jobs: number;
    running: number;
    is_draining: boolean;
    beat_at: Date;
  }>(
    `select w.id, w.host, w.pid, w.version, w.labels, w.jobs, w.is_draining, w.beat_at,
       (select count(*)::int from fleet.task t where t.worker = w.id) as running
     from fleet.worker w order by w.started_at`,
  );
  return rows.map(({ is_draining, beat_at, ...worker }) => ({
    ...worker,
    isDraining: is_draining,
    beatAt: beat_at.toISOString(),
  }));
}

export async function readSchedules(connection: Queryable): Promise<readonly Schedule[]> {
  const { rows } = await connection.query<{
    id: string;
    cron: string;
    time_zone: string;
    spec: TaskSpec;
    missed: Schedule['missed'];
    created_at: Date;
    last_due: Date | null;
    next_due: Date | null;
  }>('select * from fleet.schedule order by created_at, id');
  return rows.map((row) => ({
    id: row.id,
    cron: row.cron,
    timeZone: row.time_zone,
    spec: row.spec,
    missed: row.missed,
    createdAt: row.created_at.toISOString(),
    ...(row.last_due === null ? {} : { lastDue: row.last_due.toISOString() }),
    ...(row.next_due === null ? {} : { nextDue: row.next_due.toISOString() }),
  }));
}

export async function readCosts(connection: Queryable): Promise<FleetCosts> {
  const sums = await connection.query<{
    total: number;
    today: number;
    reserved: number;
    total_limit: number | null;
    daily_limit: number | null;
  }>(
    `select coalesce((select sum(cost) from fleet.spend), 0) as total,
       coalesce((select sum(cost) from fleet.spend where day = ${today}), 0) as today,
       coalesce((select sum(amount) from fleet.reservation), 0) as reserved,
       total_limit, daily_limit from fleet.budget`,
  );
  const byDay = await connection.query<{ day: string; cost: number; tasks: number }>(
    `select to_char(s.day, 'YYYY-MM-DD') as day, sum(s.cost) as cost,
       (select count(*)::int from fleet.task t where (t.ended_at at time zone 'utc')::date = s.day) as tasks
     from fleet.spend s group by s.day order by s.day`,
  );
  const byModel = await connection.query<{ model: string; cost: number }>(
    'select model, sum(cost) as cost from fleet.spend group by model order by sum(cost) desc, model',
  );
  const row = sums.rows[0];
  return {
    total: row?.total ?? 0,
    today: row?.today ?? 0,
    reserved: row?.reserved ?? 0,
    ...(row?.total_limit == null ? {} : { totalLimit: row.total_limit }),
    ...(row?.daily_limit == null ? {} : { dailyLimit: row.daily_limit }),
    byDay: byDay.rows,
    byModel: byModel.rows,
  };
}

/** The day of the money, everywhere the same. */
export const today = `(now() at time zone 'utc')::date`;

import type { FleetDatabase, Queryable } from '../contract/database.ts';
import { advisoryLocks } from '../database/migrate.ts';
import { bookLostReservations } from './budget.ts';
import { stoppedByUser } from './leases.ts';
import { addDueTasks } from './schedules.ts';

/** How long a worker may be silent before its tasks are given to others. */
export interface SweepOptions {
  readonly silenceMs: number;
  /** The clock of schedules; that of the machine unless given. */
  readonly now?: () => Date;
}

/** Whether a sweep found tasks for a worker that waits. */
export type SweepResult = 'done' | 'another-process-sweeps';

/** Deaths of workers in a row, without progress of the task between them, that end it. */
const mostKills = 3;
/** The same with progress. */
const mostKillsInAll = 10;

/**
 * Moves what waits: tasks of silent workers, parked tasks whose time came, tasks whose dependencies ended, and schedules.
 * One process at a time does it.
 */
export async function sweep(database: FleetDatabase, options: SweepOptions): Promise<SweepResult> {
  return database.transaction(async (connection) => {
    const { rows } = await connection.query<{ locked: boolean }>(
      'select pg_try_advisory_xact_lock($1) as locked',
      [advisoryLocks.sweep],
    );
    if (rows[0]?.locked !== true) {
      return 'another-process-sweeps';
    }
    await returnTasks(connection, options.silenceMs);
    await connection.query(
      `update fleet.task set state = 'queued', round = round + 1, reason = null, until = null, updated_at = clock_timestamp()
       where state = 'parked' and until <= now() and question is null`,
    );
    await releaseDependents(connection);
    // Another machine can never have to continue these.
    await connection.query(
      `delete from fleet.snapshot s using fleet.task t where t.id = s.task_id and t.state = 'done'`,
    );
    await addDueTasks(connection, options.now?.() ?? new Date());
    return 'done';
  });
}

async function returnTasks(connection: Queryable, silenceMs: number): Promise<void> {
  await connection.query(
    `delete from fleet.worker where beat_at < clock_timestamp() - $1 * interval '1 millisecond'`,
    [silenceMs],
  );
  const { rows } = await connection.query(
    `select from fleet.task t where worker is not null and not exists (select from fleet.worker w where w.id = t.worker)
     union all select from fleet.reservation limit 1`,
  );
  if (rows.length === 0) {
    return;
  }
  await connection.query('select from fleet.budget for update');
  await connection.query(
    `update fleet.task t set worker = null, epoch = epoch + 1, kills = kills + 1, all_kills = all_kills + 1, updated_at = clock_timestamp(),
       state = case when ${ends} then 'failed' when is_stopping then 'stopped' else 'queued' end,
       ended_at = case when ${ends} or is_stopping then now() end,
       reason = case when ${ends} then $1::jsonb when is_stopping then $2::jsonb end
     where worker is not null and not exists (select from fleet.worker w where w.id = t.worker)`,
    [
      JSON.stringify({
        code: 'killed-workers',
        message: `${mostKills} workers died while they worked on it. Look at their logs, then retry it.`,
      }),
      JSON.stringify(stoppedByUser),
    ],
  );
  await bookLostReservations(connection);
}

const ends = `(kills + 1 >= ${mostKills} or all_kills + 1 >= ${mostKillsInAll})`;

/** Queues the tasks whose dependencies are done, and fails those that wait for one that failed. */
export async function releaseDependents(connection: Queryable): Promise<void> {
  for (;;) {
    const { rows } = await connection.query<{ id: string; name: string; state: string | null }>(
      `select w.id, a.name, d.state from fleet.task w
       cross join lateral jsonb_array_elements_text(w.spec->'after') as a(name)
       left join lateral (
         select state from fleet.task d where (d.id = a.name or d.name = a.name) and d.id <> w.id
         order by d.id = a.name desc, d.seq desc limit 1
       ) d on true
       where w.state = 'queued' and w.waits`,
    );
    const failed = rows.filter(({ state }) => state === 'failed' || state === 'stopped');
    for (const { id, name, state } of failed) {
      await connection.query(
        `update fleet.task set state = 'failed', waits = false, ended_at = now(), updated_at = clock_timestamp(), reason = $2::jsonb
         where id = $1 and state = 'queued'`,
        [
          id,
          JSON.stringify({
            code: 'dependency-failed',
            message: `The task ${name}, which it waits for, is ${state}.`,
          }),
        ],
      );
    }
    const waiting = new Set(rows.filter(({ state }) => state !== 'done').map(({ id }) => id));
    const ready = [...new Set(rows.map(({ id }) => id))].filter((id) => !waiting.has(id));
    if (ready.length > 0) {
      await connection.query(
        `update fleet.task set waits = false, reason = null, updated_at = clock_timestamp()
         where id = any($1) and state = 'queued'`,
        [ready],
      );
    }
    if (failed.length === 0) {
      return;
    }
  }
}

import type { FleetDatabase, Queryable } from '../contract/database.ts';
import { advisoryLocks } from '../database/migrate.ts';
import { addDueTasks } from './schedules.ts';
import { recordDeaths, returnTasks } from './worker-deaths.ts';

/** How long a worker may be silent before its tasks are given to others. */
export interface SweepOptions {
  readonly silenceMs: number;
  /** The clock of schedules; that of the machine unless given. */
  readonly now?: () => Date;
}

/** Whether a sweep found tasks for a worker that waits. */
export type SweepResult = 'done' | 'another-process-sweeps';

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
    if (rows[0]?.locked !== true) return 'another-process-sweeps';
    await recordDeaths(connection, options.silenceMs);
    await returnTasks(connection);
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
    if (failed.length === 0) return;
  }
}

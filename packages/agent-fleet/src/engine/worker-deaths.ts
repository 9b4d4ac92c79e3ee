import { type Lease, LostLeaseError, type Queryable } from '../contract/database.ts';
import { bookLostReservations } from './budget.ts';
import { stoppedByUser } from './leases.ts';

/** Removes workers that were silent for so long, and remembers the tasks they held as suspects. */
export async function recordDeaths(connection: Queryable, silenceMs: number): Promise<void> {
  await connection.query(
    `with dead as (
       delete from fleet.worker where beat_at <= clock_timestamp() - $1 * interval '1 millisecond' returning id
     ), held as (
       select dead.id, array(select t.id from fleet.task t where t.worker = dead.id) as tasks from dead
     )
     insert into fleet.worker_death (worker, tasks, suspects) select id, tasks, tasks from held
     on conflict (worker) do update set died_at = excluded.died_at, tasks = excluded.tasks, suspects = excluded.suspects`,
    [silenceMs],
  );
}

/** Gives the tasks of dead workers back to the queue, or ends those that killed them. */
export async function returnTasks(connection: Queryable): Promise<void> {
  const { rows } = await connection.query(
    `select from fleet.task t where worker is not null and not exists (select from fleet.worker w where w.id = t.worker)
     union all select from fleet.reservation limit 1`,
  );
  if (rows.length === 0) return;
  await connection.query('select from fleet.budget for update');
  await connection.query(
    `update fleet.task t set worker = null, epoch = epoch + 1, kills = ${kills}, all_kills = all_kills + 1,
       killed_at = clock_timestamp(), updated_at = clock_timestamp(),
       state = case when ${isKiller} then 'failed' when is_stopping then 'stopped' else 'queued' end,
       ended_at = case when ${isKiller} or is_stopping then now() end,
       reason = case when ${isKiller} then jsonb_build_object('code', 'killed-workers', 'message', all_kills + 1 || $1::text)
         when is_stopping then $2::jsonb when ${kills} >= 2 then $3::jsonb end
     where worker is not null and not exists (select from fleet.worker w where w.id = t.worker)`,
    [
      ' workers died while they worked on it, the last one while it held no other task. Look at their logs, then retry it.',
      JSON.stringify(stoppedByUser),
      JSON.stringify({
        code: 'killed-workers',
        message: 'Its workers died. It waits for one that holds no other task.',
      }),
    ],
  );
  await connection.query(`delete from fleet.worker_death where died_at < now() - interval '${memory}'`);
  await bookLostReservations(connection);
}

/** Deaths of workers since the task last ended a step. Far apart, they are not in a row. */
const kills = `(case when killed_at < now() - interval '1 hour' then 1 else kills + 1 end)`;
const memory = '10 minutes';

/**
 * A task is ended for the deaths of its workers only if the last of them held nothing else, and if no worker died meanwhile for
 * another cause: where workers are killed at random, this task is as innocent as the others. The last limits end a task
 * that such a fleet will never finish.
 */
const isKiller = `(${kills} >= 20 or all_kills + 1 >= 60 or (
  runs_alone and (${kills} >= 3 or all_kills + 1 >= 10) and not exists (
    select from fleet.worker_death d
    where d.suspects = '{}' and not t.id = any(d.tasks) and d.died_at > now() - interval '${memory}')))`;

/** Notes that a task ended a step under its lease: it did not cause the deaths before. */
export async function clearSuspicion(connection: Queryable, lease: Lease): Promise<void> {
  const { rowCount } = await connection.query(
    `with cleared as (
       update fleet.worker_death set suspects = array_remove(suspects, $1)
       where $1 = any(suspects) and exists (select from fleet.task where id = $1 and epoch = $2 and worker = $3)
     )
     update fleet.task set kills = 0, updated_at = clock_timestamp() where id = $1 and epoch = $2 and worker = $3`,
    [lease.taskId, lease.epoch, lease.worker],
  );
  if (rowCount === 0) throw new LostLeaseError(lease);
}

/** Takes a death back: the worker was silent, as that of a sleeping machine is, and lives. */
export async function forgiveDeath(connection: Queryable, worker: string): Promise<void> {
  await connection.query(
    `with alive as (delete from fleet.worker_death where worker = $1 returning suspects)
     update fleet.task set kills = greatest(kills - 1, 0), all_kills = greatest(all_kills - 1, 0)
     where id in (select unnest(suspects) from alive)`,
    [worker],
  );
}

import type { Queryable } from '../contract/database.ts';

/** A run that waits for the queue does not wait longer for a parked task: a vendor's quota of five hours is worth it, a week not. */
const longestWait = '6 hours';

/** Tasks that run, can be taken here, or resume by themselves soon. One that waits for an unknown task is none of these. */
export async function hasWork(database: Queryable, labels: readonly string[]): Promise<boolean> {
  const { rows } = await database.query<{ is_there: boolean }>(
    `select exists (select from fleet.task where worker is not null or (state = 'queued' and not waits and labels <@ $1::text[])
       or (state = 'parked' and until <= now() + interval '${longestWait}' and question is null)) as is_there`,
    [labels],
  );
  return rows[0]?.is_there === true;
}

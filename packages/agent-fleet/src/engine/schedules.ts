import { createHash } from 'node:crypto';
import type { Queryable } from '../contract/database.ts';
import type { TaskSpec } from '../contract/task.ts';
import { addTask, nextDue } from '../database/apply-commands.ts';

interface ScheduleRow {
  readonly id: string;
  readonly cron: string;
  readonly time_zone: string;
  readonly spec: TaskSpec;
  readonly missed: 'run-once' | 'skip';
  readonly next_due: Date;
}

/** A due time that is older was missed: no worker was there. */
const lateMs = 60_000;

/** Adds a task for each schedule that is due. Its id comes from the due time, so that there is one however often this runs. */
export async function addDueTasks(connection: Queryable, now: Date): Promise<void> {
  const { rows } = await connection.query<ScheduleRow>(
    'select id, cron, time_zone, spec, missed, next_due from fleet.schedule where next_due <= $1 for update skip locked',
    [now.toISOString()],
  );
  for (const row of rows) {
    const schedule = { cron: row.cron, timeZone: row.time_zone };
    const due = await lastDueBefore(schedule, row.next_due, now);
    if (row.missed === 'run-once' || now.getTime() - due.getTime() <= lateMs) {
      await addTask(connection, {
        id: scheduledTaskId(row.id, due),
        at: now.toISOString(),
        spec: { ...row.spec, origin: { kind: 'schedule', schedule: row.id, due: due.toISOString() } },
      });
    }
    const next = await nextDue(schedule, now);
    await connection.query('update fleet.schedule set last_due = $2, next_due = $3 where id = $1', [
      row.id,
      due.toISOString(),
      next?.toISOString() ?? null,
    ]);
  }
}

/** The latest of the times from `first` to `now`. */
async function lastDueBefore(
  schedule: { readonly cron: string; readonly timeZone: string },
  first: Date,
  now: Date,
): Promise<Date> {
  let due = first;
  // A schedule of each minute that slept for a month: the search starts near the end.
  const near = new Date(Math.max(first.getTime(), now.getTime() - 8 * 86_400_000));
  let next = await nextDue(schedule, near);
  while (next !== undefined && next <= now) {
    due = next;
    next = await nextDue(schedule, next);
  }
  return due;
}

function scheduledTaskId(schedule: string, due: Date): string {
  const hash = createHash('sha256').update(`${schedule}\n${due.toISOString()}`).digest('hex');
  return `${hash.slice(0, 12)}`;
}

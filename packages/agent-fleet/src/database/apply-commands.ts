import { AgentError } from '@robota-sdk/agent-core';
import type { FleetCommand } from '../contract/client.ts';
import type { Queryable } from '../contract/database.ts';
import type { TaskSpec } from '../contract/task.ts';

/** A command that has no effect, and why. */
export interface IgnoredCommand {
  readonly command: FleetCommand;
  readonly message: string;
}

/**
 * Carries out the commands of a user, in order. The caller's transaction makes it all or none. Workers on other connections
 * are told at its end.
 */
export async function applyCommands(
  connection: Queryable,
  commands: readonly FleetCommand[],
): Promise<readonly IgnoredCommand[]> {
  const ignored: IgnoredCommand[] = [];
  for (const command of commands) {
    const message = await apply(connection, command);
    if (message !== undefined) {
      ignored.push({ command, message });
    }
  }
  await connection.query(`select pg_notify('fleet', '')`);
  return ignored;
}

/** Records keys of deliveries from outside; false if one was recorded before. Old ones are forgotten. */
export async function recordDeliveries(connection: Queryable, keys: readonly string[]): Promise<boolean> {
  await connection.query(`delete from fleet.hook_delivery where received_at < now() - interval '30 days'`);
  const { rows } = await connection.query('select id from fleet.hook_delivery where id = any($1)', [keys]);
  if (rows.length > 0) return false;
  const { rowCount } = await connection.query(
    'insert into fleet.hook_delivery (id) select unnest($1::text[]) on conflict do nothing',
    [keys],
  );
  // Two deliveries at the same moment: the one that came second wrote less than all.
  if (rowCount === keys.length) return true;
  throw new AgentError('session-in-use', 'The same delivery is being recorded by another process.');
}

async function apply(connection: Queryable, command: FleetCommand): Promise<string | undefined> {
  switch (command.type) {
    case 'add':
      return addTask(connection, command);
    case 'stop':
      return change(connection, {
        statement: stop,
        values: [command.id],
        otherwise: 'It has ended already, or is unknown.',
      });
    case 'retry':
      return change(connection, {
        statement: retry,
        values: [command.id],
        otherwise: 'Only failed, stopped and parked tasks can be retried.',
      });
    case 'answer':
      return answer(connection, command);
    case 'say':
      return change(connection, {
        statement: say,
        values: [command.id, command.text],
        otherwise: 'It has ended, or is unknown.',
      });
    case 'drain':
      await connection.query('update fleet.worker set is_draining = true');
      return undefined;
    case 'schedule':
      return schedule(connection, command);
    case 'unschedule':
      return change(connection, {
        statement: 'delete from fleet.schedule where id = $1',
        values: [command.id],
        otherwise: 'No schedule has this id.',
      });
    case 'budget':
      return budget(connection, command);
  }
}

const stop = `update fleet.task set is_stopping = worker is not null, updated_at = clock_timestamp(),
    state = case when worker is null then 'stopped' else state end,
    ended_at = case when worker is null then now() end,
    question = case when worker is null then null else question end,
    reason = case when worker is null then '{"code":"stopped-by-user","message":"Stopped by the user."}'::jsonb else reason end
  where id = $1 and state not in ('done', 'failed', 'stopped')`;

/** The attempts that the task may still make are as many as at its beginning. */
const retry = `update fleet.task t set state = 'queued', round = round + 1, reason = null, question = null, until = null, ended_at = null,
    kills = 0, all_kills = 0, is_stopping = false, receipt = null, waits = false, facts = facts - 'startedAt', updated_at = clock_timestamp(),
    attempt_limit = (t.spec->>'attempts')::int + coalesce((select max(number) from fleet.attempt a
      where a.task_id = t.id and a.record->>'state' not in ('running', 'passed')), 0)
  where id = $1 and state in ('failed', 'stopped', 'parked')`;

const say = `insert into fleet.message (task_id, text) select id, $2 from fleet.task
  where id = $1 and state not in ('done', 'failed', 'stopped')`;

interface Change {
  readonly statement: string;
  readonly values: readonly unknown[];
  /** The message if no row changed. */
  readonly otherwise: string;
}

async function change(
  connection: Queryable,
  { statement, values, otherwise }: Change,
): Promise<string | undefined> {
  const { rowCount } = await connection.query(statement, values);
  return rowCount === 0 ? otherwise : undefined;
}

/** Adds a task unless its id is known. */
export async function addTask(
  connection: Queryable,
  task: { readonly id: string; readonly spec: TaskSpec; readonly at: string },
): Promise<string | undefined> {
  const { spec } = task;
  const waits = spec.after.length > 0;
  return change(connection, {
    statement: `insert into fleet.task (id, name, spec, labels, priority, attempt_limit, waits, reason, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp()) on conflict (id) do nothing`,
    values: [
      task.id,
      spec.name,
      JSON.stringify(spec),
      spec.labels,
      spec.priority,
      spec.attempts,
      waits,
      waits
        ? JSON.stringify({ code: 'waits-for-task', message: `Waits for ${spec.after.join(', ')}.` })
        : null,
      task.at,
    ],
    otherwise: 'A task with this id exists.',
  });
}

async function answer(
  connection: Queryable,
  command: Extract<FleetCommand, { type: 'answer' }>,
): Promise<string | undefined> {
  const { rowCount } = await connection.query(
    `update fleet.task set state = 'queued', round = round + 1, reason = null, question = null, until = null, updated_at = clock_timestamp()
     where id = $1 and state = 'parked' and question->>'hash' = $2`,
    [command.id, command.hash],
  );
  if (rowCount === 0) return 'It does not wait for an answer to this question.';
  await connection.query(
    `insert into fleet.answer (task_id, hash, decision, text) values ($1, $2, $3, $4)
     on conflict (task_id, hash) do update set decision = excluded.decision, text = excluded.text`,
    [command.id, command.hash, command.decision, command.text ?? null],
  );
  return undefined;
}

async function schedule(
  connection: Queryable,
  command: Extract<FleetCommand, { type: 'schedule' }>,
): Promise<string | undefined> {
  const { id, cron, timeZone, spec, missed, createdAt } = command.schedule;
  const next = await nextDue({ cron, timeZone }, new Date(createdAt));
  await connection.query(
    `insert into fleet.schedule (id, cron, time_zone, spec, missed, created_at, next_due) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (id) do update set cron = excluded.cron, time_zone = excluded.time_zone, spec = excluded.spec,
       missed = excluded.missed, next_due = excluded.next_due`,
    [id, cron, timeZone, JSON.stringify(spec), missed, createdAt, next?.toISOString() ?? null],
  );
  return undefined;
}

async function budget(
  connection: Queryable,
  command: Extract<FleetCommand, { type: 'budget' }>,
): Promise<string | undefined> {
  if (command.total !== undefined) {
    await connection.query('update fleet.budget set total_limit = $1', [command.total]);
  }
  if (command.daily !== undefined) {
    await connection.query('update fleet.budget set daily_limit = $1', [command.daily]);
  }
  // Tasks that wait for money, and for nothing else, try again.
  await connection.query(
    `update fleet.task set until = now() where state = 'parked' and reason->>'code' = 'budget'`,
  );
  return undefined;
}

/** The first time after `after` at which a schedule is due; undefined if there is none. */
export async function nextDue(
  schedule: { readonly cron: string; readonly timeZone: string },
  after: Date,
): Promise<Date | undefined> {
  const { Cron } = await import('croner');
  const cron = new Cron(schedule.cron, { timezone: schedule.timeZone, paused: true, mode: '5-part' });
  return cron.nextRun(after) ?? undefined;
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetDatabase, Lease, Queryable } from '../contract/database.ts';
import type { ReserveResult } from '../contract/steps.ts';
import type { TaskReason } from '../contract/task.ts';
import { today } from '../database/read-fleet.ts';
import { readLeased } from './leases.ts';

/** A request for the money of one call of a model. */
export interface ReserveRequest {
  readonly lease: Lease;
  /** The most that the call is expected to cost, in US dollars; undefined if its model has no known price. */
  readonly amount: number | undefined;
  readonly model: string;
  readonly signal: AbortSignal;
}

/**
 * Reserves money for one call. What would pass a limit together with calls that are under way waits for them. Alone it may
 * pass it, so that a limit is used up, and passed by at most one call.
 */
export async function reserve(database: FleetDatabase, request: ReserveRequest): Promise<ReserveResult> {
  for (;;) {
    const result = await database.transaction((connection) => tryToReserve(connection, request));
    if (result !== 'wait') {
      return result;
    }
    await sleep(waitMs, undefined, { signal: request.signal });
  }
}

const waitMs = 100;

async function tryToReserve(connection: Queryable, request: ReserveRequest): Promise<ReserveResult | 'wait'> {
  const { lease, amount = 0, model } = request;
  const { rows } = await connection.query<{ total_limit: number | null; daily_limit: number | null }>(
    'select total_limit, daily_limit from fleet.budget for update',
  );
  const task = await readLeased(connection, lease, 'lock');
  const spent = await connection.query<{
    total: number;
    today: number;
    reserved: number;
    task_reserved: number;
  }>(
    `select coalesce((select sum(cost) from fleet.spend), 0) as total,
       coalesce((select sum(cost) from fleet.spend where day = ${today}), 0) as today,
       coalesce((select sum(amount) from fleet.reservation), 0) as reserved,
       coalesce((select sum(amount) from fleet.reservation where task_id = $1), 0) as task_reserved`,
    [lease.taskId],
  );
  const sums = spent.rows[0];
  if (sums === undefined) {
    return 'wait';
  }
  const limits: readonly Limit[] = [
    {
      most: task.spec.maxCost,
      spent: task.cost,
      reserved: sums.task_reserved,
      reason: (most) => ({ code: 'budget', message: `The task has used its ${dollars(most)}.` }),
    },
    {
      most: rows[0]?.total_limit ?? undefined,
      spent: sums.total,
      reserved: sums.reserved,
      reason: (most) => ({ code: 'budget', message: `The fleet has used its ${dollars(most)}.` }),
    },
    {
      most: rows[0]?.daily_limit ?? undefined,
      spent: sums.today,
      reserved: sums.reserved,
      reason: (most) => ({
        code: 'budget',
        message: `The fleet has used its ${dollars(most)} of today.`,
        until: tomorrow(),
      }),
    },
  ];
  const unknown =
    request.amount === undefined
      ? unknownPrice(
          model,
          limits.map(({ most }) => most),
        )
      : undefined;
  const verdict = unknown ?? judge(limits, amount);
  if (verdict !== undefined) {
    return verdict;
  }
  const id = randomUUID();
  await connection.query(
    'insert into fleet.reservation (id, task_id, epoch, amount, model) values ($1, $2, $3, $4, $5)',
    [id, lease.taskId, lease.epoch, amount, model],
  );
  return { kind: 'reserved', id };
}

/** Refuses a call whose cost no limit could count; undefined if there is no limit. */
export function unknownPrice(
  model: string,
  limits: readonly (number | undefined)[],
): ReserveResult | undefined {
  const most = limits.find((limit) => limit !== undefined);
  if (most === undefined) return undefined;
  const message =
    `No price is known for ${model}, so the limit of ${dollars(most)} cannot be enforced. ` +
    'Give it a price in models.json, or remove the limit.';
  return { kind: 'refused', reason: { code: 'model', message } };
}

interface Limit {
  readonly most: number | undefined;
  readonly spent: number;
  readonly reserved: number;
  reason(most: number): TaskReason;
}

function judge(limits: readonly Limit[], amount: number): ReserveResult | 'wait' | undefined {
  let mustWait = false;
  for (const { most, spent, reserved, reason } of limits) {
    if (most === undefined) {
      continue;
    }
    if (spent >= most) {
      return { kind: 'refused', reason: reason(most) };
    }
    mustWait ||= reserved > 0 && spent + reserved + amount > most;
  }
  return mustWait ? 'wait' : undefined;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

/** Midnight in UTC, which ends the day of the money. */
function tomorrow(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString();
}

/** Books the cost of a call in place of its reservation. Without effect if that was booked already. */
export async function settle(database: FleetDatabase, reservation: string, cost: number): Promise<void> {
  await database.transaction(async (connection) => {
    await connection.query('select from fleet.budget for update');
    const { rows } = await connection.query<{ task_id: string; model: string }>(
      'delete from fleet.reservation where id = $1 returning task_id, model',
      [reservation],
    );
    for (const row of rows) {
      await spend(connection, { taskId: row.task_id, model: row.model, cost });
    }
  });
}

/** Books reservations of leases that ended as spent: whether the calls were made is not known. The budget is locked. */
export async function bookLostReservations(connection: Queryable): Promise<void> {
  const { rows } = await connection.query<{ task_id: string; model: string; amount: number }>(
    `delete from fleet.reservation r where not exists (
       select from fleet.task t where t.id = r.task_id and t.epoch = r.epoch and t.worker is not null
     ) returning task_id, model, amount`,
  );
  for (const row of rows) {
    await spend(connection, { taskId: row.task_id, model: row.model, cost: row.amount });
  }
}

async function spend(
  connection: Queryable,
  entry: { readonly taskId: string; readonly model: string; readonly cost: number },
): Promise<void> {
  await connection.query(
    `insert into fleet.spend (day, model, cost) values (${today}, $1, $2)
     on conflict (day, model) do update set cost = fleet.spend.cost + excluded.cost`,
    [entry.model, entry.cost],
  );
  await connection.query(
    'update fleet.task set cost = cost + $2, updated_at = clock_timestamp() where id = $1',
    [entry.taskId, entry.cost],
  );
}

/** Books what a lease has reserved as spent, when the process that asked for it has ended. */
export async function bookReservationsOf(database: FleetDatabase, lease: Lease): Promise<void> {
  const { rows } = await database.query<{ id: string; amount: number }>(
    'select id, amount from fleet.reservation where task_id = $1 and epoch = $2',
    [lease.taskId, lease.epoch],
  );
  for (const { id, amount } of rows) {
    await settle(database, id, amount);
  }
}

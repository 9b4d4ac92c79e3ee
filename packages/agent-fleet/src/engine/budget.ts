import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeMoney } from '@robota-sdk/agent-core';
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
  const unlimited = await reserveUnlimited(database, request);
  if (unlimited !== undefined) return unlimited;
  for (;;) {
    const result = await database.transaction((connection) => tryToReserve(connection, request));
    if (result !== 'wait') return result;
    await sleep(waitMs, undefined, { signal: request.signal });
  }
}

const waitMs = 100;

/** In one statement where there is no limit to compare with; undefined where there is one, or the lease is lost. */
async function reserveUnlimited(
  connection: Queryable,
  { lease, amount = 0, model }: ReserveRequest,
): Promise<ReserveResult | undefined> {
  const id = randomUUID();
  const { rowCount } = await connection.query(
    `insert into fleet.reservation (id, task_id, epoch, amount, model)
     select $1, t.id, t.epoch, $2, $3 from fleet.task t, fleet.budget b
     where t.id = $4 and t.epoch = $5 and t.worker = $6 and not t.spec ? 'maxCost'
       and b.total_limit is null and b.daily_limit is null for share of t`,
    [id, amount, model, lease.taskId, lease.epoch, lease.worker],
  );
  return rowCount === 1 ? { kind: 'reserved', id } : undefined;
}

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
  if (sums === undefined) return 'wait';
  const limits: readonly Limit[] = [
    {
      most: task.spec.maxCost,
      spent: task.cost,
      reserved: sums.task_reserved,
      reason: (most) => ({ code: 'budget', message: `The task has used its ${describeMoney(most)}.` }),
    },
    {
      most: rows[0]?.total_limit ?? undefined,
      spent: sums.total,
      reserved: sums.reserved,
      reason: (most) => ({ code: 'budget', message: `The fleet has used its ${describeMoney(most)}.` }),
    },
    {
      most: rows[0]?.daily_limit ?? undefined,
      spent: sums.today,
      reserved: sums.reserved,
      reason: (most) => ({
        code: 'budget',
        message: `The fleet has used its ${describeMoney(most)} of today.`,
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
  if (verdict !== undefined) return verdict;
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
    `No price is known for ${model}, so the limit of ${describeMoney(most)} cannot be enforced. ` +
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
    if (most === undefined) continue;
    if (spent >= most) {
      return { kind: 'refused', reason: reason(most) };
    }
    mustWait ||= reserved > 0 && spent + reserved + amount > most;
  }
  return mustWait ? 'wait' : undefined;
}

/** Midnight in UTC, which ends the day of the money. */
function tomorrow(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString();
}

/** Books the cost of a call in place of its reservation. Without effect if that was booked already. */
export async function settle(database: Queryable, reservation: string, cost: number): Promise<void> {
  await book(database, { where: 'r.id = $1', cost: '$2::double precision', values: [reservation, cost] });
}

/** Books reservations of leases that ended as spent: whether the calls were made is not known. */
export async function bookLostReservations(connection: Queryable): Promise<void> {
  const isHeld =
    'select from fleet.task t where t.id = r.task_id and t.epoch = r.epoch and t.worker is not null';
  await book(connection, { where: `not exists (${isHeld})`, cost: 'amount', values: [] });
}

/** Books what a lease has reserved as spent, when the process that asked for it has ended. */
export async function bookReservationsOf(database: Queryable, lease: Lease): Promise<void> {
  const values = [lease.taskId, lease.epoch];
  await book(database, { where: 'r.task_id = $1 and r.epoch = $2', cost: 'amount', values });
}

interface Booking {
  /** The reservations `r`. */
  readonly where: string;
  readonly cost: string;
  readonly values: readonly unknown[];
}

/** Replaces reservations by what they cost, in one statement. The budget is locked first, as by all who count or book. */
async function book(connection: Queryable, { where, cost, values }: Booking): Promise<void> {
  await connection.query(
    `with locked as materialized (select id from fleet.budget for update),
     booked as (
       delete from fleet.reservation r where exists (select from locked) and ${where} returning task_id, model, ${cost} as cost
     ),
     spent as (
       insert into fleet.spend (day, model, cost) select ${today}, model, sum(cost) from booked group by model
       on conflict (day, model) do update set cost = fleet.spend.cost + excluded.cost
     )
     update fleet.task t set cost = t.cost + b.cost, updated_at = clock_timestamp()
     from (select task_id, sum(cost) as cost from booked group by task_id) b where t.id = b.task_id`,
    values,
  );
}

import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import type { Lease } from '../contract/database.ts';
import { applyCommands } from '../database/apply-commands.ts';
import { readCosts, readTask, readTasks } from '../database/read-fleet.ts';
import { describeEachDatabase } from '../fixtures/each-database.ts';
import { taskSpec } from '../fixtures/task-spec.ts';
import { reserve, settle } from './budget.ts';
import { claimTasks, registerWorker } from './leases.ts';
import { addDueTasks } from './schedules.ts';
import { sweep } from './sweep.ts';

const worker = { id: 'w', host: 'here', pid: 1, version: '1.0.0', labels: [], jobs: 100 };
const { signal } = new AbortController();

describeEachDatabase('the money and the times of a fleet', (use) => {
  beforeEach(() => use().clear());

  const submit = (...commands: Parameters<typeof applyCommands>[1][number][]) =>
    use().database.transaction((connection) => applyCommands(connection, commands));
  const claim = async (count: number, changes = {}): Promise<readonly Lease[]> => {
    const { database } = use();
    const at = new Date().toISOString();
    const ids = Array.from({ length: count }, (_, index) => `t${index}`);
    await submit(...ids.map((id) => ({ type: 'add', id, spec: taskSpec(changes), at }) as const));
    await registerWorker(database, worker);
    return (await claimTasks(database, worker, count)).map(({ lease }) => lease);
  };
  const request = (lease: Lease, amount: number) => ({ lease, amount, model: 'm', signal });

  it('passes the limit of the fleet by at most one call, with many tasks at once', async () => {
    const { database, kind } = use();
    await submit({ type: 'budget', total: 1 });
    // The embedded database takes one transaction after the other.
    const leases = await claim(kind === 'pglite' ? 12 : 50);
    const cost = 0.09;
    let calls = 0;
    await Promise.all(
      leases.map(async (lease) => {
        for (;;) {
          const result = await reserve(database, request(lease, 0.1));
          if (result.kind === 'refused') {
            expect(result.reason).toMatchObject({ code: 'budget' });
            return;
          }
          calls += 1;
          await sleep(1);
          await settle(database, result.id, cost);
        }
      }),
    );
    const { total, reserved, byModel } = await readCosts(database);
    expect(total).toBeGreaterThanOrEqual(1);
    expect(total).toBeLessThanOrEqual(1 + cost);
    expect(total).toBeCloseTo(calls * cost);
    expect(reserved).toBe(0);
    expect(byModel).toMatchObject([{ model: 'm' }]);
  });

  it('keeps the limit of a task, and names the day after for a daily one', async () => {
    const { database } = use();
    const [lease] = await claim(1, { maxCost: 0.2 });
    if (lease === undefined) throw new Error('No task was claimed.');
    const first = await reserve(database, request(lease, 5));
    expect(first).toMatchObject({ kind: 'reserved' });
    await settle(database, first.kind === 'reserved' ? first.id : '', 0.25);
    expect(await reserve(database, request(lease, 0.01))).toMatchObject({
      kind: 'refused',
      reason: { code: 'budget', message: 'The task has used its $0.20.' },
    });
    expect(await readTask(database, 't0')).toMatchObject({ cost: 0.25 });
    await submit({ type: 'budget', daily: 0.1 });
    await database.query(`update fleet.task set spec = spec - 'maxCost'`);
    // No limit could count a call without a known price.
    expect(await reserve(database, { ...request(lease, 0), amount: undefined })).toMatchObject({
      kind: 'refused',
      reason: { code: 'model', message: expect.stringContaining('No price is known for') },
    });
    const daily = await reserve(database, request(lease, 0.01));
    expect(daily.kind === 'refused' && daily.reason.until).toMatch(/T00:00:00.000Z$/);
  });

  it('books the reservation of a lost lease as spent, once', async () => {
    const { database } = use();
    const [lease] = await claim(1);
    if (lease === undefined) throw new Error('No task was claimed.');
    const lost = await reserve(database, request(lease, 0.5));
    await database.query(`update fleet.worker set beat_at = now() - interval '1 hour'`);
    await sweep(database, { silenceMs: 30_000 });
    expect(await readTask(database, 't0')).toMatchObject({ state: 'queued', cost: 0.5 });
    await settle(database, lost.kind === 'reserved' ? lost.id : '', 0.1);
    expect(await readCosts(database)).toMatchObject({ total: 0.5, reserved: 0 });
    await expect(reserve(database, request(lease, 0.1))).rejects.toThrow(/no longer held/);
  });

  const schedule = (cron: string, missed: 'run-once' | 'skip', createdAt: string) =>
    submit({
      type: 'schedule',
      schedule: {
        id: 's',
        cron,
        timeZone: 'Europe/Berlin',
        spec: taskSpec({ name: 'nightly' }),
        missed,
        createdAt,
      },
    });
  const due = (now: string) =>
    use().database.transaction((connection) => addDueTasks(connection, new Date(now)));
  const dues = async () => {
    const found = await Promise.all(
      (await readTasks(use().database)).map(({ id }) => readTask(use().database, id)),
    );
    return found.map((task) => (task?.spec.origin.kind === 'schedule' ? task.spec.origin.due : undefined));
  };

  it('adds one task for each due time, also when several workers look', async () => {
    await schedule('0 2 * * *', 'run-once', '2026-06-01T12:00:00.000Z');
    await due('2026-06-01T23:59:59.000Z');
    expect(await dues()).toEqual([]);
    await Promise.all(Array.from({ length: 5 }, () => due('2026-06-02T00:00:03.000Z')));
    expect(await dues()).toEqual(['2026-06-02T00:00:00.000Z']);
    await use().database.query(`update fleet.schedule set next_due = '2026-06-02T00:00:00.000Z'`);
    await due('2026-06-02T00:00:04.000Z');
    expect(await dues()).toHaveLength(1);
  });

  it('runs once, or not at all, for the times at which no worker ran', async () => {
    await schedule('0 2 * * *', 'run-once', '2026-06-01T12:00:00.000Z');
    await due('2026-06-05T10:00:00.000Z');
    expect(await dues()).toEqual(['2026-06-05T00:00:00.000Z']);
    await use().clear();
    await schedule('0 2 * * *', 'skip', '2026-06-01T12:00:00.000Z');
    await due('2026-06-05T10:00:00.000Z');
    expect(await dues()).toEqual([]);
    await due('2026-06-06T00:00:30.000Z');
    expect(await dues()).toEqual(['2026-06-06T00:00:00.000Z']);
  });

  it('runs once a night when the clocks change', async () => {
    // 02:30 does not exist on 29 March 2026 in Berlin, and exists twice on 25 October.
    for (const [from, to] of [
      ['2026-03-28T12:00:00.000Z', '2026-03-29T12:00:00.000Z'],
      ['2026-10-24T12:00:00.000Z', '2026-10-25T12:00:00.000Z'],
    ] as const) {
      await use().clear();
      await schedule('30 2 * * *', 'run-once', from);
      for (let at = Date.parse(from); at <= Date.parse(to); at += 10 * 60_000) {
        await due(new Date(at).toISOString());
      }
      expect(await dues(), from).toHaveLength(1);
    }
  });
});

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { beforeEach, expect, it } from 'vitest';
import type { FleetCommand } from '../contract/client.ts';
import { describeEachDatabase } from '../fixtures/each-database.ts';
import { taskSpec } from '../fixtures/task-spec.ts';
import { applyCommands } from './apply-commands.ts';
import { migrate } from './migrate.ts';
import { readChanges, readCosts, readSchedules, readTask, readTasks, readWorkers } from './read-fleet.ts';

describeEachDatabase('a database of a fleet', (use) => {
  beforeEach(() => use().clear());

  const apply = (...commands: FleetCommand[]) =>
    use().database.transaction((connection) => applyCommands(connection, commands));
  const add = (id: string, changes = {}): FleetCommand => ({
    type: 'add',
    id,
    spec: taskSpec(changes),
    at: '2026-01-01T00:00:00.000Z',
  });

  it('keeps tasks in the order in which they were added, each once', async () => {
    const ignored = await apply(
      add('b', { name: 'one' }),
      add('a', { name: 'two' }),
      add('b', { name: 'three' }),
    );
    const tasks = await readTasks(use().database);
    expect(tasks.map(({ id, name, state }) => [id, name, state])).toEqual([
      ['b', 'one', 'queued'],
      ['a', 'two', 'queued'],
    ]);
    expect(ignored.map(({ message }) => message)).toEqual(['A task with this id exists.']);
  });

  it('finds a task by the unique beginning of its id', async () => {
    await apply(add('abc'), add('abd'), add('ab'));
    const found = async (reference: string) => (await readTask(use().database, reference))?.id;
    expect(await found('abc')).toBe('abc');
    expect(await found('abd')).toBe('abd');
    expect(await found('ab')).toBe('ab');
    expect(await found('a')).toBeUndefined();
    expect(await found('x')).toBeUndefined();
  });

  it('carries out all commands or none', async () => {
    const broken = { ...add('x'), at: 'never' } as FleetCommand;
    await expect(apply(add('y'), broken)).rejects.toThrow();
    expect(await readTasks(use().database)).toEqual([]);
  });

  it('has a commit on the disk before it is told, so that a loss of power takes nothing', async () => {
    // A server has settings of its own.
    if (use().kind !== 'pglite') return;
    const { rows } = await use().database.query('show synchronous_commit');
    expect(rows).toEqual([{ synchronous_commit: 'on' }]);
    const { fdatasyncSync } = fs;
    let count = 0;
    fs.fdatasyncSync = (file) => {
      count += 1;
      fdatasyncSync(file);
    };
    syncBuiltinESMExports();
    try {
      await apply(add('durable'));
      const afterWrite = count;
      await readTasks(use().database);
      expect([afterWrite > 0, count - afterWrite]).toEqual([true, 0]);
    } finally {
      fs.fdatasyncSync = fdatasyncSync;
      syncBuiltinESMExports();
    }
  });

  it('runs transactions one after the other where they collide', async () => {
    const { database } = use();
    await apply(add('n'));
    await Promise.all(
      Array.from({ length: 20 }, () =>
        database.transaction(async (connection) => {
          const { rows } = await connection.query<{ turns: number }>(
            `select turns from fleet.task where id = 'n' for update`,
          );
          await connection.query(`update fleet.task set turns = $1 where id = 'n'`, [
            (rows[0]?.turns ?? 0) + 1,
          ]);
        }),
      ),
    );
    expect((await readTask(database, 'n'))?.turns).toBe(20);
  });

  it('stops a queued task at once, and retries it in a new round', async () => {
    await apply(add('s'), { type: 'stop', id: 's' });
    expect(await readTask(use().database, 's')).toMatchObject({
      state: 'stopped',
      reason: { code: 'stopped-by-user' },
    });
    await apply({ type: 'retry', id: 's' });
    const task = await readTask(use().database, 's');
    expect(task).toMatchObject({ state: 'queued' });
    expect(task).not.toHaveProperty('reason');
    expect(task).not.toHaveProperty('endedAt');
  });

  it('knows the next time of a schedule in its time zone', async () => {
    await apply({
      type: 'schedule',
      schedule: {
        id: 'nightly',
        cron: '0 2 * * *',
        timeZone: 'Europe/Berlin',
        spec: taskSpec(),
        missed: 'skip',
        createdAt: '2026-07-01T12:00:00.000Z',
      },
    });
    expect(await readSchedules(use().database)).toMatchObject([{ nextDue: '2026-07-02T00:00:00.000Z' }]);
    await apply({ type: 'unschedule', id: 'nightly' });
    expect(await readSchedules(use().database)).toEqual([]);
  });

  it('keeps limits of the money, and forgets them', async () => {
    await apply({ type: 'budget', total: 10, daily: 2 });
    expect(await readCosts(use().database)).toMatchObject({ total: 0, totalLimit: 10, dailyLimit: 2 });
    await apply({ type: 'budget', daily: null });
    const costs = await readCosts(use().database);
    expect(costs.totalLimit).toBe(10);
    expect(costs).not.toHaveProperty('dailyLimit');
  });

  it('gives the tasks that changed since a moment', async () => {
    const { database } = use();
    await apply(add('one'), add('two'));
    const first = await readChanges(database, undefined);
    expect(first.tasks.map(({ id }) => id)).toEqual(['one', 'two']);
    await apply({ type: 'stop', id: 'two' });
    const second = await readChanges(database, first.last);
    expect(second.tasks.find(({ id }) => id === 'two')).toMatchObject({
      state: 'stopped',
      spec: { prompt: 'Do it.' },
    });
  });

  it('lists workers, and asks them to drain', async () => {
    const { database } = use();
    await database.query(
      `insert into fleet.worker (id, host, pid, version, labels, jobs) values ('w', 'here', 7, '1.0', '{gpu}', 2)`,
    );
    await apply({ type: 'drain' });
    expect(await readWorkers(database)).toMatchObject([
      { id: 'w', host: 'here', pid: 7, labels: ['gpu'], jobs: 2, running: 0, isDraining: true },
    ]);
  });

  it('can be migrated again, and refuses a newer schema', async () => {
    const { database } = use();
    await migrate(database);
    await database.query(`insert into fleet.migration (number, name) values (99, 'later')`);
    await expect(migrate(database)).rejects.toThrow(/has schema 99; .*Update Robota/s);
    await database.query('delete from fleet.migration where number = 99');
  });
});

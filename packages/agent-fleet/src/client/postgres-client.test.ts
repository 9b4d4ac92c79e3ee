import { createPostgresDatabase, withoutPostgres } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FleetClient } from '../contract/client.ts';
import { taskSpec } from '../fixtures/task-spec.ts';
import { newTaskId } from '../task/task-id.ts';
import { openClient } from './open-client.ts';

describe.skipIf(withoutPostgres !== '')(`a client of Postgres${withoutPostgres}`, () => {
  let client: FleetClient;
  let other: FleetClient;

  beforeEach(async () => {
    const database = await createPostgresDatabase();
    client = await openClient({ database, home: '/nowhere' });
    other = await openClient({ database, home: '/nowhere' });
    return () => Promise.all([client.close(), other.close()]);
  });

  it('shows what another client added, in order, by id, beginning and name', async () => {
    const ids = [newTaskId(), newTaskId(), newTaskId()] as const;
    await client.submit(ids.map((id, index) => added(id, `task ${index}`)));
    expect((await other.tasks()).map(({ id, name, state }) => [id, name, state])).toEqual(
      ids.map((id, index) => [id, `task ${index}`, 'queued']),
    );
    expect(await other.tasks({ limit: 1, states: ['queued'] })).toHaveLength(1);
    expect(await other.tasks({ states: ['done'] })).toEqual([]);
    expect((await other.task(ids[1]))?.spec.name).toBe('task 1');
    expect((await other.task('task 2'))?.id).toBe(ids[2]);
    expect(await other.task('zzz')).toBeUndefined();
    await expect(other.task(ids[0].slice(0, 4))).rejects.toThrow(/means 3 tasks/);
  });

  it('carries out all commands of a request, or none', async () => {
    const id = newTaskId();
    await client.submit([added(id, 'one')]);
    await expect(client.submit([added(newTaskId(), 'two'), { type: 'stop', id: 'unknown' }])).rejects.toThrow(
      'Task unknown: It has ended already, or is unknown. Nothing was changed.',
    );
    expect(await client.tasks()).toHaveLength(1);
    await client.submit([{ type: 'stop', id }]);
    expect((await client.task(id))?.state).toBe('stopped');
  });

  it('tells when a task changed, and not before', async () => {
    await client.submit([added(newTaskId(), 'one')]);
    await other.tasks();
    let hasChanged = false;
    const changed = other.change(new AbortController().signal).then(() => {
      hasChanged = true;
    });
    await other.costs();
    expect(hasChanged).toBe(false);
    await client.submit([added(newTaskId(), 'two')]);
    await changed;
    await other.tasks();
    const stop = new AbortController();
    const aborted = other.change(stop.signal);
    stop.abort();
    await aborted;
  });

  it('keeps schedules and limits', async () => {
    const schedule = {
      id: newTaskId(),
      cron: '0 2 * * *',
      timeZone: 'Europe/Berlin',
      spec: taskSpec(),
      missed: 'run-once' as const,
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    await client.submit([
      { type: 'schedule', schedule },
      { type: 'budget', daily: 20 },
    ]);
    expect(await other.schedules()).toEqual([{ ...schedule, nextDue: '2026-01-01T01:00:00.000Z' }]);
    expect(await other.costs()).toMatchObject({ total: 0, dailyLimit: 20 });
    expect(await other.workers()).toEqual([]);
  });

  it('accepts a delivery once, whichever client it reaches', async () => {
    const once = (of: FleetClient, keys: string[]) =>
      of.submitOnce(keys, [added(newTaskId(), 'from outside')]);
    expect(await once(client, ['a', 'b'])).toBe(true);
    expect(await once(other, ['a', 'c'])).toBe(false);
    expect(await once(other, ['c', 'b'])).toBe(false);
    const answers = await Promise.allSettled([client, other, client, other].map((each) => once(each, ['d'])));
    expect(answers.filter((answer) => answer.status === 'fulfilled' && answer.value)).toHaveLength(1);
    expect(await client.tasks()).toHaveLength(2);
  });

  it('says what is wrong with a database that cannot be reached', async () => {
    const url = 'postgres://user:secret@127.0.0.1:1/none';
    await expect(openClient({ database: url, home: '/nowhere' })).rejects.toThrow(
      /Cannot use the database postgres:\/\/user@127\.0\.0\.1:1\/none/,
    );
    await expect(openClient({ database: 'mysql://x', home: '/nowhere' })).rejects.toThrow(
      /starts with postgres:/,
    );
  });

  function added(id: string, name: string) {
    return { type: 'add' as const, id, at: '2026-01-01T00:00:00.000Z', spec: { ...taskSpec(), name } };
  }
});

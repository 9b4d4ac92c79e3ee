import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fleetFiles } from '../client/fleet-files.ts';
import { writeInbox } from '../client/inbox.ts';
import { LocalClient } from '../client/local-client.ts';
import type { FleetCommand } from '../contract/client.ts';
import type { TaskSteps } from '../contract/steps.ts';
import { fakeSteps } from '../fixtures/fake-steps.ts';
import { giveDatabase } from '../fixtures/migrated-database.ts';
import { taskSpec } from '../fixtures/task-spec.ts';
import { runSupervisor, supervisorOf } from './run-supervisor.ts';

describe('the supervisor of a machine', () => {
  let home = '';
  let client: LocalClient;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'fleet-'));
    await giveDatabase(home);
    client = new LocalClient(home);
  });
  afterEach(async () => {
    await client.close();
    await rm(home, { recursive: true, force: true });
  });

  const add = (id: string, changes = {}): FleetCommand => ({
    type: 'add',
    id,
    spec: taskSpec({ name: id, ...changes }),
    at: new Date().toISOString(),
  });
  const supervise = (steps: TaskSteps, options: { untilEmpty?: boolean; signal?: AbortSignal } = {}) =>
    runSupervisor({
      home,
      jobs: 2,
      version: '1.0.0',
      env: process.env,
      untilEmpty: options.untilEmpty ?? true,
      signal: options.signal ?? new AbortController().signal,
      steps,
      times: { beatMs: 100 },
    });

  it('works the queue until it is empty, shows commands what happens, and sets damaged requests aside', async () => {
    const files = fleetFiles(home);
    await mkdir(files.inbox, { recursive: true });
    await writeFile(join(files.inbox, '000-damaged.jsonl'), 'noise\n');
    // A text that no database keeps.
    await client.submit([add('wrong', { prompt: 'a\0b' })]);
    await client.submit([add('one'), add('two', { after: ['one'] })]);
    await client.submit([{ type: 'budget', total: 5 }]);
    const states: (string | undefined)[] = [];
    const waiting: string[] = [];
    await supervise(
      fakeSteps({
        prepare: async ({ task }) => {
          if (task.id === 'one') waiting.push(...(await readdir(files.inbox)));
          return { kind: 'next' };
        },
        work: async ({ task }) => {
          if (task.id === 'one') {
            states.push(await waitFor(async () => (await client.task('one'))?.state, 'running'));
            await client.submit([add('three')]);
          }
          return { kind: 'next' };
        },
      }),
    );
    expect(states).toEqual(['running']);
    // A request that was carried out is not shown as one to come: a retried task would look queued after it failed again.
    expect(waiting).toEqual([]);
    expect((await client.tasks()).map(({ id, state }) => `${id} ${state}`).toSorted()).toEqual([
      'one done',
      'three done',
      'two done',
    ]);
    expect((await client.task('one'))?.receipt).toMatchObject({ winner: 1 });
    expect(await client.costs()).toMatchObject({ totalLimit: 5 });
    expect(await readdir(files.inbox)).toEqual([]);
    expect(await readdir(files.damaged)).toEqual(['000-damaged.jsonl', expect.stringMatching(/jsonl$/)]);
    expect(await client.problems()).toHaveLength(2);
  });

  it('carries out a request once, though it ended before the file was deleted', async () => {
    const files = fleetFiles(home);
    const id = await writeInbox(files, [add('again')]);
    await supervise(fakeSteps());
    await client.submit([{ type: 'retry', id: 'again' }]);
    // The same file comes back, as after a crash before it was deleted; its task has ended.
    await writeFile(join(files.inbox, `${id}.jsonl`), `${JSON.stringify(add('again'))}\n`);
    let runs = 0;
    await supervise(
      fakeSteps({}, (step) => {
        runs += step === 'work' ? 1 : 0;
      }),
    );
    expect(runs).toBe(0);
    expect(await client.tasks()).toMatchObject([{ id: 'again', state: 'done' }]);
  });

  it('is the only one of its home, and gives tasks back when it is interrupted', async () => {
    await client.submit([add('long')]);
    const abort = new AbortController();
    const running = supervise(
      fakeSteps({
        work: ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('Interrupted.')));
          }),
      }),
      { untilEmpty: false, signal: abort.signal },
    );
    await waitFor(async () => (await client.task('long'))?.state, 'running');
    expect(supervisorOf(home)).toContain('this process');
    await expect(supervise(fakeSteps())).rejects.toThrow(/already run by this process/);
    abort.abort();
    await running;
    expect(supervisorOf(home)).toBeUndefined();
    expect(await client.task('long')).toMatchObject({ state: 'queued' });
    const steps: string[] = [];
    await supervise(fakeSteps({}, (step) => steps.push(step)));
    expect(steps).toEqual(['work', 'check', 'deliver', 'receipt']);
    expect(await client.task('long')).toMatchObject({ state: 'done' });
  });

  it('ends when it is drained', async () => {
    const ended = supervise(fakeSteps(), { untilEmpty: false });
    await client.submit([add('one')]);
    await waitFor(async () => (await client.task('one'))?.state, 'done');
    await client.submit([{ type: 'drain' }]);
    await ended;
    expect(await client.workers()).toEqual([]);
  });
});

async function waitFor<T>(read: () => Promise<T>, wanted: T): Promise<T> {
  for (;;) {
    const value = await read();
    if (value === wanted) {
      return value;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

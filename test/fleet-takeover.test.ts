import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FleetClient, openClient } from '@robota-sdk/agent-fleet';
import { createPostgresDatabase, temporaryDirectory, withoutPostgres } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { giveDatabase } from '../packages/agent-fleet/src/fixtures/migrated-database.ts';
import { silenceWorker } from '../packages/agent-fleet/src/fixtures/silence-worker.ts';
import { taskSpec } from '../packages/agent-fleet/src/fixtures/task-spec.ts';
import { gone, startWorkerProgram } from './fleet-workers.ts';

const steps = ['prepare', 'baseline', 'work', 'check', 'deliver', 'receipt'];
// However busy the machine is, a worker is not late: tests that need a silent one change the time of its last beat.
const times = { beatMs: 500, giveUpMs: 600_000, silenceMs: 600_000 };

let home = '';
let workers: ChildProcess[] = [];
let client: FleetClient;

beforeEach(async () => {
  home = await temporaryDirectory('fleet-takeover');
});
afterEach(async () => {
  for (const worker of workers) {
    worker.kill('SIGKILL');
  }
  await Promise.all(workers.map(gone));
  workers = [];
  await client.close();
});

/** The interface of both kinds of fleet for the same tests. */
interface Fleet {
  open(): Promise<FleetClient>;
  where(): { readonly url?: string };
  /** Makes a worker look silent for too long, until the others have noticed. */
  silence(worker: Worker): Promise<void>;
}

function describeTakeover(title: string, fleet: Fleet): void {
  const start = (name: string, change: object = {}): Worker => {
    const log = join(home, `${name}.log`);
    writeFileSync(log, '');
    const child = startWorkerProgram({ home, jobs: 8, log, times, ...fleet.where(), ...change });
    workers.push(child);
    return {
      child,
      log,
      lines: () =>
        readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line !== ''),
    };
  };

  describe(title, () => {
    it('resumes each task at the step in which its worker was killed, ends the one that kills three, and leaves the rest to the next when it is asked to end', async () => {
      client = await fleet.open();
      await client.submit([...steps, 'killer'].map((id) => add(id)));
      const first = start('first', {
        stall: { killer: 'baseline', ...Object.fromEntries(steps.map((step) => [step, step])) },
      });
      await until(() => stalled(first).length === steps.length + 1);
      await kill(first);
      const second = start('second', { version: '2.0.0', stall: { killer: 'baseline' } });
      await fleet.silence(first);
      await until(async () => (await client.tasks({ states: ['done'] })).length === steps.length);
      for (const [index, step] of steps.entries()) {
        const begun = (worker: Worker) =>
          worker
            .lines()
            .filter((line) => line.startsWith(`begin ${step} `))
            .map((line) => line.split(' ')[2]);
        expect(begun(first)).toEqual(steps.slice(0, index + 1));
        expect(begun(second)).toEqual(steps.slice(index));
      }
      await until(() => stalled(second).length === 1);
      await kill(second);
      await client.submit([add('beside')]);
      const third = start('third', { stall: { killer: 'baseline' } });
      await fleet.silence(second);
      await until(() => stalled(third).length === 1);
      await kill(third);
      const fourth = start('fourth', { untilEmpty: false, stall: { kept: 'check' } });
      await fleet.silence(third);
      await until(async () => (await client.task('killer'))?.state === 'failed');
      expect(await client.task('killer')).toMatchObject({ reason: { code: 'killed-workers' } });
      await client.submit([{ type: 'retry', id: 'killer' }, add('kept')]);
      await until(async () => (await client.tasks({ states: ['done'] })).length === steps.length + 2);
      await until(() => stalled(fourth).length === 1);
      fourth.child.kill('SIGTERM');
      await gone(fourth.child);
      expect(fourth.lines().at(-1)).toMatch(/^exit/);
      const kept = await client.task('kept');
      expect([kept?.state, kept?.worker]).toEqual(['queued', undefined]);
    });
  });

  if (fleet.where().url !== undefined || title.includes('Postgres')) {
    describe(`${title}: several`, () => {
      it('start together on a new server, work side by side, and every write of one that was stopped for too long is refused', async () => {
        client = await fleet.open();
        await client.submit([add('taken'), ...Array.from({ length: 6 }, (_, index) => add(`t${index}`))]);
        const stall = { taken: 'work' };
        const started = ['one', 'two', 'three'].map((name) => start(name, { jobs: 1, stall }));
        const isStalled = (worker: Worker) => stalled(worker).length > 0;
        await until(() => started.some(isStalled));
        await until(async () => (await client.tasks({ states: ['done'] })).length === 6);
        const [zombie = started[0] as Worker] = started.filter(isStalled);
        const others = started.filter((worker) => worker !== zombie);
        expect(started.flatMap((worker) => worker.lines().filter((line) => line.startsWith('log')))).toEqual(
          [],
        );
        const begun = started.flatMap((worker) =>
          worker.lines().filter((line) => line.startsWith('begin t')),
        );
        expect(begun.filter((line) => !line.includes('taken'))).toHaveLength(6 * steps.length);
        zombie.child.kill('SIGSTOP');
        for (const { log } of others) writeFileSync(`${log}.go`, '');
        await fleet.silence(zombie);
        await until(async () => (await client.task('taken'))?.state === 'done');
        writeFileSync(`${zombie.log}.go`, '');
        zombie.child.kill('SIGCONT');
        await until(() => zombie.lines().some((line) => line.startsWith('late taken')));
        expect(zombie.lines()).toContain('late taken work LostLeaseError');
        const task = await client.task('taken');
        const note = expect.stringMatching(/^written by [2-9]$/);
        expect(task).toMatchObject({ state: 'done', receipt: { notes: [note] } });
        // It lives on as a worker in good standing.
        for (const { child } of others) child.kill('SIGTERM');
        await Promise.all(others.map(({ child }) => gone(child)));
        await client.submit([add('later')]);
        await until(async () => (await client.task('later'))?.state === 'done');
        expect(zombie.lines().filter((line) => line.startsWith('end taken'))).toEqual([
          'end taken prepare 1',
          'end taken baseline 1',
          'end taken work 1',
        ]);
      });
    });
  }
}

describeTakeover('a supervisor', {
  async open() {
    await giveDatabase(home);
    return openClient({ home });
  },
  where: () => ({}),
  // The supervisor of a machine is alone, so that those before it are gone.
  silence: async () => {},
});

describe.skipIf(withoutPostgres !== '')(`workers on Postgres${withoutPostgres}`, () => {
  let url = '';
  beforeEach(async () => {
    url = await createPostgresDatabase();
  });
  describeTakeover('workers on Postgres', {
    open: () => openClient({ home, database: url }),
    where: () => ({ url }),
    silence: ({ child }) => silenceWorker(url, child.pid),
  });
});

interface Worker {
  readonly child: ChildProcess;
  readonly log: string;
  lines(): readonly string[];
}

function stalled(worker: Worker): readonly string[] {
  return worker.lines().filter((line) => line.startsWith('stall '));
}

async function kill(worker: Worker): Promise<void> {
  worker.child.kill('SIGKILL');
  await gone(worker.child);
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    await sleep(50);
  }
}

function add(id: string) {
  const spec = taskSpec({ name: id });
  return { type: 'add', id, spec, at: new Date().toISOString() } as const;
}

import { beforeEach, expect, it } from 'vitest';
import { applyCommands } from '../database/apply-commands.ts';
import { readTask, readTasks } from '../database/read-fleet.ts';
import { describeOnPostgres } from '../fixtures/each-database.ts';
import { taskSpec } from '../fixtures/task-spec.ts';
import {
  beat,
  type Claim,
  claimLoneTask,
  claimTasks,
  endRound,
  registerWorker,
  type WorkerIdentity,
} from './leases.ts';
import { sweep } from './sweep.ts';
import { clearSuspicion, forgiveDeath } from './worker-deaths.ts';

const receipt = { attempts: [], cost: 0, turns: 0, filesChanged: 0, added: 0, removed: 0, notes: [] };
const jobs = 3;

describeOnPostgres('tasks whose workers died', (use) => {
  let workers = 0;
  beforeEach(() => use().clear());

  const add = (...ids: string[]) =>
    use().database.transaction((connection) =>
      applyCommands(
        connection,
        ids.map((id) => ({ type: 'add', id, spec: taskSpec({ name: id }), at: new Date().toISOString() })),
      ),
    );
  /** A worker that takes what a real one would. */
  const start = async () => {
    const { database } = use();
    workers += 1;
    const worker = { id: `w${workers}`, host: 'here', pid: workers, version: '1.0.0', labels: [], jobs };
    await registerWorker(database, worker);
    return new SimulatedWorker(worker, () => use().database);
  };
  const silence = (worker: SimulatedWorker) =>
    use().database.query(`update fleet.worker set beat_at = now() - interval '1 hour' where id = $1`, [
      worker.id,
    ]);
  const die = async (worker: SimulatedWorker) => {
    await silence(worker);
    await sweep(use().database, { silenceMs: 30_000 });
  };
  const statesOf = async (...ids: string[]) =>
    Promise.all(ids.map(async (id) => (await readTask(use().database, id))?.state));

  it('ends the one that kills each of its workers at the third, and none that was beside it', async () => {
    await add('killer', 'a', 'b');
    let deaths = 0;
    while ((await statesOf('killer'))[0] !== 'failed') {
      const worker = await start();
      await worker.take();
      while (!worker.holds('killer') && (await worker.finish()) > 0) await worker.take();
      await die(worker);
      deaths += 1;
    }
    expect(deaths).toBe(3);
    expect(await readTask(use().database, 'killer')).toMatchObject({
      reason: {
        code: 'killed-workers',
        message: expect.stringMatching(
          /^3 workers died while they worked on it, the last one while it held no other/,
        ),
      },
    });
    const worker = await start();
    while ((await worker.take()) > 0) await worker.finish();
    expect(await statesOf('a', 'b')).toEqual(['done', 'done']);
  });

  it('lets a task that lost two workers run alone, and says why it waits', async () => {
    await add('a', 'b');
    for (let deaths = 0; deaths < 2; deaths++) {
      const worker = await start();
      await worker.take();
      expect(worker.held).toEqual(['a', 'b']);
      await die(worker);
    }
    expect(await readTask(use().database, 'a')).toMatchObject({
      state: 'queued',
      reason: { message: 'Its workers died. It waits for one that holds no other task.' },
    });
    await add('c');
    const [one, other] = [await start(), await start()];
    await one.take();
    await one.take();
    expect(one.held).toEqual(['a']);
    await other.take();
    expect(other.held).toEqual(['b']);
    await one.finish();
    await one.take();
    expect(one.held).toEqual(['c']);
  });

  it('ends many of them, each at its third death or the one after', async () => {
    const ids = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7'];
    await add(...ids);
    let deaths = 0;
    for (; (await readTasks(use().database, { states: ['queued'] })).length > 0; deaths++) {
      const worker = await start();
      await worker.take();
      await die(worker);
    }
    expect(await statesOf(...ids)).toEqual(ids.map(() => 'failed'));
    expect(deaths).toBeLessThanOrEqual(4 * ids.length);
  });

  it('ends none where workers are killed at random, and in the end also the one that kills each', async () => {
    const random = randomFrom(7);
    const ids = Array.from({ length: 12 }, (_, index) => `t${index}`);
    await add('killer', ...ids);
    const fleet = [await start(), await start(), await start()];
    let ticks = 0;
    while ((await readTasks(use().database, { states: ['queued', 'preparing'] })).length > 0) {
      for (const worker of fleet) await worker.take();
      const unlucky = Math.floor(random() * fleet.length);
      for (const [index, worker] of fleet.entries()) {
        if (index === unlucky || worker.holds('killer')) {
          await die(worker);
          fleet[index] = await start();
        } else if (random() < 0.3) {
          await worker.finish();
        } else {
          await worker.endStep();
        }
      }
      ticks += 1;
      expect(ticks).toBeLessThan(300);
    }
    expect(await statesOf(...ids)).toEqual(ids.map(() => 'done'));
    expect(await statesOf('killer')).toEqual(['failed']);
  });

  it('takes a death back when the worker was only silent', async () => {
    await add('a');
    const sleeping = await start();
    await sleeping.take();
    await die(sleeping);
    const rowOf = async () => (await use().database.query('select kills, all_kills from fleet.task')).rows[0];
    expect(await rowOf()).toEqual({ kills: 1, all_kills: 1 });
    expect(await beat(use().database, sleeping.id)).toBeUndefined();
    await forgiveDeath(use().database, sleeping.id);
    expect(await rowOf()).toEqual({ kills: 0, all_kills: 0 });
  });
});

/** Takes tasks as the engine does, without running them. */
class SimulatedWorker {
  readonly #worker: WorkerIdentity;
  readonly #database: () => Parameters<typeof claimTasks>[0];
  #held: Claim[] = [];

  constructor(worker: WorkerIdentity, database: () => Parameters<typeof claimTasks>[0]) {
    this.#worker = worker;
    this.#database = database;
  }

  get id(): string {
    return this.#worker.id;
  }

  get held(): readonly string[] {
    return this.#held.map(({ lease }) => lease.taskId);
  }

  holds(id: string): boolean {
    return this.held.includes(id);
  }

  async take(): Promise<number> {
    if (this.#held.some(({ runsAlone }) => runsAlone)) return this.#held.length;
    const database = this.#database();
    const lone = this.#held.length === 0 ? await claimLoneTask(database, this.#worker) : undefined;
    const claims = lone ? [lone] : await claimTasks(database, this.#worker, jobs - this.#held.length);
    this.#held.push(...claims);
    return this.#held.length;
  }

  async endStep(): Promise<void> {
    for (const { lease } of this.#held) await clearSuspicion(this.#database(), lease);
  }

  async finish(): Promise<number> {
    await this.endStep();
    for (const { lease } of this.#held) await endRound(this.#database(), lease, { state: 'done', receipt });
    const count = this.#held.length;
    this.#held = [];
    return count;
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { beforeEach, expect } from 'vitest';
import type { FleetCommand } from '../contract/client.ts';
import type { TaskSpec } from '../contract/task.ts';
import { applyCommands } from '../database/apply-commands.ts';
import { readCosts, readTask } from '../database/read-fleet.ts';
import { describeOnPostgres } from '../fixtures/each-database.ts';
import { taskSpec } from '../fixtures/task-spec.ts';
import { reserve } from './budget.ts';
import { claimLoneTask, claimTasks, endRound, registerWorker } from './leases.ts';
import { sweep } from './sweep.ts';
import { recordDeaths } from './worker-deaths.ts';

const receipt = { attempts: [], cost: 0, turns: 0, filesChanged: 0, added: 0, removed: 0, notes: [] };

describeOnPostgres('a fleet', (use) => {
  let workers = 0;
  beforeEach(() => use().clear());

  const submit = (...commands: FleetCommand[]) =>
    use().database.transaction((connection) => applyCommands(connection, commands));
  const add = (id: string, changes: Partial<TaskSpec> = {}) =>
    submit({ type: 'add', id, spec: taskSpec({ name: id, ...changes }), at: new Date().toISOString() });
  const start = async () => {
    workers += 1;
    const worker = { id: `w${workers}`, host: 'here', pid: workers, version: '1.0.0', labels: [], jobs: 3 };
    await registerWorker(use().database, worker);
    return worker;
  };
  const take = async (worker: Awaited<ReturnType<typeof start>>) => {
    const lone = await claimLoneTask(use().database, worker);
    return lone ? [lone] : claimTasks(use().database, worker, worker.jobs);
  };
  const sweepNow = () => sweep(use().database, { silenceMs: 600_000 });
  const stateOf = async (id: string) => (await readTask(use().database, id))?.state;
  /** Ends a task as failed, and what waits for it. */
  const fail = async (id: string) => {
    const claims = await take(await start());
    const lease = claims.find((claim) => claim.lease.taskId === id)?.lease;
    if (!lease) throw new Error(`${id} could not be taken`);
    const reason = { code: 'check-failed', message: 'The check failed.' } as const;
    await endRound(use().database, lease, { state: 'failed', reason, receipt });
    await sweepNow();
  };
  const taken = async () => (await take(await start())).map(({ lease }) => lease.taskId);

  stillOpen('makes retried tasks wait again for those that they come after', {
    observe: async () => {
      await add('a');
      await add('b', { after: ['a'] });
      await fail('a');
      await submit({ type: 'retry', id: 'a' }, { type: 'retry', id: 'b' });
      await sweepNow();
      return taken();
    },
    today: ['a', 'b'],
    wanted: (ids) => expect(ids).toEqual(['a']),
  });

  stillOpen('makes a task wait again that was stopped while it waited, and is retried', {
    observe: async () => {
      await add('a');
      await add('b', { after: ['a'] });
      await submit({ type: 'stop', id: 'b' }, { type: 'retry', id: 'b' });
      await sweepNow();
      return taken();
    },
    today: ['a', 'b'],
    wanted: (ids) => expect(ids).toEqual(['a']),
  });

  stillOpen('queues again what failed because of a task, when that is retried', {
    observe: async () => {
      await add('a');
      await add('b', { after: ['a'] });
      await fail('a');
      await submit({ type: 'retry', id: 'a' });
      await sweepNow();
      return [await stateOf('a'), await stateOf('b')];
    },
    today: ['queued', 'failed'],
    wanted: (states) => expect(states).toEqual(['queued', 'queued']),
  });

  stillOpen('fails no task because the machine lost power three times', {
    observe: async () => {
      await add('one');
      await add('two');
      for (let cut = 0; cut < 3; cut++) {
        // As the supervisor does at its start: whatever held tasks is gone.
        await recordDeaths(use().database, 0);
        const worker = await start();
        await sweepNow();
        await take(worker);
      }
      await recordDeaths(use().database, 0);
      await start();
      await sweepNow();
      return [await stateOf('one'), await stateOf('two')];
    },
    today: ['failed', 'queued'],
    wanted: (states) => expect(states).toEqual(['queued', 'queued']),
  });

  stillOpen('counts a call that was lost apart from money that was spent', {
    observe: async () => {
      await add('one');
      const [claim] = await take(await start());
      if (!claim) throw new Error('nothing was taken');
      const { signal } = new AbortController();
      await reserve(use().database, { lease: claim.lease, amount: 1.28, model: 'm', signal });
      await recordDeaths(use().database, 0);
      await sweepNow();
      const { total, today } = await readCosts(use().database);
      return { total, today };
    },
    today: { total: 1.28, today: 1.28 },
    wanted: ({ total, today }) => {
      expect(total).toBeLessThan(1.28);
      expect(today).toBeLessThan(1.28);
    },
  });

  stillOpen('forgets a message to a task that ended before it could be read', {
    observe: async () => {
      await add('one');
      const [claim] = await take(await start());
      if (!claim) throw new Error('nothing was taken');
      await submit({ type: 'say', id: 'one', text: 'Use the other file.' });
      await endRound(use().database, claim.lease, { state: 'done', receipt });
      await sweepNow();
      const { rows } = await use().database.query<{ text: string }>('select text from fleet.message');
      return rows.map(({ text }) => text);
    },
    today: ['Use the other file.'],
    wanted: (texts) => expect(texts).toEqual([]),
  });
});

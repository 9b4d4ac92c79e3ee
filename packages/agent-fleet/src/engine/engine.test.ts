import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FleetCommand } from '../contract/client.ts';
import type { StepContext } from '../contract/steps.ts';
import { isEnded, type TaskDetails, type TaskSpec } from '../contract/task.ts';
import { applyCommands } from '../database/apply-commands.ts';
import { readTask, readTasks } from '../database/read-fleet.ts';
import { describeEachDatabase } from '../fixtures/each-database.ts';
import { type FakeBodies, fakeSteps } from '../fixtures/fake-steps.ts';
import { taskSpec } from '../fixtures/task-spec.ts';
import { FleetEngine } from './fleet-engine.ts';

describeEachDatabase('the engine of a fleet', (use) => {
  let engine: FleetEngine | undefined;
  let seen: string[] = [];
  let workers = 0;

  beforeEach(async () => {
    seen = [];
    await use().clear();
  });
  afterEach(async () => {
    await engine?.close();
    engine = undefined;
  });

  const submit = async (...commands: FleetCommand[]) => {
    const ignored = await use().database.transaction((connection) => applyCommands(connection, commands));
    engine?.wake();
    return ignored.map(({ message }) => message);
  };
  const add = (id: string, changes: Partial<TaskSpec> = {}) =>
    submit({ type: 'add', id, spec: taskSpec({ name: id, ...changes }), at: new Date().toISOString() });
  const start = async (
    bodies: FakeBodies = {},
    options: { jobs?: number; labels?: string[]; beatMs?: number } = {},
  ) => {
    workers += 1;
    engine = new FleetEngine({
      database: use().database,
      isAlone: true,
      worker: {
        id: `worker-${process.pid}-${workers}`,
        host: 'here',
        pid: process.pid,
        version: '1.0.0',
        labels: options.labels ?? [],
        jobs: options.jobs ?? 4,
      },
      steps: fakeSteps(bodies, (step, context) => seen.push(`${context.task.id} ${step} ${context.attempt}`)),
      // However busy the machine is, it is never silent for too long.
      times: { beatMs: options.beatMs ?? 2000, silenceMs: 600_000, giveUpMs: 600_000 },
      log: (message) => {
        seen.push(`log: ${message}`);
      },
    });
    await engine.start();
  };
  const until = async (id: string, accept: (task: TaskDetails) => boolean): Promise<TaskDetails> => {
    for (;;) {
      const task = await readTask(use().database, id);
      if (task !== undefined && accept(task)) {
        return task;
      }
      await sleep(40);
    }
  };
  const ended = (id: string) => until(id, ({ state }) => isEnded(state));

  it('runs the six steps of a task once, and ends it with a receipt', async () => {
    await add('one');
    await start();
    expect(await ended('one')).toMatchObject({ state: 'done', attempts: 1, receipt: { winner: 1 } });
    expect(seen).toEqual([
      'one prepare 1',
      'one baseline 1',
      'one work 1',
      'one check 1',
      'one deliver 1',
      'one receipt 1',
    ]);
  });

  it('takes urgent tasks first, then the oldest', async () => {
    await add('late', { priority: 200 });
    await add('first');
    await add('second');
    await add('urgent', { priority: 1 });
    await start({}, { jobs: 1 });
    await ended('late');
    expect(seen.filter((line) => line.includes('prepare')).map((line) => line.split(' ')[0])).toEqual([
      'urgent',
      'first',
      'second',
      'late',
    ]);
  });

  it('takes a task only if it has all of its labels', async () => {
    await add('gpu', { labels: ['gpu', 'linux'] });
    await add('linux', { labels: ['linux'] });
    await start({}, { labels: ['linux', 'big'] });
    await ended('linux');
    expect((await readTask(use().database, 'gpu'))?.state).toBe('queued');
  });

  it('runs no more tasks at once than it has jobs', async () => {
    let running = 0;
    let most = 0;
    let allSlotsTaken = (): void => undefined;
    const slotsTaken = new Promise<void>((resolve) => {
      allSlotsTaken = resolve;
    });
    const ids = Array.from({ length: 8 }, (_, index) => `t${index}`);
    for (const id of ids) {
      await add(id);
    }
    await start(
      {
        work: async () => {
          running += 1;
          most = Math.max(most, running);
          if (running === 3) {
            allSlotsTaken();
          }
          await slotsTaken;
          await sleep(30);
          running -= 1;
          return { kind: 'next' };
        },
      },
      { jobs: 3 },
    );
    await Promise.all(ids.map(ended));
    expect(most).toBe(3);
  });

  it('starts a task after those that it waits for, and fails it with them', async () => {
    await add('good');
    await add('bad');
    await add('after-good', { after: ['good'] });
    await add('after-both', { after: ['good', 'bad'] });
    await add('after-that', { after: ['after-both'] });
    await start({
      work: ({ task }) =>
        task.id === 'bad' ? { kind: 'failed', reason: { code: 'model', message: 'No.' } } : { kind: 'next' },
    });
    expect(await ended('after-good')).toMatchObject({ state: 'done' });
    expect(await ended('after-that')).toMatchObject({
      state: 'failed',
      reason: { code: 'dependency-failed' },
    });
    expect(await ended('after-both')).toMatchObject({
      state: 'failed',
      reason: { code: 'dependency-failed' },
    });
    expect(seen.indexOf('after-good prepare 1')).toBeGreaterThan(seen.indexOf('good receipt 1'));
    expect(seen.some((line) => line.startsWith('after-both'))).toBe(false);
  });

  it('parks a question, frees the slot, and resumes with an answer to that question', async () => {
    const answers: unknown[] = [];
    await add('asks');
    await start(
      {
        work: (context) => {
          if (context.task.id === 'asks') {
            answers.push(context.answers);
          }
          return context.answers.length > 0 || context.task.id === 'other'
            ? { kind: 'next' }
            : { kind: 'parked', reason: { code: 'question', message: 'May I?' }, question: question('h1') };
        },
      },
      { jobs: 1 },
    );
    const parked = await until('asks', ({ state }) => state === 'parked');
    expect(parked).toMatchObject({ question: { hash: 'h1' }, reason: { code: 'question' } });
    expect(parked).not.toHaveProperty('worker');
    await add('other');
    await ended('other');
    expect(await submit({ type: 'answer', id: 'asks', hash: 'another', decision: 'allow' })).toEqual([
      'It does not wait for an answer to this question.',
    ]);
    expect(await submit({ type: 'answer', id: 'asks', hash: 'h1', decision: 'allow' })).toEqual([]);
    expect(await submit({ type: 'answer', id: 'asks', hash: 'h1', decision: 'deny' })).toEqual([
      'It does not wait for an answer to this question.',
    ]);
    expect(await ended('asks')).toMatchObject({ state: 'done', attempts: 1 });
    expect(answers).toEqual([[], [{ hash: 'h1', decision: 'allow' }]]);
  });

  it('resumes a parked task when its time has come', async () => {
    await add('limited');
    let times = 0;
    await start(
      {
        work: () => {
          times += 1;
          return times > 1
            ? { kind: 'next' }
            : {
                kind: 'parked',
                reason: {
                  code: 'rate-limit',
                  message: 'Later.',
                  until: new Date(Date.now() + 300).toISOString(),
                },
              };
        },
      },
      { beatMs: 100 },
    );
    expect(await ended('limited')).toMatchObject({ state: 'done' });
    expect(times).toBe(2);
  });

  it('stops a running task, and retries it', async () => {
    await add('long');
    let times = 0;
    await start({
      work: async ({ signal }) => {
        times += 1;
        if (times === 1) {
          await sleep(60_000, undefined, { signal });
        }
        return { kind: 'next' };
      },
    });
    await until('long', ({ state }) => state === 'running');
    await submit({ type: 'stop', id: 'long' });
    expect(await ended('long')).toMatchObject({ state: 'stopped', reason: { code: 'stopped-by-user' } });
    await submit({ type: 'retry', id: 'long' });
    expect(await until('long', ({ state }) => state === 'done')).toMatchObject({ attempts: 1 });
  });

  it('makes further attempts until a check passes', async () => {
    await add('hard', { attempts: 3 });
    await start({ check: ({ attempt }) => (attempt < 2 ? notPassed : { kind: 'next' }) });
    expect(await ended('hard')).toMatchObject({ state: 'done', attempts: 2, receipt: { winner: 2 } });
    expect(seen.filter((line) => line.includes('baseline'))).toHaveLength(1);
  });

  it('keeps all attempts where its user wants to choose, and fails if none passes', async () => {
    await add('all', { attempts: 3, keep: 'all' });
    await add('none', { attempts: 2 });
    await start({
      check: ({ task, attempt }) => (task.id === 'none' || attempt === 3 ? notPassed : { kind: 'next' }),
    });
    expect(await ended('all')).toMatchObject({ state: 'done', attempts: 3, receipt: { winner: 1 } });
    expect(await ended('none')).toMatchObject({
      state: 'failed',
      attempts: 2,
      reason: { code: 'check-failed' },
    });
    await submit({ type: 'retry', id: 'none' });
    await until('none', ({ attempts, state }) => state === 'failed' && attempts === 4);
  });

  it('delivers again without new work when only the delivery failed', async () => {
    await add('push');
    let times = 0;
    await start({
      deliver: () => {
        times += 1;
        return times > 1
          ? { kind: 'next' }
          : { kind: 'failed', reason: { code: 'delivery-failed', message: 'No network.' } };
      },
    });
    await until('push', ({ state }) => state === 'failed');
    await submit({ type: 'retry', id: 'push' });
    await until('push', ({ state }) => state === 'done');
    expect(seen.filter((line) => line.includes('work'))).toHaveLength(1);
  });

  it('ends a task whose step breaks, with the message', async () => {
    await add('broken');
    await start({
      baseline: () => {
        throw new Error('The disk is full.');
      },
    });
    expect(await ended('broken')).toMatchObject({
      state: 'failed',
      reason: { code: 'internal', message: 'The disk is full.' },
    });
  });

  it('hands messages of the user to the running agent, once each and in order', async () => {
    const heard: string[] = [];
    await add('talk');
    await start({
      work: async (context: StepContext) => {
        context.onMessage((text) => heard.push(text));
        while (heard.length < 2) {
          await sleep(10, undefined, { signal: context.signal });
        }
        return { kind: 'next' };
      },
    });
    await submit({ type: 'say', id: 'talk', text: 'one' }, { type: 'say', id: 'talk', text: 'two' });
    await ended('talk');
    expect(heard).toEqual(['one', 'two']);
  });

  it('finishes what it holds and takes nothing new when it drains', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    await add('held');
    await add('left');
    await start(
      {
        work: async () => {
          await gate;
          return { kind: 'next' };
        },
      },
      { jobs: 1 },
    );
    await until('held', ({ state }) => state === 'running');
    await submit({ type: 'drain' });
    await until('held', () => engine?.isDraining === true);
    release();
    await engine?.whenIdle();
    expect(await readTasks(use().database)).toMatchObject([
      { id: 'held', state: 'done' },
      { id: 'left', state: 'queued' },
    ]);
  });

  it('gives its tasks back when it closes, and another resumes them at the step that did not end', async () => {
    await add('moves');
    await start({ check: ({ signal }) => sleep(60_000, { kind: 'next' } as const, { signal }) });
    await until('moves', ({ state }) => state === 'checking');
    await engine?.close();
    expect(await readTask(use().database, 'moves')).toMatchObject({ state: 'queued' });
    seen = [];
    await start();
    expect(await ended('moves')).toMatchObject({ state: 'done' });
    expect(seen).toEqual(['moves check 1', 'moves deliver 1', 'moves receipt 1']);
  });

  it('keeps at most 15 rows and 50 kB of a task', async () => {
    await add('small');
    await start();
    await ended('small');
    await engine?.close();
    engine = undefined;
    const { database } = use();
    let rows = 0;
    let bytes = 0;
    const tables = await database.query<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
       where table_schema in ('fleet', 'dbos') and table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables.rows) {
      const found = await database.query<{ text: string }>(
        `select t::text as text from ${name} t where t::text like '%small%'`,
      );
      rows += found.rows.length;
      bytes += found.rows.reduce((sum, { text }) => sum + text.length, 0);
    }
    expect(rows).toBeGreaterThan(6);
    expect(rows).toBeLessThanOrEqual(15);
    expect(bytes).toBeLessThanOrEqual(50_000);
  });
});

const notPassed = {
  kind: 'not-passed',
  reason: { code: 'check-failed', message: 'The check failed.' },
} as const;

function question(hash: string) {
  return { hash, tool: 'Bash', text: 'Bash(npm publish)', askedAt: '2026-01-01T00:00:00.000Z' };
}

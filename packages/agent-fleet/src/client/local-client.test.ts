import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeProblem } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TaskDetails } from '../contract/task.ts';
import { taskSpec } from '../fixtures/task-spec.ts';
import { newTaskId } from '../task/task-id.ts';
import { fleetFiles, writeFleetFile } from './fleet-files.ts';
import { readInbox } from './inbox.ts';
import { LocalClient } from './local-client.ts';
import { resumeClaims } from './once.ts';
import { TaskProjection } from './task-projection.ts';

let home: string;
let client: LocalClient;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fleet-client-'));
  client = new LocalClient(home);
});

describe('without a supervisor', () => {
  it('lists what was added, in order, and finds it by id, beginning and name', async () => {
    const ids = [newTaskId(), newTaskId(), newTaskId()] as const;
    await client.submit(ids.map((id, index) => added(id, `task ${index}`)));
    const tasks = await client.tasks();
    expect(tasks.map(({ id, name, state }) => [id, name, state])).toEqual(
      ids.map((id, index) => [id, `task ${index}`, 'queued']),
    );
    expect(await client.tasks({ limit: 1 })).toEqual(tasks.slice(0, 1));
    expect(await client.tasks({ states: ['done'] })).toEqual([]);
    expect((await client.task(ids[1]))?.spec.prompt).toBe('Do it.');
    expect((await client.task('task 2'))?.id).toBe(ids[2]);
    expect(await client.task('zzz')).toBeUndefined();
    await expect(client.task(ids[0].slice(0, 4))).rejects.toThrow(/means 3 tasks/);
  });

  it('keeps each request in a file of its own that only the user can read', async () => {
    await client.submit([added(newTaskId(), 'one'), { type: 'drain' }]);
    await client.submit([]);
    const files = readdirSync(fleetFiles(home).inbox);
    expect(files).toHaveLength(1);
    expect(statSync(join(fleetFiles(home).inbox, files[0] ?? '')).mode & 0o777).toBe(0o600);
    const [request] = await readInbox(fleetFiles(home));
    expect(request?.commands.map(({ type }) => type)).toEqual(['add', 'drain']);
  });

  it('loses no request when many commands write at once', async () => {
    const ids = Array.from({ length: 50 }, () => newTaskId());
    await Promise.all(ids.map((id) => new LocalClient(home).submit([added(id, id)])));
    expect((await client.tasks()).map(({ id }) => id)).toEqual(ids.toSorted());
  });

  it('ignores what is no request: temporary files and other names', async () => {
    const { inbox } = fleetFiles(home);
    mkdirSync(inbox, { recursive: true });
    writeFileSync(join(inbox, '.robota-0123456789abcdef.tmp'), '{"type":"drai');
    writeFileSync(join(inbox, 'notes.txt'), 'x');
    expect(await readInbox({ inbox })).toEqual([]);
  });

  it.each([
    '{"type":',
    'null',
    '{"type":"unheard-of"}',
    '{"type":"toString"}',
    '{"type":"add","id":"x"}',
    '{"type":"add","id":"../x","at":"2026-01-01T00:00:00.000Z","spec":{}}',
    '{"type":"stop"}',
    '{"type":"answer","id":"x","hash":"h","decision":"perhaps"}',
    '{"type":"budget","daily":"much"}',
    '{"type":"schedule","schedule":{}}',
  ])('names a file of the inbox with %s, which is no request, and shows the others', async (line) => {
    const { inbox } = fleetFiles(home);
    mkdirSync(inbox, { recursive: true });
    writeFileSync(join(inbox, 'a.jsonl'), `${line}\n`);
    await client.submit([added(newTaskId(), 'good')]);
    expect((await client.tasks()).map(({ name }) => name)).toEqual(['good']);
    expect((await client.problems()).map((problem) => describeProblem(problem))).toEqual([
      expect.stringMatching(/a\.jsonl: The request to the fleet is ignored\. .* Repeat the command/),
    ]);
  });

  it('names what is not a regular file, and is not held by it', async () => {
    const { inbox } = fleetFiles(home);
    mkdirSync(join(inbox, 'folder.jsonl'), { recursive: true });
    execFileSync('mkfifo', [join(inbox, 'pipe.jsonl')]);
    expect(await client.tasks()).toEqual([]);
    expect(await client.problems()).toHaveLength(2);
  });

  it('shows limits that still wait', async () => {
    await writeFleetFile(client.files.costs, { ...(await client.costs()), total: 3, totalLimit: 9 });
    await client.submit([{ type: 'budget', daily: 20 }]);
    await client.submit([{ type: 'budget', total: null }]);
    expect(await client.costs()).toEqual({
      total: 3,
      today: 0,
      reserved: 0,
      dailyLimit: 20,
      byDay: [],
      byModel: [],
    });
  });
});

describe('with the list of a supervisor', () => {
  it('shows the last state of each task, and of those in the inbox what the list does not have', async () => {
    const projection = new TaskProjection(client.files.tasks);
    const [first, second, third] = [newTaskId(), newTaskId(), newTaskId()];
    await projection.rewrite([details(first), details(second)]);
    await client.submit([added(second, 'old'), added(third, 'new')]);
    await projection.append([details(first, { state: 'running', turns: 3 })]);
    expect((await client.tasks()).map(({ id, state, turns }) => [id, state, turns])).toEqual([
      [first, 'running', 3],
      [second, 'queued', 0],
      [third, 'queued', 0],
    ]);
    expect(await client.tasks()).not.toContainEqual(expect.objectContaining({ spec: expect.anything() }));
    expect((await client.task(first))?.spec.name).toBe('a task');
  });

  it('shows tasks as waiting requests leave them, so that none is made twice', async () => {
    const projection = new TaskProjection(client.files.tasks);
    const [asks, fails, runs, waits] = [newTaskId(), newTaskId(), newTaskId(), newTaskId()];
    const question = { hash: 'h', tool: 'Bash', text: 'Bash(x)', askedAt: '2026-01-01T00:00:00.000Z' };
    const reason = { code: 'question', message: 'Waits.' } as const;
    await projection.rewrite([
      details(asks, { state: 'parked', question, reason }),
      details(fails, { state: 'failed', endedAt: '2026-01-01T00:00:00.000Z' }),
      details(runs, { state: 'running', worker: 'w' }),
      details(waits),
    ]);
    await client.submit([{ type: 'answer', id: asks, hash: 'another', decision: 'allow' }]);
    expect(await client.task(asks)).toMatchObject({ state: 'parked', question });
    await client.submit([
      { type: 'answer', id: asks, hash: 'h', decision: 'allow' },
      { type: 'retry', id: fails },
      { type: 'stop', id: runs },
      { type: 'stop', id: waits },
    ]);
    const tasks = await client.tasks();
    expect(tasks.map(({ state }) => state)).toEqual(['queued', 'queued', 'running', 'stopped']);
    expect(await client.task(asks)).not.toHaveProperty('question');
    expect(await client.task(fails)).not.toHaveProperty('endedAt');
  });

  it('tolerates a torn last line', async () => {
    const projection = new TaskProjection(client.files.tasks);
    const id = newTaskId();
    await projection.rewrite([details(id)]);
    appendFileSync(client.files.tasks, `{"id":"${id}","state":"do`);
    expect((await client.tasks()).map(({ state }) => state)).toEqual(['queued']);
    rmSync(client.files.tasks);
    expect(await client.tasks()).toEqual([]);
  });

  it('skips lines that are no task', async () => {
    const projection = new TaskProjection(client.files.tasks);
    const id = newTaskId();
    await projection.rewrite([details(id)]);
    appendFileSync(client.files.tasks, 'noise\n{"id":"a"\n{"id":"b","state":"done"}\n{"id":"c","spec":{}}\n');
    expect((await client.tasks()).map((task) => task.id)).toEqual([id]);
    expect(await client.task('b')).toBeUndefined();
    expect(await client.task('c')).toBeUndefined();
  });

  it('reads back any sequence of states, also after the file was rewritten', async () => {
    const ids = Array.from({ length: 4 }, () => newTaskId());
    const change = fc.record({
      index: fc.nat({ max: 3 }),
      name: fc.string({ unit: 'binary' }),
      turns: fc.nat(),
      message: fc.constantFrom('plain', ',"spec":{', '\n', '"}', 'é'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
        const projection = new TaskProjection(client.files.tasks);
        await projection.rewrite([]);
        const last = new Map<string, TaskDetails>();
        for (const { index, name, turns, message } of changes) {
          const reason = { code: 'internal' as const, message };
          const task = details(ids[index] ?? '', { name, turns, reason });
          last.set(task.id, task);
          await projection.append([task]);
        }
        const records = await client.tasks();
        expect(records.map(({ id }) => id)).toEqual([...last.keys()].toSorted());
        for (const record of records) {
          const { spec: _, ...expected } = last.get(record.id) ?? details('');
          expect(record).toEqual(expected);
          expect(await client.task(record.id)).toEqual(last.get(record.id));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('rewrites a list that has grown far beyond its tasks', async () => {
    const projection = new TaskProjection(client.files.tasks);
    const id = newTaskId();
    await projection.rewrite([]);
    const long = { ...details(id), spec: { ...details(id).spec, prompt: 'x'.repeat(1_000_000) } };
    for (let turns = 0; turns < 40; turns++) await projection.append([{ ...long, turns }]);
    expect(statSync(client.files.tasks).size).toBeLessThan(20_000_000);
    expect((await client.task(id))?.turns).toBe(39);
  });

  it('tells when something may have changed', async () => {
    const projection = new TaskProjection(client.files.tasks);
    await projection.rewrite([]);
    await client.tasks();
    const never = new AbortController();
    const changed = client.change(never.signal);
    await projection.append([details(newTaskId())]);
    await changed;
    // A change between reading and waiting is not missed.
    await projection.append([details(newTaskId())]);
    await client.change(never.signal);
    await client.tasks();
    const aborted = client.change(never.signal);
    never.abort();
    await aborted;
  });

  it('reads workers, schedules and costs, which may not exist yet', async () => {
    expect([await client.workers(), await client.schedules(), (await client.costs()).total]).toEqual([
      [],
      [],
      0,
    ]);
    const schedule = {
      id: 's1',
      cron: '0 2 * * *',
      timeZone: 'UTC',
      spec: details('x').spec,
      missed: 'skip' as const,
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    await client.submit([{ type: 'schedule', schedule }]);
    expect(await client.schedules()).toEqual([schedule]);
    await writeFleetFile(client.files.schedules, [{ ...schedule, nextDue: 'later' }]);
    expect((await client.schedules())[0]?.nextDue).toBe('later');
    await client.submit([{ type: 'unschedule', id: 's1' }]);
    expect(await client.schedules()).toEqual([]);
    await writeFleetFile(client.files.costs, { total: 3, today: 1, reserved: 0, byDay: [], byModel: [] });
    expect((await client.costs()).total).toBe(3);
  });

  it('skips workers and schedules that it cannot read, and keeps fields of later versions', async () => {
    const worker = { id: 'w', host: 'h', pid: 7, version: '0.1.0', labels: [], jobs: 2, running: 1 };
    const whole = { ...worker, isDraining: false, beatAt: '2026-01-01T00:00:00.000Z', zone: 'later' };
    await writeFleetFile(client.files.workers, [worker, whole, null]);
    expect(await client.workers()).toEqual([whole]);
    await writeFleetFile(client.files.schedules, [{ id: 's1' }]);
    expect(await client.schedules()).toEqual([]);
    await writeFleetFile(client.files.costs, { total: '3' });
    expect((await client.costs()).total).toBe(0);
  });

  it('puts claimed commands of another version into the inbox, where they are reported', async () => {
    const claims = join(client.files.directory, 'deliveries');
    mkdirSync(claims, { recursive: true });
    const commands = [added(newTaskId(), 'known'), { type: 'of a later version' }];
    writeFileSync(join(claims, 'key'), JSON.stringify({ owner: 'o', commands }));
    await resumeClaims(client.files);
    expect((await client.problems()).map(({ code }) => code)).toEqual(['fleet.damaged-request']);
  });
});

function added(id: string, name: string) {
  return { type: 'add' as const, id, at: '2026-01-01T00:00:00.000Z', spec: { ...details(id).spec, name } };
}

function details(id: string, changes: Partial<TaskDetails> = {}): TaskDetails {
  const spec = taskSpec({ name: 'a task' });
  const at = '2026-01-01T00:00:00.000Z';
  return {
    id,
    name: spec.name,
    state: 'queued',
    attempts: 0,
    cost: 0,
    turns: 0,
    createdAt: at,
    updatedAt: at,
    spec,
    ...changes,
  };
}

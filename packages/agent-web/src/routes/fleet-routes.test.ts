import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import type { FleetReply } from '../contract/fleet.ts';
import { callRoute, jsonOf } from '../fixtures/call-route.ts';
import { type FleetTask, writeFleet } from '../fixtures/write-fleet.ts';
import { openFleet } from './fleet/fleet-port.ts';
import { fleetRoutes, taskSubject } from './fleet-routes.ts';

const now = Date.parse('2026-11-12T14:00:00Z');

async function openTestFleet(tasks: readonly FleetTask[]) {
  const home = await mkdtemp(join(tmpdir(), 'robota-web-fleet-'));
  await writeFleet(home, { now, tasks });
  const repo = join(home, 'shop');
  await mkdir(join(repo, '.git'), { recursive: true });
  const allowRepository = async (path: string) => {
    if (path === repo) return path;
    throw new Error('Not a trusted directory.');
  };
  const options = {
    open: () => openFleet({ home }),
    now: () => now,
    rules: { shell: false, allowRepository },
  };
  const routes = fleetRoutes(options);
  const get = async () => {
    const reply = jsonOf<FleetReply>(await callRoute(routes, 'GET /api/fleet'));
    if (!reply.installed) throw new Error('agent-fleet is part of the workspace');
    return reply;
  };
  return { routes, get, options, repo };
}

const question = {
  hash: 'abc',
  tool: 'Bash',
  text: 'Bash(rm -r public/uploads/tmp)',
  askedAt: '2026-11-12T13:08:00Z',
};

describe('the fleet in the browser', () => {
  it('shows tasks with their steps, workers, schedules and spending', async () => {
    const { get } = await openTestFleet([
      { id: 't-116', name: 'Delete orphaned images', state: 'parked', question, cost: 0.58, maxCost: 2 },
      { id: 't-119', name: 'Move coupon codes', state: 'running', activity: 'Edit src/coupons/routes.ts' },
      { id: 't-123', name: 'Cache images', state: 'queued', after: ['t-119'] },
    ]);
    const { tasks, workers, schedules, costs } = await get();
    expect(tasks.map(({ id, state, step }) => [id, state, step])).toEqual([
      ['t-116', 'parked', 'work'],
      ['t-119', 'running', 'work'],
      ['t-123', 'queued', undefined],
    ]);
    expect(tasks[0]).toMatchObject({ question, cost: 0.58, maxCost: 2 });
    expect(workers.map(({ host, isSilent }) => [host, isSilent])).toContainEqual(['build-3', true]);
    expect(schedules[0]).toMatchObject({ cron: '0 2 * * *' });
    expect(costs).toMatchObject({ today: 6.84, dailyLimit: 10 });
  });

  it('shows webhooks by the tasks that they added', async () => {
    const day = 24 * 3600_000;
    const added = (id: string, days: number, state: FleetTask['state'] = 'done') =>
      ({
        id,
        name: 'Issue label',
        state,
        webhook: 'd-1',
        createdAt: new Date(now - days * day).toISOString(),
      }) as const;
    const { get } = await openTestFleet([
      added('t-1', 8),
      added('t-2', 3),
      added('t-3', 0, 'failed'),
      { id: 't-4', name: 'Other', state: 'queued' },
    ]);
    expect((await get()).webhooks).toEqual([{ name: 'Issue label', week: 2, last: 'failed' }]);
  });

  it('answers a question once, and only the one that was shown', async () => {
    const { routes, get } = await openTestFleet([{ id: 't-116', state: 'parked', question }]);
    const answer = (hash: string, decision: string) =>
      callRoute(routes, 'POST /api/fleet/answer', { id: 't-116', hash, decision });
    await expect(answer('other', 'allow')).rejects.toThrow('was already answered, or has changed');
    await expect(answer('abc', 'maybe')).rejects.toThrow('Expected allow or deny');
    await answer('abc', 'deny');
    expect((await get()).tasks[0]).toMatchObject({ state: 'queued' });
    await expect(answer('abc', 'allow')).rejects.toThrow('was already answered');
  });

  it('stops and retries tasks that can be, and says which cannot', async () => {
    const { routes, get } = await openTestFleet([
      { id: 't-1', state: 'failed' },
      { id: 't-2', state: 'queued' },
      { id: 't-3', state: 'running' },
    ]);
    const post = (name: 'stop' | 'retry', id: string) => callRoute(routes, `POST /api/fleet/${name}`, { id });
    await post('stop', 't-2');
    await post('retry', 't-1');
    expect((await get()).tasks.map(({ id, state }) => [id, state])).toEqual([
      ['t-3', 'running'],
      ['t-1', 'queued'],
      ['t-2', 'stopped'],
    ]);
    const say = (id: string, text: string) => callRoute(routes, 'POST /api/fleet/say', { id, text });
    await say('t-3', 'Use the new API');
    await expect(say('t-3', ' ')).rejects.toThrow('The message is empty');
    await expect(say('t-1', 'x')).rejects.toThrow('is queued and cannot be sent a message');
    await expect(post('retry', 't-1')).rejects.toThrow('is queued and cannot be queued again');
    await expect(post('stop', 't-9')).rejects.toThrow('No task "t-9".');
    await expect(post('stop', '../t')).rejects.toThrow('Expected an id');
  });

  it('adds tasks as the command line does, and gives them nothing that a page may not give', async () => {
    const { routes, get, repo } = await openTestFleet([]);
    const add = (body: JsonObject) => callRoute(routes, 'POST /api/fleet/add', { repo, ...body });
    await add({ prompt: 'Fix it\nwith care', maxCost: 2, labels: ['gpu'], sandbox: false, permissions: {} });
    // A text that looks like a file or an option is a prompt.
    await add({ prompt: '../notes.md' });
    await add({ prompt: '--from secrets.jsonl', after: ['Fix it'] });
    const { tasks, allowsChecks } = await get();
    expect(tasks.map(({ name, state }) => [name, state])).toEqual([
      ['Fix it', 'queued'],
      ['../notes.md', 'queued'],
      ['--from secrets.jsonl', 'queued'],
    ]);
    expect(tasks[0]).toMatchObject({ repo, maxCost: 2, labels: ['gpu'] });
    expect(tasks[2]).toMatchObject({ after: ['Fix it'] });
    expect(allowsChecks).toBe(false);
    await expect(add({ prompt: 'x', check: 'npm test' })).rejects.toThrow('Commands as checks are off');
    await expect(add({ prompt: 'x', repo: '/' })).rejects.toThrow('Not a trusted directory');
    await expect(add({ prompt: ' ' })).rejects.toThrow('The task has no prompt');
    await expect(add({ prompt: 'x', after: ['none'] })).rejects.toThrow('which does not exist');
    for (const base of ['--upload-pack=touch x', '-x', 'a b', ':/x', 'x\n--output=y'])
      await expect(add({ prompt: 'x', base }), base).rejects.toThrow();
    for (const [name, value] of [
      ['deliver', 'push'],
      ['maxCost', -1],
      ['attempts', 1e9],
      ['after', '--all'],
      ['priority', 'first'],
    ] as const)
      await expect(add({ prompt: 'x', [name]: value }), name).rejects.toThrow();
    expect((await get()).tasks).toHaveLength(3);
    await add({
      prompt: 'y',
      setup: 'touch x',
      env: { PATH: '/tmp' },
      ask: 'allow',
      permissions: { allow: ['Bash'] },
    });
    const added = (await get()).tasks.find(({ name }) => name === 'y');
    expect(JSON.stringify(added)).not.toMatch(/touch x|Bash|\/tmp"/);
  });

  it('adds and removes schedules, and changes the limit of a day', async () => {
    const { routes, get, repo } = await openTestFleet([]);
    const post = (name: string, body: JsonObject) => callRoute(routes, `POST /api/fleet/${name}`, body);
    const schedule = { prompt: 'Check links', repo, cron: '0 6 * * 0', timeZone: 'Europe/Berlin' };
    await post('schedules/add', { ...schedule, missed: 'skip' });
    const added = (await get()).schedules.find(({ name }) => name === 'Check links');
    expect(added).toMatchObject({ cron: '0 6 * * 0', timeZone: 'Europe/Berlin' });
    expect(Date.parse(added?.nextDue ?? '')).toBeGreaterThan(Date.now());
    await expect(post('schedules/add', { ...schedule, cron: 'soon' })).rejects.toThrow('is not a schedule');
    await expect(post('schedules/add', { ...schedule, timeZone: 'Mars' })).rejects.toThrow(
      'Unknown time zone',
    );
    await post('schedules/remove', { id: added?.id ?? '' });
    expect((await get()).schedules.map(({ name }) => name)).not.toContain('Check links');
    await expect(post('schedules/remove', { id: 'none' })).rejects.toThrow('No schedule "none".');
    await post('limits', { daily: 12 });
    expect((await get()).costs.dailyLimit).toBe(12);
    await post('limits', { daily: null });
    expect((await get()).costs.dailyLimit).toBeUndefined();
    await expect(post('limits', { daily: -1 })).rejects.toThrow('Expected an amount');
    await expect(post('limits', {})).rejects.toThrow('Expected "daily" or "total"');
  });

  it('lets the changes of a task be decided once it has ended', async () => {
    const { options } = await openTestFleet([
      { id: 't-1', name: 'Round prices', state: 'done', sessionId: 's-1', branch: 'round-lines' },
      { id: 't-2', state: 'running', sessionId: 's-2' },
      { id: 't-3', state: 'queued' },
    ]);
    expect(await taskSubject(options, 't-1')).toEqual({
      session: 's-1',
      title: 'Round prices',
      branch: 'round-lines',
    });
    expect(await taskSubject(options, 't-2')).toMatchObject({ readOnly: expect.stringContaining('running') });
    await expect(taskSubject(options, 't-3')).rejects.toThrow('has no session yet');
  });

  it('says how to install it where it is missing', async () => {
    const routes = fleetRoutes({ open: async () => undefined });
    expect(jsonOf(await callRoute(routes, 'GET /api/fleet'))).toEqual({
      installed: false,
      install: 'npm install -g @robota-sdk/agent-fleet',
    });
    await expect(callRoute(routes, 'POST /api/fleet/stop', { id: 't-1' })).rejects.toThrow('not installed');
  });
});

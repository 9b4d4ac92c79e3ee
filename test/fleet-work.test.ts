import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FleetClient, openClient, type TaskSpec } from '@robota-sdk/agent-fleet';
import {
  anthropicReply,
  type ModelServer,
  startModelServer,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { giveDatabase } from '../packages/agent-fleet/src/fixtures/migrated-database.ts';
import { taskSpec } from '../packages/agent-fleet/src/fixtures/task-spec.ts';
import { callRoute } from '../packages/agent-web/src/fixtures/call-route.ts';
import { openFleet } from '../packages/agent-web/src/routes/fleet/fleet-port.ts';
import { fleetRoutes } from '../packages/agent-web/src/routes/fleet-routes.ts';
import { gone, startRealWorker } from './fleet-workers.ts';

// However busy the machine is, a worker is not late: tests that need a silent one change the time of its last beat.
const times = { beatMs: 1000, giveUpMs: 600_000, silenceMs: 600_000 };
const turns = 3;

let root = '';
let repo = '';
let server: ModelServer;
let client: FleetClient;
let workers: ChildProcess[] = [];

beforeEach(async () => {
  root = await temporaryDirectory('fleet-work');
  repo = join(root, 'repo');
  mkdirSync(join(root, 'effects'), { recursive: true });
  mkdirSync(repo);
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repo, 'check.sh'), 'test ! -e broken\n');
  git('add', '.');
  git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-qm', 'Start');
  server = await startModelServer();
  server.handle(({ text }) => {
    const task = /task-[a-z0-9]+/.exec(text)?.[0] ?? '';
    const turn = text.split('"tool_result"').length;
    if (turn > turns) return anthropicReply({ text: `Did ${task}.`, usage: { input: 1000, output: 10 } });
    const command = `echo ${turn} >> ${task}.txt && echo ${turn} >> ${join(root, 'effects', task)}`;
    return anthropicReply({ toolCalls: [{ id: `t${turn}`, name: 'Bash', input: { command } }] });
  });
});
afterEach(async () => {
  for (const worker of workers) {
    worker.kill('SIGKILL');
  }
  await Promise.all(workers.map(gone));
  workers = [];
  await client.close();
  await server.close();
});

function start(name: string, change: object): ChildProcess {
  const child = startRealWorker(name, { root, url: server.url }, { jobs: 3, times, ...change });
  workers.push(child);
  return child;
}

const ids = ['task-a', 'task-b'];

/** Each task has a branch with the work of all turns, and no effect twice. */
async function expectAllDone(): Promise<void> {
  for (const id of ids) {
    const { state, reason, branch } = (await client.task(id)) ?? {};
    expect({ state, reason, branch }).toEqual({ state: 'done', branch: `robota/${id}-${id}` });
    expect(git('show', `robota/${id}-${id}:${id}.txt`)).toBe('1\n2\n3\n');
    expect(readFileSync(join(root, 'effects', id), 'utf8')).toBe('1\n2\n3\n');
  }
}

describe('a fleet that works', () => {
  it('works on tasks in worktrees, checks them, and delivers branches', async () => {
    const home = join(root, 'home-one', '.robota');
    await giveDatabase(home);
    client = await openClient({ home });
    await client.submit([
      ...ids.map((id) => add(id)),
      add('task-fails', { check: 'echo no >&2; exit 3', baseline: 'skip' }),
    ]);
    await client.submit([
      add('task-broken', { check: 'test -e missing' }),
      add('task-nocheck', { check: 'no-such-program' }),
    ]);
    await gone(start('one', {}));
    await expectAllDone();
    expect(await client.task('task-fails')).toMatchObject({
      state: 'failed',
      reason: { code: 'check-failed', message: expect.stringContaining('exit code 3') },
    });
    expect(await client.task('task-broken')).toMatchObject({
      state: 'failed',
      reason: { code: 'baseline-failed' },
    });
    expect(await client.task('task-nocheck')).toMatchObject({
      state: 'failed',
      reason: { code: 'check-cannot-start' },
    });
    const done = await client.task('task-a');
    expect(done?.cost).toBeGreaterThan(0);
    expect(done).toMatchObject({ turns: turns + 1, receipt: { winner: 1, filesChanged: 1, added: 3 } });
    expect(done?.receipt?.delivery).toMatchObject({ kind: 'branch', branch: 'robota/task-a-task-a' });
    expect((await client.costs()).total).toBeGreaterThan(0);
    expect(git('status', '--porcelain')).toBe('');
  });

  it('gives the agent of a task the message that its user writes on the page', async () => {
    const home = join(root, 'home-one', '.robota');
    await giveDatabase(home);
    client = await openClient({ home });
    // The message is on its way through two processes: the agent works until it has come.
    server.handle(({ text }) =>
      anthropicReply(
        text.includes('Use tabs.')
          ? { text: 'Done.' }
          : { toolCalls: [{ id: `t${text.length}`, name: 'Bash', input: { command: 'sleep 0.05' } }] },
      ),
    );
    await client.submit([add('task-a')]);
    const worker = start('one', {});
    const routes = fleetRoutes({ open: () => openFleet({ home }) });
    const say = (text: string) => callRoute(routes, 'POST /api/fleet/say', { id: 'task-a', text });
    await until(async () => (await client.task('task-a'))?.state === 'running');
    await say('Use tabs.');
    await gone(worker);
    expect(await client.task('task-a')).toMatchObject({ state: 'done' });
    expect(server.requests.at(-1)?.text).toContain('Use tabs.');
    await expect(say('Too late.')).rejects.toThrow('is done and cannot be sent a message');
  });

  it('repeats no effect when the supervisor is killed again and again', async () => {
    const home = join(root, 'home-one', '.robota');
    await giveDatabase(home);
    client = await openClient({ home });
    await client.submit(ids.map((id) => add(id)));
    const effects = () =>
      readdirSync(join(root, 'effects')).flatMap((id) => linesOf(join(root, 'effects', id)));
    for (const count of [1, 3]) {
      const worker = start('one', {});
      await until(() => effects().length >= count);
      worker.kill('SIGKILL');
      await gone(worker);
    }
    await gone(start('one', {}));
    for (const id of ids) {
      expect(await client.task(id)).toMatchObject({ state: 'done' });
      const seen = linesOf(join(root, 'effects', id));
      // A command whose outcome is unknown is not repeated, so that one may be missing.
      expect(new Set(seen).size).toBe(seen.length);
    }
    await until(() => attemptsAlive(home) === 0);
  });
});

/** Processes of attempts that have the home in their environment. */
function attemptsAlive(home: string): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('attempt-main') &&
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`ROBOTA_HOME=${home}`)
      );
    } catch {
      return false;
    }
  }).length;
}

function linesOf(file: string): readonly string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: repo, encoding: 'utf8' });
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    await sleep(30);
  }
}

function add(id: string, changes: Partial<TaskSpec> = {}) {
  const permissions = { mode: 'bypassPermissions' } as const;
  const work = { prompt: `Work on ${id}.`, check: 'sh check.sh', model: 'claude-sonnet-4-5' };
  const spec = taskSpec({ name: id, repo, permissions, ...work, ...changes });
  return { type: 'add', id, spec, at: new Date().toISOString() } as const;
}

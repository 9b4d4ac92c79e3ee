import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FleetClient, type FleetDatabase, openClient } from '@robota-sdk/agent-fleet';
import {
  anthropicReply,
  createPostgresDatabase,
  type ModelServer,
  startModelServer,
  temporaryDirectory,
  withoutPostgres,
} from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgres } from '../packages/agent-fleet/src/database/open-postgres.ts';
import { giveDatabase } from '../packages/agent-fleet/src/fixtures/migrated-database.ts';
import { taskSpec } from '../packages/agent-fleet/src/fixtures/task-spec.ts';
import { gone, startRealWorker } from './fleet-workers.ts';

// No test waits for silence: workers are declared silent.
const times = { beatMs: 200, giveUpMs: 60_000, silenceMs: 120_000 };

let root = '';
let repo = '';
let server: ModelServer;
let client: FleetClient;
let workers: ChildProcess[] = [];

beforeEach(async () => {
  root = await temporaryDirectory('fleet-bars');
  repo = join(root, 'repo');
  mkdirSync(repo);
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repo, 'a.txt'), 'one\n');
  git('add', '.');
  git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-qm', 'Start');
  server = await startModelServer();
  server.handle(({ text }) => answer(text.split('"tool_result"').length, text));
});
afterEach(async () => {
  signalAll(root, 'SIGKILL');
  await Promise.all(workers.map(gone));
  workers = [];
  await client.close();
  await server.close();
});

/** Two steps; the second waits for a file of the test. One whose outcome is unknown is made again by a model that looked. */
function answer(turn: number, text: string) {
  const call = (id: string, command: string) =>
    anthropicReply({ toolCalls: [{ id, name: 'Bash', input: { command } }] });
  const isUnknown = text.includes('Outcome unknown') || text.includes('interrupted');
  if (turn === 1) return call('one', `echo two >> a.txt; echo one >> ${root}/effects`);
  if (turn === 2)
    return call(
      'two',
      `touch ${root}/up; while [ ! -e ${root}/go ]; do sleep 0.05; done; echo three >> a.txt`,
    );
  if (turn === 3 && isUnknown) return call('three', 'printf "one\\ntwo\\nthree\\n" > a.txt');
  return anthropicReply({ text: 'Done.' });
}

/** The tree of the work without any interruption. */
function undisturbedTree(): string {
  const env = { ...process.env, GIT_INDEX_FILE: join(root, 'index'), GIT_WORK_TREE: join(root, 'tree') };
  mkdirSync(join(root, 'tree'));
  writeFileSync(join(root, 'tree', 'a.txt'), 'one\ntwo\nthree\n');
  const run = (...words: string[]) =>
    execFileSync('git', [`--git-dir=${join(repo, '.git')}`, ...words], {
      cwd: join(root, 'tree'),
      env,
      encoding: 'utf8',
    });
  run('add', 'a.txt');
  return run('write-tree').trim();
}

const branch = 'robota/task-1-task-1';
const treeOfBranch = () => git('rev-parse', `${branch}^{tree}`).trim();
const isWaiting = () => existsSync(join(root, 'up'));

describe.skipIf(withoutPostgres !== '')(`two machines on Postgres${withoutPostgres}`, () => {
  let database: FleetDatabase;
  let url = '';
  beforeEach(async () => {
    url = await createPostgresDatabase();
    database = await openPostgres(url);
    client = await openClient({ home: root, database: url });
    await client.submit([add('task-1')]);
  });
  afterEach(() => database.close());

  /** Works on the task on one machine, until it waits in its second step. */
  async function startFirst(): Promise<ChildProcess> {
    const first = start('first', { url });
    await until(isWaiting);
    return first;
  }

  /** Lets another machine take over and end the task. */
  async function takeOver(first: ChildProcess): Promise<void> {
    start('second', { url });
    const silent = `update fleet.worker set beat_at = clock_timestamp() - interval '1 day' where pid = $1`;
    // A last beat may still be on its way.
    while ((await database.query(silent, [first.pid])).rowCount !== 0) await sleep(30);
    await until(async () => (await client.task('task-1'))?.state === 'done');
  }

  it('a lost machine, with its directory: the other ends the task with the tree of an undisturbed run', async () => {
    const first = await startFirst();
    first.kill('SIGKILL');
    await gone(first);
    await until(() => processesOf(homeOf('first')).length === 0);
    rmSync(homeOf('first'), { recursive: true });
    await takeOver(first);
    expect(treeOfBranch()).toBe(undisturbedTree());
    expect(readFileSync(join(root, 'effects'), 'utf8')).toBe('one\n');
    const { attempts, sessionId } = (await client.task('task-1')) ?? {};
    expect([attempts, typeof sessionId]).toEqual([1, 'string']);
  });

  it('a machine that was stopped for too long and runs again writes nothing', async () => {
    const first = await startFirst();
    signalAll(homeOf('first'), 'SIGSTOP');
    await takeOver(first);
    // The sweep removes the snapshots of a task that is done.
    await until(async () => (await database.query('select from fleet.snapshot')).rowCount === 0);
    const before = await written();
    writeFileSync(join(root, 'go'), '');
    signalAll(homeOf('first'), 'SIGCONT');
    // Its agent ends; the worker lives on in good standing, with the process that starts git for it.
    const isOwn = (pid: number) => pid === first.pid || commandOf(pid).includes('git-main');
    await until(() => processesOf(homeOf('first')).every(isOwn));
    await until(async () => (await client.workers()).some(({ pid }) => pid === first.pid));
    expect(await written()).toEqual(before);
    expect(treeOfBranch()).toBe(undisturbedTree());
  });

  /** Everything that a worker writes where others see it. */
  async function written() {
    const rows = async (statement: string) => (await database.query(statement)).rows;
    const mirrors = join(homeOf('first'), 'fleet', 'mirrors');
    const [mirror = ''] = readdirSync(mirrors).filter((name) => existsSync(join(mirrors, name, 'HEAD')));
    return {
      refs: git('for-each-ref'),
      mirrored: execFileSync('git', ['for-each-ref'], { cwd: join(mirrors, mirror), encoding: 'utf8' }),
      lines: await rows('select session, sequence, text from fleet.session_line order by 1, 2'),
      snapshots: await rows('select task_id, number, commit from fleet.snapshot'),
      tasks: await rows('select id, state, epoch, facts, turns, cost from fleet.task'),
      attempts: await rows('select * from fleet.attempt'),
      reservations: await rows('select * from fleet.reservation'),
      asked: server.requests.length,
    };
  }
});

describe('a supervisor', () => {
  it('runs what a schedule missed, once, and an upgrade of the program resumes it', async () => {
    await giveDatabase(homeOf('one'));
    client = await openClient({ home: homeOf('one') });
    const createdAt = new Date(Date.now() - 3 * 86_400_000).toISOString();
    const shared = { cron: '0 2 * * *', timeZone: 'UTC', createdAt };
    const { spec } = add('task-1');
    await client.submit([
      { type: 'schedule', schedule: { ...shared, id: 'nightly', spec, missed: 'run-once' } },
      { type: 'schedule', schedule: { ...shared, id: 'skipped', spec, missed: 'skip' } },
    ]);
    const old = start('one', { version: '1.0.0', untilEmpty: false });
    await until(isWaiting);
    old.kill('SIGTERM');
    await gone(old);
    const [scheduled] = await client.tasks();
    expect(scheduled).toMatchObject({ state: 'queued' });
    start('one', { version: '2.0.0', untilEmpty: false });
    await until(async () => (await client.task(scheduled?.id ?? ''))?.state === 'done');
    const tasks = await client.tasks();
    expect(tasks.map(({ id }) => id)).toEqual([scheduled?.id]);
    expect(await client.task(scheduled?.id ?? '')).toMatchObject({
      attempts: 1,
      spec: { origin: { kind: 'schedule', schedule: 'nightly' } },
    });
    expect(git('show', `${tasks[0]?.branch}:a.txt`)).toBe('one\ntwo\nthree\n');
    const schedules = await client.schedules();
    for (const { nextDue } of schedules) expect(Date.parse(nextDue ?? '')).toBeGreaterThan(Date.now());
    expect(schedules).toHaveLength(2);
    expect((await client.workers()).map(({ version }) => version)).toEqual(['2.0.0']);
  });
});

function homeOf(machine: string): string {
  return join(root, `home-${machine}`, '.robota');
}

function start(machine: string, change: object): ChildProcess {
  const child = startRealWorker(machine, { root, url: server.url }, { jobs: 1, times, ...change });
  workers.push(child);
  return child;
}

/** Processes that have the directory in their environment. */
function processesOf(directory: string): number[] {
  const home = join(directory, '..');
  const text = directory === root ? root : `HOME=${home}\0`;
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(text) ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function signalAll(directory: string, signal: NodeJS.Signals): void {
  for (const pid of processesOf(directory)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: repo, encoding: 'utf8' });
}

/** Far longer than anything here takes. */
const patienceMs = 100_000;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`Never true: ${condition}\n${processesOf(root).map(commandOf).join('\n')}`);
    await sleep(30);
  }
}

function add(id: string) {
  const permissions = { mode: 'bypassPermissions' } as const;
  const model = 'claude-sonnet-4-5';
  const spec = taskSpec({ name: id, prompt: 'Work.', repo, baseline: 'skip', model, permissions });
  return { type: 'add', id, spec, at: new Date().toISOString() } as const;
}

import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FleetClient, openClient } from '@robota-sdk/agent-fleet';
import {
  createPostgresDatabase,
  type RobotaOptions,
  type RobotaResult,
  runRobota,
  temporaryDirectory,
  withoutPostgres,
} from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { giveDatabase } from '../packages/agent-fleet/src/fixtures/migrated-database.ts';
import { openTerminal } from './terminal.ts';

let home: string;
let cwd: string;

beforeEach(async () => {
  home = await temporaryDirectory('robota-home');
  cwd = await temporaryDirectory('robota-repo');
  git('init', '-q');
  await writeFile(join(cwd, 'a.txt'), 'a\n');
  git('add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'first');
});

describe('robota run', () => {
  it('works on one task file by the same steps, without a queue', async () => {
    await task('make', {}, 'create hello.txt with the text "hi"');
    const { code, stdout } = await robota('run', 'make.md', '--json');
    expect(code).toBe(0);
    const [done] = lines(stdout);
    expect(done).toMatchObject({
      name: 'make',
      state: 'done',
      receipt: { filesChanged: 1, delivery: { kind: 'branch' } },
    });
    expect(git('show', `${done?.['branch']}:hello.txt`)).toBe('hi\n');
    expect(readdirSync(join(home, '.robota/fleet/work'))).toEqual([]);
    // The user's own files and branch are as they were.
    expect(git('status', '--porcelain')).toBe('?? make.md\n');
    expect((await robota('fleet', 'list', '--json')).stdout).toBe('');
  });

  it('tells by its exit code that a task failed, and refuses what is no task file', async () => {
    await task('broken', { check: 'exit 3' }, 'help');
    const failed = await robota('run', 'broken.md');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('failed: The check fails on the untouched base');
    // The files of a failed task stay until its user removes them.
    const [id = ''] = failed.stdout.split(' ', 1);
    expect((await robota('fleet', 'gc')).stdout).toMatch(/^kept .*: its task is unknown\n$/);
    expect((await robota('fleet', 'gc', id)).stdout).toMatch(/^removed /);
    expect(await robota('run', 'none.md')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('none.md: The task file'),
    });
    expect(await robota('run')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Missing task file.'),
    });
  });

  it('shows a live table in a terminal, and stops at Ctrl+C', async () => {
    await task('slow', { permissions: '{ allow: ["Bash(sleep *)"] }' }, 'run sleep 600');
    const terminal = openTerminal(['run', 'slow.md'], { cwd, home });
    await terminal.shows(
      /Fleet .* 1 running .*\n {2}ID .*\n❯ \w{12} {2}slow +⟳ running +\S.*\$0\.00 +\d+s *\nenter follow · esc stop/,
    );
    terminal.send('\x03');
    expect(await terminal.exit).toBe(130);
    expect(await terminal.screen()).toContain('stopped: Stopped by the user.');
    // The table is gone, and the task is there once.
    expect((await terminal.screen()).match(/^ {2}ID +TASK/gm)).toBeNull();
  });

  it('still answers a prompt as print mode does', async () => {
    const { code, stdout } = await robota('run', 'list the files', '--model', 'offline');
    expect(code).toBe(0);
    expect(stdout).toContain('a.txt');
  });
});

describe('robota fleet run', () => {
  it('works on the queue until it is empty: branches, failures, questions and answers', async () => {
    await giveDatabase(join(home, '.robota'));
    await add(
      { name: 'one', prompt: 'create one.txt with the text "1"' },
      { name: 'two', prompt: 'create two.txt with the text "2"', after: ['one'] },
      { name: 'asks', prompt: 'run touch asked' },
    );
    const run = await fleet('run', '--jobs', '2');
    expect(run.code).toBe(3);
    expect(run.stderr).toMatch(/^Starting: /);
    expect(run.stderr).toContain('  running  one\n');
    expect(run.stderr).toMatch(/\n\w{12} {2}done {2}one {2}robota\/\w{12}-one \+1 {2}\$0\.00 {2}\d+s\n/);
    expect(run.stderr).toMatch(/\n1 parked, 2 done · \$0\.00 · \S+ · robota fleet list --state parked\n$/);
    expect(git('branch', '--list', 'robota/*').match(/robota\/\w+-(one|two)/g)).toHaveLength(2);
    const followed = await fleet('follow', 'one');
    expect(followed).toMatchObject({ code: 0, stdout: expect.stringContaining('  ✓ Create one.txt · +1\n') });
    expect(followed.stdout).toContain('  Changed      1 file, +1');
    const client = await openClient({ home: join(home, '.robota') });
    expect(await client.task('asks')).toMatchObject({
      state: 'parked',
      question: { tool: 'Bash', text: expect.stringContaining('touch asked') },
    });
    expect((await fleet('answer', 'asks', 'allow')).code).toBe(0);
    expect((await fleet('run')).code).toBe(0);
    const done = await client.task('asks');
    expect(done).toMatchObject({ state: 'done', receipt: { filesChanged: 1 } });
    expect(git('show', `${done?.branch}:asked`)).toBe('');
    const verdicts = lines((await fleet('gc', 'one', '--dry-run', '--json')).stdout);
    expect(verdicts).toMatchObject([{ taskId: expect.any(String), action: 'would-remove' }]);
    expect((await fleet('gc')).stdout.match(/^removed /gm)).toHaveLength(3);
    expect((await fleet('gc')).stderr).toBe('No worktrees.\n');
    expect(await states(client)).toEqual(['done', 'done', 'done']);
  });

  it('drains at the first interrupt, stops at the second, and resumes in the background until it is drained', async () => {
    await giveDatabase(join(home, '.robota'));
    const waitsFor = (file: string) => ({
      prompt: `run \`until [ -e ${join(home, file)} ]; do sleep 0.1; done\``,
      permissions: { allow: ['Bash'] },
    });
    await add({ name: 'long', ...waitsFor('gate') }, { name: 'next', prompt: 'help' });
    let interrupts = 0;
    const run = await fleetWith(['run', '--jobs', '1'], {
      onError: (stderr, child) => {
        const isDue = [stderr.includes('running  long'), stderr.includes('Ending after the running tasks')];
        if (isDue[interrupts] === true) {
          interrupts += 1;
          child.kill('SIGINT');
        }
      },
    });
    expect(run.code).toBe(130);
    const client = await openClient({ home: join(home, '.robota') });
    expect(await states(client)).toEqual(['queued', 'queued']);
    await writeFile(join(home, 'gate'), '');
    const started = await fleet('start', '--detach', '--jobs', '1');
    expect(started.code).toBe(0);
    const pid = Number(started.stdout);
    try {
      expect(await fleet('run')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('already run by'),
      });
      expect((await fleet('follow', 'long')).code).toBe(0);
      await add({ name: 'other', ...waitsFor('nothing') });
      await expect.poll(() => states(client)).toEqual(['done', 'done', 'running']);
      expect((await fleet('stop', 'other')).code).toBe(0);
      expect((await fleet('follow', 'other')).code).toBe(1);
      expect((await fleet('drain')).code).toBe(0);
      await ended(pid);
    } finally {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    }
  });
});

describe.skipIf(withoutPostgres !== '')(`robota worker${withoutPostgres}`, () => {
  it('works for a fleet on Postgres, whose tasks are added, followed and answered from elsewhere', async () => {
    const env = { ROBOTA_FLEET: await createPostgresDatabase() };
    const one = { name: 'one', prompt: 'create one.txt with the text "1"', labels: ['here'], ...offline };
    const asks = { name: 'asks', prompt: 'run touch asked', ...offline };
    const input = [one, asks].map((each) => `${JSON.stringify(each)}\n`).join('');
    await fleetWith(['add', '--from', '-'], { env, input });
    expect(lines((await fleetWith(['list', '--json'], { env })).stdout)).toHaveLength(2);
    expect(await states(await openClient({ home: join(home, '.robota') }))).toEqual([]);
    const run = await fleetWith(['run', '--label', 'here'], { env });
    expect(run.code).toBe(3);
    const other = { env, home: await temporaryDirectory('robota-home') };
    expect((await fleetWith(['answer', 'asks', 'allow'], other)).code).toBe(0);
    const worker = runRobota(['worker', '--jobs', '1'], { cwd, home, env });
    expect((await fleetWith(['follow', 'asks'], other)).code).toBe(0);
    expect((await fleetWith(['drain'], other)).code).toBe(0);
    expect((await worker).code).toBe(0);
    const followed = await fleetWith(['follow', 'one'], other);
    expect(followed).toMatchObject({ code: 0, stdout: expect.stringContaining('  ✓ Create one.txt · +1\n') });
    const usage = await runRobota(['usage', '--database', 'fleet', '--json'], { cwd, ...other });
    const { sessions, rows } = JSON.parse(usage.stdout);
    expect(sessions).toBe(2);
    const names = (by: string) =>
      rows.flatMap((row: Record<string, string>) => (row['by'] === by ? [row['name']] : []));
    expect([names('agent'), names('project')]).toEqual([['fleet'], [cwd]]);
    expect(names('tool')).toEqual(expect.arrayContaining(['Bash', 'Write']));
  });

  it('needs a database', async () => {
    expect(await robota('worker')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Missing database.'),
    });
  });
});

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd, encoding: 'utf8' });
}

async function task(name: string, fields: Record<string, string>, prompt: string): Promise<void> {
  const head = Object.entries({ model: 'offline', sandbox: 'off', ...fields }).map(
    ([key, value]) => `${key}: ${value}`,
  );
  await writeFile(join(cwd, `${name}.md`), `---\n${head.join('\n')}\n---\n${prompt}\n`);
}

function robota(...words: string[]): Promise<RobotaResult> {
  return runRobota(words, { cwd, home });
}

const offline = { model: 'offline', sandbox: 'off' };

/** Adds tasks in one request. */
async function add(...tasks: readonly object[]): Promise<void> {
  const input = tasks.map((each) => `${JSON.stringify({ ...offline, ...each })}\n`).join('');
  expect(await fleetWith(['add', '--from', '-'], { input })).toMatchObject({ code: 0 });
}

async function states(client: FleetClient): Promise<readonly string[]> {
  return (await client.tasks()).map(({ state }) => state);
}

function fleet(...words: string[]): Promise<RobotaResult> {
  return fleetWith(words, {});
}

function fleetWith(words: readonly string[], options: Partial<RobotaOptions>): Promise<RobotaResult> {
  return runRobota(['fleet', ...words], { cwd, home, ...options });
}

function lines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

async function ended(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((done) => setTimeout(done, 50));
}

function isAlive(pid: number): boolean {
  return spawnSync('kill', ['-0', String(pid)]).status === 0;
}

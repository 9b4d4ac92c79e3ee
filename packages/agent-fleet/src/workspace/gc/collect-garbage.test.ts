import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findSandbox } from '@robota-sdk/agent-sdk/front-end';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AttemptWorkspace } from '../../contract/attempt-workspace.ts';
import { filesIn, TestFleet, writeFiles } from '../fixtures/repository.ts';
import { startWorker } from '../fixtures/worker.ts';
import { collectGarbage, type GarbageRequest, removeDrafts } from './collect-garbage.ts';

const hasBubblewrap = (await findSandbox()).kind === 'bubblewrap';

let fleet: TestFleet;
let repo: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  fleet = new TestFleet();
  repo = fleet.repository({ '.gitignore': 'node_modules\n', 'a.txt': 'one\n' });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  fleet.end();
});

const collect = (extra: Partial<GarbageRequest> = {}) =>
  collectGarbage({ home: fleet.home, dryRun: false, isEnded: () => true, env: fleet.env, ...extra });
const deliver = (workspace: AttemptWorkspace) =>
  workspace.deliver({
    kind: 'branch',
    branch: `robota/${workspace.taskId}`,
    title: 't',
    body: '',
    assertLease: async () => {},
  });
/** A worktree whose work was delivered and which no process holds. */
const finished = async (taskId = 't1') => {
  const workspace = await fleet.open({ repo, taskId });
  writeFiles(workspace.directory, { 'b.txt': `${taskId}\n`, 'node_modules/x': 'x\n' });
  await deliver(workspace);
  workspace.close();
  return workspace;
};
const sleepIn = async (directory: string): Promise<ChildProcess> => {
  const child = spawn('sleep', ['300'], { cwd: directory, stdio: 'ignore' });
  children.push(child);
  // Before the program is loaded, it is still this process.
  while (readFileSync(`/proc/${child.pid}/comm`, 'utf8') !== 'sleep\n') await sleep(10);
  return child;
};
const reasonOf = async (extra?: Partial<GarbageRequest>) => (await collect(extra))[0]?.reason;

describe('collecting garbage', () => {
  it('removes drafts of a killed process at the next start, and nothing else', async () => {
    const { directory } = await finished();
    const held = await fleet.open({ repo, taskId: 'held' });
    for (const path of [`${directory}.new`, `${held.directory}.new`, join(directory, '..', 'other.new')])
      mkdirSync(path);
    await removeDrafts(fleet.home);
    expect(readdirSync(join(directory, '..'))).toEqual(['held-1', 'held-1.new', 't1-1']);
  });

  it('removes what a machine left that lost its task to another, and keeps its last changes in the mirror', async () => {
    const lost = await fleet.open({ repo, taskId: 'lost' });
    writeFiles(lost.directory, { 'b.txt': 'of a snapshot\n' });
    await lost.snapshot();
    writeFiles(lost.directory, { 'b.txt': 'since then\n' });
    lost.close();
    const delivered = await finished('mine');
    writeFiles(delivered.directory, { 'b.txt': 'of a user\n' });
    const isDelivered = (taskId: string, attempt: number) => attempt === 1 && taskId !== 'other';
    const actions = async (extra: Partial<GarbageRequest>) =>
      (await collect(extra)).map(({ taskId, action }) => [taskId, action]);
    expect(await actions({})).toEqual([
      ['lost', 'kept'],
      ['mine', 'kept'],
    ]);
    expect(await actions({ isDelivered, dryRun: true })).toEqual([
      ['lost', 'would-remove'],
      ['mine', 'kept'],
    ]);
    const mirror = join(lost.readable[0] ?? '', '..');
    const left = () => fleet.git(mirror, 'for-each-ref', '--format=%(refname)', 'refs/robota/left');
    expect(left()).toBe('');
    expect(await actions({ isDelivered })).toEqual([
      ['lost', 'removed'],
      ['mine', 'kept'],
    ]);
    expect(fleet.git(mirror, 'show', `${left()}:b.txt`)).toBe('since then');
  });

  it('removes the worktree of an ended task that delivered, after a dry run said so', async () => {
    const { directory } = await finished();
    expect(await collect({ dryRun: true })).toMatchObject([
      { directory, taskId: 't1', attempt: 1, action: 'would-remove' },
    ]);
    expect(existsSync(directory)).toBe(true);
    expect(await collect()).toMatchObject([{ directory, action: 'removed' }]);
    expect(existsSync(directory)).toBe(false);
    expect(fleet.git(repo, 'show', 'robota/t1:b.txt')).toBe('t1');
    expect(await collect()).toEqual([]);
  });

  it('removes a worktree in which nothing was made', async () => {
    (await fleet.open({ repo })).close();
    expect(await collect()).toMatchObject([{ action: 'removed' }]);
  });

  it('keeps it while the task has not ended, or is unknown', async () => {
    await finished();
    expect(await reasonOf({ isEnded: () => false })).toBe('its task has not ended');
    expect(await reasonOf({ isEnded: () => undefined })).toBe('its task is unknown');
  });

  it('keeps it while this process or another has it open', async () => {
    const { directory } = await finished();
    const again = await fleet.open({ repo });
    expect(await reasonOf()).toBe('a process works on it');
    again.close();
    const worker = await startWorker(fleet, {
      request: { repo, taskId: 't1', attempt: 1 },
      setUp: { command: 'touch node_modules/started; sleep 300' },
    });
    children.push(worker);
    while (!existsSync(join(directory, 'node_modules/started'))) await sleep(20);
    expect(await reasonOf()).toBe('a process works on it');
  });

  it('keeps it while a process has its working directory or an open file in it', async () => {
    const { directory } = await finished();
    const inside = await sleepIn(join(directory, 'node_modules'));
    expect(await reasonOf()).toBe(`process ${inside.pid} (sleep) uses it`);
    inside.kill('SIGKILL');
    await new Promise((resolve) => inside.once('close', resolve));
    const file = openSync(join(directory, 'a.txt'), 'r');
    expect(await reasonOf()).toMatch(/^process \d+ .* uses it$/);
    closeSync(file);
    expect(await collect()).toMatchObject([{ action: 'removed' }]);
  });

  it.skipIf(!hasBubblewrap)('sees a process in a sandbox of its own', async () => {
    const { directory } = await finished();
    const words = [
      '--ro-bind',
      '/',
      '/',
      '--bind',
      directory,
      directory,
      '--unshare-pid',
      '--proc',
      '/proc',
      '--chdir',
      directory,
    ];
    children.push(
      spawn('/usr/bin/bwrap', [...words, '--die-with-parent', 'sleep', '300'], { cwd: '/', stdio: 'ignore' }),
    );
    await expect.poll(() => reasonOf({ dryRun: true })).toMatch(/^process \d+ .* uses it$/);
    expect(await reasonOf()).toMatch(/^process \d+ .* uses it$/);
  });

  it.each([
    [
      'changed files',
      (at: string) => writeFiles(at, { 'a.txt': 'later\n' }),
      'it has changes since its last snapshot',
    ],
    [
      'a new file',
      (at: string) => writeFiles(at, { 'new.txt': 'n\n' }),
      'it has changes since its last snapshot',
    ],
    ['a stash', (at: string) => stash(at), 'it has a stash'],
    [
      'a commit on another branch',
      (at: string) => commitElsewhere(at),
      'refs/heads/side has commits that are nowhere else',
    ],
    [
      'no .git',
      (at: string) => rmSync(join(at, '.git'), { recursive: true }),
      'its .git directory was replaced',
    ],
  ])('keeps it with %s', async (_, change, reason) => {
    const { directory } = await finished();
    change(directory);
    expect(await reasonOf()).toBe(reason);
    expect(await reasonOf({ discard: ['t1'] })).toBe(reason);
    expect(existsSync(directory)).toBe(true);
  });

  it('keeps work that was not delivered unless its user gives it up by the full id', async () => {
    const workspace = await fleet.open({ repo, taskId: 'abc' });
    writeFiles(workspace.directory, { 'b.txt': 'b\n' });
    const tree = await workspace.snapshot();
    await expect(workspace.remove()).rejects.toThrow(/work that was not delivered/);
    workspace.close();
    expect(await reasonOf()).toBe('it has work that was not delivered');
    expect(await reasonOf({ discard: ['ab', 'abcd', ''] })).toBe('it has work that was not delivered');
    expect(await collect({ discard: ['abc'] })).toMatchObject([{ action: 'removed' }]);
    const again = await fleet.open({ repo, taskId: 'abc', tree });
    expect(filesIn(again.directory)['b.txt']).toBeDefined();
  });

  it('keeps work whose delivery failed', async () => {
    const workspace = await fleet.open({ repo });
    writeFiles(workspace.directory, { 'b.txt': 'b\n' });
    fleet.git(repo, 'branch', 'robota/t1');
    await expect(deliver(workspace)).rejects.toThrow(/other commits/);
    workspace.close();
    expect(await reasonOf()).toBe('it has work that was not delivered');
  });

  it('takes an id as a whole: the beginning of another one means nothing', async () => {
    const short = await finished('ab');
    const long = await finished('ab-1');
    const longer = await finished('ab-1-2');
    const verdicts = await collect({ isEnded: (taskId) => taskId === 'ab-1' });
    expect(verdicts.filter(({ action }) => action === 'removed').map(({ taskId }) => taskId)).toEqual([
      'ab-1',
    ]);
    expect([short, long, longer].map(({ directory }) => existsSync(directory))).toEqual([true, false, true]);
    expect(await collect({ only: ['ab-1-'] })).toEqual([]);
    expect(await collect({ only: ['ab'] })).toMatchObject([{ taskId: 'ab', action: 'removed' }]);
    expect(existsSync(longer.directory)).toBe(true);
  });

  it('follows no link, and touches nothing that the fleet did not make', async () => {
    const { directory } = await finished();
    const { work, attempts } = {
      work: join(fleet.home.directory, 'work'),
      attempts: join(fleet.home.directory, 'attempts'),
    };
    const precious = join(fleet.root, 'precious');
    mkdirSync(precious);
    writeFileSync(join(precious, 'file'), 'precious');
    symlinkSync(precious, join(directory, 'node_modules', 'link'));
    symlinkSync(precious, join(work, 't2-1'));
    mkdirSync(join(work, 't3-1'));
    writeFileSync(join(work, 't3-1', 'mine'), 'mine');
    renameSync(directory, join(work, 't4-1'));
    const moved = await collect();
    expect(moved.map(({ action }) => action)).toEqual(['kept', 'kept', 'kept']);
    renameSync(join(work, 't4-1'), directory);
    // The facts of one worktree do not speak for another.
    mkdirSync(join(attempts, 't3-1'), { recursive: true });
    writeFileSync(
      join(attempts, 't3-1', 'worktree.json'),
      readFileSync(join(attempts, 't1-1', 'worktree.json')),
    );
    const verdicts = await collect();
    expect(verdicts.filter(({ action }) => action === 'removed')).toMatchObject([{ directory }]);
    expect([existsSync(join(precious, 'file')), existsSync(join(work, 't3-1', 'mine'))]).toEqual([
      true,
      true,
    ]);
  });

  it('and an attempt that starts at the same time do not hurt each other', async () => {
    for (let round = 0; round < 3; round += 1) {
      await finished();
      const [verdicts, opened] = await Promise.all([
        collect(),
        sleep(round * 10).then(() => fleet.open({ repo })),
      ]);
      expect(existsSync(join(opened.directory, '.git'))).toBe(true);
      expect(filesIn(opened.directory)).toMatchObject({ 'b.txt': expect.any(String) });
      expect(verdicts).toHaveLength(1);
      await opened.snapshot();
      opened.close();
    }
  });

  it('removes what a killed preparation left', async () => {
    const { directory } = await finished();
    renameSync(directory, `${directory}.new`);
    expect(await collect({ dryRun: true })).toMatchObject([{ action: 'would-remove' }]);
    expect(await collect()).toMatchObject([{ directory: `${directory}.new`, action: 'removed' }]);
  });
});

function stash(directory: string): void {
  writeFiles(directory, { 'a.txt': 'stashed\n' });
  fleet.git(directory, 'stash', '-q');
}

function commitElsewhere(directory: string): void {
  const tree = fleet.git(directory, 'hash-object', '-w', '-t', 'tree', '/dev/null');
  const commit = fleet.git(directory, 'commit-tree', tree, '-m', 'side');
  fleet.git(directory, 'update-ref', 'refs/heads/side', commit);
}

describe('mirrors, set-ups and snapshots', () => {
  const longAgo = new Date(Date.now() - 40 * 86_400_000);
  const age = (path: string) => utimesSync(path, longAgo, longAgo);
  const isDone = () => true;
  const directoriesIn = (name: string) =>
    readdirSync(join(fleet.home.directory, name)).filter((each) => /^[0-9a-f]+$/.test(each));

  it('go when nothing has used them for long, and stay while a worktree needs them', async () => {
    const workspace = await finished();
    const [mirror = ''] = directoriesIn('mirrors');
    const setUp = join(fleet.home.directory, 'setups', 'abc123');
    mkdirSync(join(setUp, 'files'), { recursive: true });
    const fresh = join(fleet.home.directory, 'setups', 'def456');
    mkdirSync(fresh, { recursive: true });
    const stamp = join(fleet.home.directory, 'mirrors', `${mirror}.mirror.fetched`);
    for (const path of [setUp, stamp]) age(path);
    // The worktree is held by a process of its task.
    const held = await fleet.open({ repo, taskId: 't1' });
    age(stamp);
    expect((await collect({ isDone })).map(({ kind, action }) => `${kind} ${action}`)).toEqual([
      'worktree kept',
      'set-up removed',
    ]);
    expect(existsSync(fresh)).toBe(true);
    held.close();
    expect(existsSync(workspace.directory)).toBe(true);
    expect((await collect({ isDone, dryRun: true })).map(({ kind, action }) => `${kind} ${action}`)).toEqual([
      'worktree would-remove',
    ]);
    expect((await collect({ isDone })).map(({ kind, action }) => `${kind} ${action}`)).toEqual([
      'worktree removed',
      'mirror removed',
    ]);
    expect(directoriesIn('mirrors')).toEqual([]);
    // All of it is made again.
    expect((await fleet.open({ repo, taskId: 't2' })).isNew).toBe(true);
  });

  it('keep the work of tasks that are not done, and of worktrees that cannot be read', async () => {
    await finished('t1');
    await finished('t2');
    await collect({ isDone: (id) => id === 't1' });
    const [mirror = ''] = directoriesIn('mirrors');
    const directory = join(fleet.home.directory, 'mirrors', mirror);
    const refs = fleet.git(directory, 'for-each-ref', '--format=%(refname)', 'refs/robota/tasks');
    expect(refs).toContain('refs/robota/tasks/t2/1.1');
    expect(refs).not.toContain('refs/robota/tasks/t1/');
    age(join(fleet.home.directory, 'mirrors', `${mirror}.mirror.fetched`));
    mkdirSync(join(fleet.home.directory, 'work', 'strange'));
    await collect({ isDone });
    expect(fleet.git(directory, 'for-each-ref', 'refs/robota/tasks')).not.toBe('');
    rmSync(join(fleet.home.directory, 'work', 'strange'), { recursive: true });
    await collect({ isDone });
    expect(directoriesIn('mirrors')).toEqual([]);
  });
});

import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AttemptWorkspace, CommandOptions } from '../../contract/attempt-workspace.ts';
import { filesIn, TestFleet, writeFiles } from '../fixtures/repository.ts';
import { startWorker } from '../fixtures/worker.ts';

let fleet: TestFleet;
let repo: string;
let log: string;
beforeEach(() => {
  fleet = new TestFleet();
  log = join(fleet.root, 'runs');
  repo = fleet.repository({
    '.gitignore': 'node_modules\ndist\n.venv\n',
    'package-lock.json': '{"lock":1}\n',
    'a.js': 'a\n',
    'packages/p/p.js': 'p\n',
  });
});
afterEach(() => fleet.end());

const install = () =>
  `echo run >>${log}; mkdir -p node_modules/x/bin packages/p/node_modules/y; echo x >node_modules/x/index.js; chmod +x node_modules/x/index.js; ln -s ../index.js node_modules/x/bin/x; echo y >packages/p/node_modules/y/index.js; touch -d 2001-01-01 node_modules/x/index.js`;
const runs = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0);
const setUp = (workspace: AttemptWorkspace, command = install(), options: Partial<CommandOptions> = {}) =>
  workspace.setUp(command, { signal: new AbortController().signal, sandbox: false, ...options });
const caches = () => {
  const directory = join(fleet.home.directory, 'setups');
  return existsSync(directory)
    ? readdirSync(directory).filter((name) => !/\.(?:useless|lock)$/.test(name))
    : [];
};
const commit = (files: Parameters<typeof writeFiles>[1]) => {
  writeFiles(repo, files);
  fleet.git(repo, 'add', '-A');
  fleet.git(repo, 'commit', '-q', '-m', 'more');
};

describe('a set-up', () => {
  it('runs once for the same lock files, and later worktrees get its files with modes, links and times', async () => {
    const first = await fleet.open({ repo });
    expect(await setUp(first)).toMatchObject({ exitCode: 0 });
    expect(await setUp(first)).toBe('cached');
    commit({ 'a.js': 'changed\n' });
    const second = await fleet.open({ repo, taskId: 't2' });
    expect(await setUp(second)).toBe('cached');
    expect(runs()).toBe(1);
    const expected = { ...filesIn(first.directory), 'a.js': filesIn(second.directory)['a.js'] };
    expect(filesIn(second.directory)).toEqual(expected);
    expect(statSync(join(second.directory, 'node_modules/x/index.js')).mtime.getUTCFullYear()).toBeLessThan(
      2002,
    );
    expect(await second.snapshot()).toBe(fleet.git(repo, 'rev-parse', 'HEAD^{tree}'));
  });

  it('runs again when a lock file, a manifest, the command or a script that it names changed', async () => {
    await setUp(await fleet.open({ repo }));
    commit({ 'package-lock.json': '{"lock":2}\n' });
    await setUp(await fleet.open({ repo, taskId: 't2' }));
    commit({ 'packages/p/package.json': '{}\n' });
    await setUp(await fleet.open({ repo, taskId: 't3' }));
    await setUp(await fleet.open({ repo, taskId: 't4' }), `${install()}; true`);
    expect(runs()).toBe(4);
    const script = `./make.sh`;
    commit({ 'make.sh': { run: `#!/bin/sh\n${install()}\n` } });
    await setUp(await fleet.open({ repo, taskId: 't5' }), script);
    commit({ 'make.sh': `#!/bin/sh\n${install()}\n#\n` });
    await setUp(await fleet.open({ repo, taskId: 't6' }), script);
    expect(runs()).toBe(6);
  });

  it('shares no file between worktrees and cache: one that an agent overwrites is old in the next', async () => {
    const first = await fleet.open({ repo });
    await setUp(first);
    appendFileSync(join(first.directory, 'node_modules/x/index.js'), 'changed by the agent');
    const second = await fleet.open({ repo, taskId: 't2' });
    await setUp(second);
    appendFileSync(join(second.directory, 'node_modules/x/index.js'), 'changed too');
    const third = await fleet.open({ repo, taskId: 't3' });
    expect(await setUp(third)).toBe('cached');
    expect(readFileSync(join(third.directory, 'node_modules/x/index.js'), 'utf8')).toBe('x\n');
  });

  it('that builds something from the files counts for exactly these files', async () => {
    const build = `${install()}; mkdir dist; cp a.js dist/out.js`;
    await setUp(await fleet.open({ repo }), build);
    expect(await setUp(await fleet.open({ repo, taskId: 't2' }), build)).toBe('cached');
    commit({ 'a.js': 'newer\n' });
    const third = await fleet.open({ repo, taskId: 't3' });
    expect(await setUp(third, build)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(third.directory, 'dist/out.js'), 'utf8')).toBe('newer\n');
  });

  it('that fails leaves no cache and no file', async () => {
    const workspace = await fleet.open({ repo });
    const before = filesIn(workspace.directory);
    const result = await setUp(workspace, `${install()}; echo new >new.txt; echo changed >a.js; exit 7`);
    expect(result).toMatchObject({ exitCode: 7 });
    expect(filesIn(workspace.directory)).toEqual(before);
    expect(caches()).toEqual([]);
    expect(await setUp(workspace)).toMatchObject({ exitCode: 0 });
  });

  it('that is killed with its process leaves no cache, and what it left is removed before the next', async () => {
    const command = `${install()}; echo half >node_modules/half; sleep 600`;
    const worker = await startWorker(fleet, {
      request: { repo, taskId: 't1', attempt: 1 },
      setUp: { command },
    });
    const half = join(fleet.home.directory, 'work', 't1-1', 'node_modules', 'half');
    while (!existsSync(half)) await sleep(20);
    worker.kill('SIGKILL');
    await new Promise((resolve) => worker.once('close', resolve));
    expect(caches()).toEqual([]);
    const workspace = await fleet.open({ repo });
    expect(await setUp(workspace, 'mkdir -p node_modules/z; ls node_modules')).toMatchObject({
      exitCode: 0,
      tail: 'z',
    });
  });

  it('does not use a damaged cache, and runs instead', async () => {
    await setUp(await fleet.open({ repo }));
    const [key = ''] = caches();
    const entries = join(fleet.home.directory, 'setups', key, 'entries.json');
    for (const [index, damaged] of ['', '{}', '["node_modules",1]'].entries()) {
      writeFileSync(entries, damaged);
      const workspace = await fleet.open({ repo, taskId: `d${index}` });
      expect(await setUp(workspace)).toMatchObject({ exitCode: 0 });
      expect(existsSync(join(workspace.directory, 'packages/p/node_modules/y'))).toBe(true);
    }
    expect(runs()).toBe(4);
  });

  it('fails where its state is damaged, since half-made files could not be told apart', async () => {
    const workspace = await fleet.open({ repo });
    await setUp(workspace);
    const state = join(fleet.home.directory, 'attempts', 't1-1', 'set-up.json');
    for (const damaged of [
      '',
      '{"command":"x","isDone":false}',
      '{"command":"x","isDone":false,"before":[1]}',
    ]) {
      writeFileSync(state, damaged);
      const before = filesIn(workspace.directory);
      await expect(setUp(workspace)).rejects.toThrow('set-up.json is damaged');
      expect(filesIn(workspace.directory)).toEqual(before);
    }
    expect(runs()).toBe(1);
  });

  it('runs once when many worktrees need it at the same time', async () => {
    const opened = await Promise.all([1, 2, 3, 4].map((each) => fleet.open({ repo, taskId: `p${each}` })));
    const results = await Promise.all(opened.map((workspace) => setUp(workspace, `${install()}; sleep 0.2`)));
    expect(runs()).toBe(1);
    expect(results.filter((result) => result === 'cached')).toHaveLength(3);
  });

  it.each([
    [
      'names its directory in a file',
      'mkdir .venv; echo "home = $PWD" >.venv/pyvenv.cfg',
      /pyvenv.cfg names its directory/,
    ],
    ['links to its directory', 'mkdir .venv; ln -s "$PWD/a.js" .venv/a', /.venv\/a names its directory/],
    [
      'changes files of the repository',
      'mkdir node_modules; echo new >>a.js',
      /changed files of the repository, such as a.js/,
    ],
  ])('that %s runs for each attempt, and says why', async (_, command, note) => {
    const first = await fleet.open({ repo });
    await setUp(first, command);
    expect(first.notes.join()).toMatch(note);
    expect(caches()).toEqual([]);
    expect(await setUp(await fleet.open({ repo, taskId: 't2' }), command)).toMatchObject({ exitCode: 0 });
  });

  it('says which of its files are part of the result', async () => {
    const workspace = await fleet.open({ repo });
    await setUp(workspace, 'echo x >generated.txt');
    expect(workspace.notes.join()).toContain('generated.txt');
  });

  it('hands no secret of its environment to the agent', async () => {
    const env = { NPM_TOKEN: 'npm_0123456789abcdef' };
    const careful = await fleet.open({ repo });
    expect(await setUp(careful, `${install()}; test -n "$NPM_TOKEN"`, { env })).toMatchObject({
      exitCode: 0,
    });
    const check = await careful.run('echo "[$NPM_TOKEN]"', {
      signal: new AbortController().signal,
      sandbox: false,
    });
    expect(check.tail).toBe('[]');
    const careless = await fleet.open({ repo, taskId: 't2' });
    const command = 'mkdir node_modules; echo "//registry/:_authToken=$NPM_TOKEN" >node_modules/.npmrc';
    await expect(setUp(careless, command, { env })).rejects.toMatchObject({
      reason: { code: 'setup-failed', message: expect.stringContaining('node_modules/.npmrc') },
    });
    expect(existsSync(join(careless.directory, 'node_modules'))).toBe(false);
  });

  it('hands no secret of the worker to the agent', async () => {
    vi.stubEnv('GH_TOKEN', 'ghp_0123456789abcdef');
    try {
      const workspace = await fleet.open({ repo });
      await expect(setUp(workspace, 'env >all.txt')).rejects.toMatchObject({
        reason: { code: 'setup-failed', message: expect.stringContaining('all.txt') },
      });
      expect(existsSync(join(workspace.directory, 'all.txt'))).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('puts nothing through a link that a later commit has in place of a directory', async () => {
    await setUp(await fleet.open({ repo }));
    const outside = join(fleet.root, 'outside');
    rmSync(join(repo, 'packages/p'), { recursive: true });
    fleet.git(fleet.root, 'init', '-q', 'outside');
    symlinkSync(outside, join(repo, 'packages/p'));
    fleet.git(repo, 'add', '-A');
    fleet.git(repo, 'commit', '-q', '-m', 'link');
    writeFileSync(join(outside, 'mine'), 'mine');
    const second = await fleet.open({ repo, taskId: 't2' });
    expect(await setUp(second)).toBe('cached');
    expect(Object.keys(filesIn(outside))).toEqual(['mine']);
    expect(existsSync(join(second.directory, 'node_modules/x/index.js'))).toBe(true);
  });
});

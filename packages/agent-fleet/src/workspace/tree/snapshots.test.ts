import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LostLeaseError } from '../../contract/database.ts';
import { type Files, filesIn, TestFleet, writeFiles } from '../fixtures/repository.ts';

let fleet: TestFleet;
beforeEach(() => {
  fleet = new TestFleet();
});
afterEach(() => fleet.end());

const part = fc.constantFrom(
  'a',
  'b',
  'c.txt',
  'new\nline',
  '-x',
  ' ',
  'ä',
  '"q"',
  'git~1',
  '*',
  ':(top)',
  'A',
  '\\',
  '.github',
);
const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const content = fc.oneof(
  fc.constantFrom('', 'one\n', 'one\r\ntwo\n', '\0\u0001binary', 'x'.repeat(3000)),
  fc.uint8Array({ maxLength: 40 }),
  fc.record({ run: fc.constantFrom('#!/bin/sh\n', '') }),
  fc.record({ link: fc.constantFrom('a', '../..', 'nowhere', '/etc/hosts') }),
);
const files: fc.Arbitrary<Files> = fc.dictionary(path, content, { maxKeys: 8 }).map(withoutCollisions);

describe('snapshots', () => {
  it('give back the same files for any names, contents, links and modes, as git itself does', async () => {
    const repo = fleet.repository({ '.gitignore': 'ignored\n', 'base.txt': 'base\n' });
    const workspace = await fleet.open({ repo });
    await fc.assert(
      fc.asyncProperty(files, files, async (one, other) => {
        replaceFiles(workspace.directory, one);
        const before = filesIn(workspace.directory);
        const tree = await workspace.snapshot();
        expect(tree).toBe(treeByGit(workspace.directory));
        replaceFiles(workspace.directory, other);
        const after = filesIn(workspace.directory);
        const second = await workspace.snapshot();
        await workspace.restore(tree);
        expect(filesIn(workspace.directory)).toEqual(before);
        await workspace.restore(second);
        expect(filesIn(workspace.directory)).toEqual(after);
      }),
      { numRuns: 15 },
    );
    // Their commits are written without git.
    const mirror = join(workspace.readable[0] ?? '', '..');
    expect(fleet.git(mirror, 'log', '-1', '--format=%an|%s', 'refs/robota/tasks/t1/1.1')).toMatch(
      /^Robota\|Snapshot 1 of task t1, attempt 1, worktree \S+$/,
    );
  });

  it('hold untracked files, not ignored ones, and leave index, stash and branches of the agent alone', async () => {
    const repo = fleet.repository({ '.gitignore': 'node_modules\n', 'a.txt': 'one\n' });
    const workspace = await fleet.open({ repo });
    const { directory } = workspace;
    writeFiles(directory, { 'a.txt': 'two\n', 'new.txt': 'n\n', 'node_modules/x': 'x\n' });
    fleet.git(directory, 'add', 'a.txt');
    const own = filesIn(join(directory, '.git'));
    const tree = await workspace.snapshot();
    expect(filesIn(join(directory, '.git'))).toEqual(own);
    expect(fleet.git(mirrorOf(workspace), 'ls-tree', '-r', '--name-only', tree).split('\n')).toEqual([
      '.gitignore',
      'a.txt',
      'new.txt',
    ]);
    expect(
      fleet.git(mirrorOf(workspace), 'for-each-ref', '--format=%(refname)', 'refs/robota/tasks').split('\n'),
    ).toEqual(['refs/robota/tasks/t1/1.0', 'refs/robota/tasks/t1/1.1']);
    await workspace.restore(tree);
    expect(filesIn(directory)['node_modules/x']).toBeDefined();
  });

  it('are taken once for the same files, and hold an empty tree', async () => {
    const workspace = await fleet.open({ repo: fleet.repository() });
    const base = await workspace.snapshot();
    rmSync(join(workspace.directory, 'a.txt'));
    const empty = await workspace.snapshot();
    expect(empty).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
    expect(await workspace.snapshot()).toBe(empty);
    await workspace.restore(base);
    expect(Object.keys(filesIn(workspace.directory))).toEqual(['a.txt']);
    await workspace.restore(empty);
    expect(filesIn(workspace.directory)).toEqual({});
  });

  it('keep submodules by their commit, and say so', async () => {
    const inner = fleet.repository({ 'i.txt': 'i\n' }, 'inner');
    const repo = fleet.repository();
    fleet.git(repo, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    fleet.git(repo, 'commit', '-q', '-m', 'submodule');
    const workspace = await fleet.open({ repo });
    const { directory } = workspace;
    const base = fleet.git(repo, 'rev-parse', 'HEAD^{tree}');
    expect(await workspace.snapshot()).toBe(base);
    fleet.git(directory, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
    writeFiles(directory, { 'sub/i.txt': 'changed\n' });
    expect(await workspace.snapshot()).toBe(base);
    fleet.git(join(directory, 'sub'), 'commit', '-q', '-a', '-m', 'moved');
    const moved = await workspace.snapshot();
    const link = fleet.git(join(directory, 'sub'), 'rev-parse', 'HEAD');
    expect(fleet.git(mirrorOf(workspace), 'ls-tree', moved, 'sub')).toContain(`160000 commit ${link}`);
    expect(workspace.notes.join()).toContain('"sub"');
  });

  it('name files over 50 MB, and those that git cannot store', async () => {
    const workspace = await fleet.open({ repo: fleet.repository() });
    writeFileSync(join(workspace.directory, 'large.bin'), Buffer.alloc(50 * 1024 * 1024 + 1));
    mkdirSync(join(workspace.directory, 'x/.GIT'), { recursive: true });
    writeFiles(workspace.directory, { 'x/.GIT/config': 'no\n', 'x/ok': 'ok\n' });
    execFileSync('sh', ['-c', 'mkfifo pipe'], { cwd: workspace.directory });
    await workspace.snapshot();
    expect(workspace.notes.join('\n')).toMatch(/Files larger than 50 MB: "large.bin"/);
    expect(workspace.notes.join('\n')).toMatch(/cannot read or store them: "x\/.GIT\/config"/);
    expect(fleet.git(mirrorOf(workspace), 'ls-tree', '-r', '--name-only', 'refs/robota/tasks/t1/1.1')).toBe(
      'a.txt\nlarge.bin\nx/ok',
    );
  });

  it('name unreadable files, and hold the others', async () => {
    const repo = fleet.repository();
    fleet.restrictGit();
    const workspace = await fleet.open({ repo });
    writeFiles(workspace.directory, { secret: 's\n', other: 'o\n' });
    chmodSync(join(workspace.directory, 'secret'), 0);
    await workspace.snapshot();
    expect(workspace.notes.join()).toContain('"secret"');
  });

  it('are not kept once the lease is lost, before or while it is written', async () => {
    const lost = new LostLeaseError({ taskId: 't1', worker: 'w', epoch: 1 });
    const repo = fleet.repository();
    for (const lostAt of [1, 2]) {
      let asked = 0;
      const assertLease = async () => {
        asked += 1;
        if (asked >= lostAt) throw lost;
      };
      const taskId = `lost${lostAt}`;
      const workspace = await fleet.open({ repo, taskId, assertLease });
      writeFiles(workspace.directory, { 'b.txt': 'b\n' });
      await expect(workspace.snapshot()).rejects.toBe(lost);
      const refs = fleet.git(
        mirrorOf(workspace),
        'for-each-ref',
        '--format=%(refname)',
        `refs/robota/tasks/${taskId}`,
      );
      expect(refs).toBe(`refs/robota/tasks/${taskId}/1.0`);
    }
  });

  it('survive a git that was killed while it wrote the index', async () => {
    const workspace = await fleet.open({ repo: fleet.repository() });
    writeFileSync(join(fleet.home.directory, 'attempts', 't1-1', 'index.lock'), '');
    writeFiles(workspace.directory, { 'b.txt': 'b\n' });
    expect(await workspace.snapshot()).toBe(treeByGit(workspace.directory));
  });

  it('are kept in spite of an old lock file in the mirror, but not of a fresh one', async () => {
    const workspace = await fleet.open({ repo: fleet.repository() });
    const lock = join(mirrorOf(workspace), 'refs/robota/tasks/t1/1.1.lock');
    writeFiles(workspace.directory, { 'b.txt': 'b\n' });
    writeFileSync(lock, '');
    await expect(workspace.snapshot()).rejects.toThrow(/lock/);
    utimesSync(lock, new Date(0), new Date(0));
    expect(await workspace.snapshot()).toBe(treeByGit(workspace.directory));
  });

  it('tell what changed since one', async () => {
    const workspace = await fleet.open({ repo: fleet.repository() });
    const tree = await workspace.snapshot();
    expect(await workspace.difference(tree)).toBe('');
    writeFiles(workspace.directory, { 'a.txt': 'two\n', 'b.txt': 'b\n' });
    const text = await workspace.difference(tree);
    expect(text).toContain('-one\n+two');
    expect(text).toContain('+++ b/b.txt');
  });
});

function mirrorOf({ readable }: { readonly readable: readonly string[] }): string {
  return join(readable[0] ?? '', '..');
}

function replaceFiles(directory: string, all: Files): void {
  for (const name of Object.keys(filesIn(directory)))
    rmSync(join(directory, name.split('/')[0] ?? ''), { recursive: true, force: true });
  writeFiles(directory, { '.gitignore': 'ignored\n', ...all });
}

/** The tree that plain `git add` makes of the same files. */
function treeByGit(directory: string): string {
  const settings = ['-c', 'core.protectNTFS=false', '-c', 'core.autocrlf=false'];
  const env = { ...fleet.env, GIT_INDEX_FILE: join(fleet.root, 'other-index') };
  rmSync(env.GIT_INDEX_FILE, { force: true });
  execFileSync('git', [...settings, 'add', '-A'], { cwd: directory, env, stdio: 'ignore' });
  return execFileSync('git', [...settings, 'write-tree'], { cwd: directory, env, encoding: 'utf8' }).trim();
}

/** A path cannot be a file and a directory. */
function withoutCollisions(all: Files): Files {
  const paths = Object.keys(all);
  return Object.fromEntries(
    Object.entries(all).filter(
      ([one]) => !paths.some((other) => other !== one && other.startsWith(`${one}/`)),
    ),
  );
}

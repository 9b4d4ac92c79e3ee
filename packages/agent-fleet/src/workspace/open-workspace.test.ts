import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesIn, TestFleet, writeFiles } from './fixtures/repository.ts';

let fleet: TestFleet;
beforeEach(() => {
  fleet = new TestFleet();
});
afterEach(() => fleet.end());

describe('a workspace', () => {
  it('has the files of the commit, and says that uncommitted changes of the user are not in it', async () => {
    const repo = fleet.repository({
      'a.txt': 'one\n',
      'bin/run': { run: '#!/bin/sh\n' },
      link: { link: 'a.txt' },
    });
    const committed = filesIn(repo);
    writeFiles(repo, { 'a.txt': 'changed\n' });
    const workspace = await fleet.open({ repo });
    expect(workspace.directory).toBe(join(fleet.home.directory, 'work', 't1-1'));
    expect(filesIn(workspace.directory)).toEqual(committed);
    expect(workspace.notes.join()).toContain('not committed');
    fleet.git(repo, 'checkout', '-q', '--', '.');
    expect((await fleet.open({ repo, taskId: 't2' })).notes).toEqual([]);
    expect(workspace.baseCommit).toBe(fleet.git(repo, 'rev-parse', 'HEAD'));
    expect(fleet.git(workspace.directory, 'status', '--porcelain')).toBe('');
    expect(fleet.git(workspace.directory, 'log', '--format=%s')).toBe('first');
  });

  it('leaves the repository of the user as it is, byte by byte, while an agent commits, stashes and tags', async () => {
    const repo = fleet.repository();
    const before = stateOf(repo);
    const workspace = await fleet.open({ repo });
    writeFiles(workspace.directory, { 'b.txt': 'new\n' });
    fleet.git(workspace.directory, 'add', '-A');
    fleet.git(workspace.directory, 'commit', '-q', '-m', 'of the agent');
    fleet.git(workspace.directory, 'tag', 'v1');
    writeFiles(workspace.directory, { 'b.txt': 'newer\n' });
    fleet.git(workspace.directory, 'stash');
    await workspace.snapshot();
    expect(stateOf(repo)).toEqual(before);
    const mirrored = fleet.git(join(fleet.home.directory, 'work', 't1-1'), 'for-each-ref');
    expect(mirrored).toContain('refs/tags/v1');
    const other = await fleet.open({ repo, taskId: 't2' });
    expect(fleet.git(other.directory, 'for-each-ref')).not.toMatch(/v1|stash/);
  });

  it('is found again with all its files, and keeps its base when the branch moves on', async () => {
    const repo = fleet.repository();
    const first = await fleet.open({ repo });
    writeFiles(first.directory, { 'b.txt': 'kept\n' });
    first.close();
    writeFiles(repo, { 'c.txt': 'later\n' });
    fleet.git(repo, 'add', '-A');
    fleet.git(repo, 'commit', '-q', '-m', 'second');
    const again = await fleet.open({ repo });
    expect([again.isNew, again.baseCommit]).toEqual([false, first.baseCommit]);
    expect(filesIn(again.directory)).toEqual(filesIn(first.directory));
    rmSync(again.directory, { recursive: true });
    again.close();
    const fresh = await fleet.open({ repo });
    expect([fresh.isNew, fresh.baseCommit]).toEqual([true, first.baseCommit]);
    const nextAttempt = await fleet.open({ repo, attempt: 2 });
    expect(nextAttempt.baseCommit).toBe(first.baseCommit);
    const nextTask = await fleet.open({ repo, taskId: 't2' });
    expect(nextTask.baseCommit).toBe(fleet.git(repo, 'rev-parse', 'HEAD'));
  });

  it('is made from the last snapshot when its directory is gone, with the work as changes of the base', async () => {
    const repo = fleet.repository();
    const first = await fleet.open({ repo });
    writeFiles(first.directory, { 'a.txt': 'two\n', 'new/b.txt': 'b\n' });
    const tree = await first.snapshot();
    first.close();
    rmSync(first.directory, { recursive: true });
    const fresh = await fleet.open({ repo, tree });
    expect(filesIn(fresh.directory)).toEqual({ 'a.txt': hex('two\n'), 'new/b.txt': hex('b\n') });
    expect(fleet.git(fresh.directory, 'status', '--porcelain', '-uall')).toBe(' M a.txt\n?? new/b.txt');
    expect(await fresh.snapshot()).toBe(tree);
  });

  it('starts from a branch, a tag or a commit by name, and names what is missing', async () => {
    const repo = fleet.repository();
    const first = fleet.git(repo, 'rev-parse', 'HEAD');
    fleet.git(repo, 'tag', '-a', 'v1', '-m', 'one');
    fleet.git(repo, 'checkout', '-q', '-b', 'feature/x');
    fleet.git(repo, 'commit', '-q', '--allow-empty', '-m', 'second');
    const second = fleet.git(repo, 'rev-parse', 'HEAD');
    fleet.git(repo, 'checkout', '-q', 'main');
    const bases = { 'feature/x': second, v1: first, [second.slice(0, 10)]: second, [first]: first };
    for (const [index, [base, commit]] of Object.entries(bases).entries())
      expect((await fleet.open({ repo, base, taskId: `b${index}` })).baseCommit).toBe(commit);
    await expect(fleet.open({ repo, base: 'nope', taskId: 'b9' })).rejects.toMatchObject({
      reason: { code: 'repository', message: expect.stringContaining('no branch, tag or commit "nope"') },
    });
  });

  it('gets another directory while a live process has the first, and after newer snapshots made that one stale', async () => {
    const repo = fleet.repository();
    const first = await fleet.open({ repo });
    writeFiles(first.directory, { 'b.txt': '1\n' });
    await first.snapshot();
    first.close();
    const lock = join(fleet.home.directory, 'attempts', 't1-1.worktree.lock');
    const holder = execFileSync('sh', ['-c', 'sleep 60 >/dev/null 2>&1 & echo $!'], {
      encoding: 'utf8',
    }).trim();
    const { hostname } = await import('node:os');
    writeFileSync(lock, JSON.stringify({ pid: Number(holder), host: hostname(), since: 'now' }));
    const second = await fleet.open({ repo });
    expect(second.directory).toBe(`${first.directory}.2`);
    expect(filesIn(second.directory)).toEqual(filesIn(first.directory));
    writeFiles(second.directory, { 'b.txt': '2\n' });
    const tree = await second.snapshot();
    process.kill(Number(holder));
    rmSync(second.directory, { recursive: true });
    second.close();
    rmSync(lock, { force: true });
    const third = await fleet.open({ repo, tree });
    expect(third.directory).not.toBe(first.directory);
    expect(readFileSync(join(third.directory, 'b.txt'), 'utf8')).toBe('2\n');
  });

  it('is never made through a link that has its name', async () => {
    const repo = fleet.repository();
    const elsewhere = fleet.repository({ 'mine.txt': 'mine\n' }, 'elsewhere');
    const first = await fleet.open({ repo });
    first.close();
    rmSync(first.directory, { recursive: true });
    symlinkSync(elsewhere, first.directory);
    const fresh = await fleet.open({ repo });
    expect(fresh.directory).toBe(`${first.directory}.2`);
    expect(filesIn(elsewhere)).toEqual({ 'mine.txt': hex('mine\n') });
  });

  it('works from a server, a shallow clone, a linked worktree, a subdirectory and a SHA-256 repository', async () => {
    const server = fleet.server({ 'a/b.txt': 'x\n' });
    const repo = fleet.repository({ 'a/b.txt': 'x\n' });
    fleet.git(repo, 'commit', '-q', '--allow-empty', '-m', 'second');
    const at = (name: string) => join(fleet.root, name);
    fleet.git(fleet.root, 'clone', '-q', '--depth=1', `file://${repo}`, 'shallow');
    fleet.git(repo, 'worktree', 'add', '-q', at('linked'));
    fleet.git(fleet.root, 'init', '-q', '--object-format=sha256', 'sha256');
    writeFiles(at('sha256'), { 'a/b.txt': 'x\n' });
    fleet.git(at('sha256'), 'add', '-A');
    fleet.git(at('sha256'), 'commit', '-q', '-m', 'first');
    const sources = [server.url, at('shallow'), at('linked'), join(repo, 'a'), at('sha256')];
    for (const [index, source] of sources.entries()) {
      const workspace = await fleet.open({ repo: source, taskId: `s${index}` });
      expect(filesIn(workspace.directory)).toEqual({ 'a/b.txt': hex('x\n') });
      writeFiles(workspace.directory, { 'a/b.txt': 'y\n' });
      const tree = await workspace.snapshot();
      await workspace.restore(`${workspace.baseCommit}^{tree}`);
      expect(filesIn(workspace.directory)).toEqual({ 'a/b.txt': hex('x\n') });
      await workspace.restore(tree);
      expect(filesIn(workspace.directory)).toEqual({ 'a/b.txt': hex('y\n') });
      expect(fleet.git(workspace.directory, 'log', '-1', '--format=%H')).toBe(workspace.baseCommit);
    }
  });

  it.each([
    ['a directory without a repository', (root: string) => root, /not a git repository/],
    ['a missing directory', (root: string) => join(root, 'gone'), /does not exist/],
    ['a program in place of a URL', () => 'ext::sh -c "touch /tmp/x"', /Not a repository/],
    ['an option in place of a URL', () => '--upload-pack=touch /tmp/x', /Not a repository/],
    ['a server that is not there', (root: string) => `ssh://server${root}/none.git`, /git fetch failed/],
  ])('says what is wrong with %s', async (_, repo, message) => {
    await expect(fleet.open({ repo: repo(fleet.root) })).rejects.toMatchObject({
      reason: { code: 'repository', message: expect.stringMatching(message) },
    });
  });

  it('says that a repository has no commits', async () => {
    fleet.git(fleet.root, 'init', '-q', 'empty');
    await expect(fleet.open({ repo: join(fleet.root, 'empty') })).rejects.toThrow(/no commits yet/);
  });

  it.each(['../x', 'a/b', '.x', '', 'a b', '-x'])('refuses %j as the id of a task', async (taskId) => {
    await expect(fleet.open({ repo: fleet.repository(), taskId })).rejects.toThrow(/Not an id/);
  });

  it('makes one mirror for many attempts at once', async () => {
    const repo = fleet.repository();
    const opened = await Promise.all(
      Array.from({ length: 8 }, (_, index) => fleet.open({ repo, taskId: `p${index}` })),
    );
    expect(new Set(opened.map(({ directory }) => directory)).size).toBe(8);
    expect(new Set(opened.map(({ readable }) => readable[0])).size).toBe(1);
  });

  it("starts no program that the repository, the user's repository or the agent names", async () => {
    const repo = fleet.repository({ '.gitattributes': '*.txt filter=evil diff=evil\n', 'a.txt': 'one\n' });
    const mark = join(fleet.root, 'ran');
    const program = join(fleet.root, 'evil');
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >>${mark}\ncat\n`);
    chmodSync(program, 0o755);
    const plant = (gitDirectory: string) => {
      const config = `[filter "evil"]\n\tclean = ${program}\n\tsmudge = ${program}\n\tprocess = ${program}\n[core]\n\tfsmonitor = ${program}\n\thooksPath = ${fleet.root}\n\tsshCommand = ${program}\n[diff "evil"]\n\ttextconv = ${program}\n\tcommand = ${program}\n`;
      writeFileSync(join(gitDirectory, 'config'), config, { flag: 'a' });
      for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-commit'])
        writeFiles(gitDirectory, { [`hooks/${hook}`]: { run: `#!/bin/sh\n${program}\n` } });
    };
    plant(join(repo, '.git'));
    const workspace = await fleet.open({ repo });
    plant(join(workspace.directory, '.git'));
    fleet.git(fleet.root, 'init', '-q', join(workspace.directory, 'inner'));
    writeFiles(workspace.directory, {
      'a.txt': 'two\n',
      'inner/.gitattributes': '* filter=evil\n',
      'inner/b.txt': 'x\n',
    });
    const inner = join(workspace.directory, 'inner');
    fleet.git(inner, 'add', '-A');
    fleet.git(inner, 'commit', '-q', '-m', 'inner');
    plant(join(inner, '.git'));
    writeFiles(inner, { 'b.txt': 'y\n' });
    const tree = await workspace.snapshot();
    writeFiles(inner, { 'b.txt': 'z\n' });
    writeFiles(workspace.directory, { 'a.txt': 'three\n' });
    await workspace.difference(tree);
    await workspace.restore(tree);
    await workspace.deliver({
      kind: 'branch',
      branch: 'robota/t1',
      title: 't',
      body: '',
      assertLease: async () => {},
    });
    expect(existsSync(mark) ? readFileSync(mark, 'utf8') : '').toBe('');
    expect(workspace.notes.join()).toContain('"inner"');
  });

  it("obeys filters of the user's own configuration", async () => {
    const repo = fleet.repository({ '.gitattributes': '*.txt filter=upper\n', 'a.txt': 'one\n' });
    const config = join(fleet.env['HOME'] ?? '', '.gitconfig');
    writeFileSync(config, '[filter "upper"]\n\tsmudge = tr a-z A-Z\n\tclean = tr A-Z a-z\n', { flag: 'a' });
    const workspace = await fleet.open({ repo });
    expect(readFileSync(join(workspace.directory, 'a.txt'), 'utf8')).toBe('ONE\n');
    const base = fleet.git(repo, 'rev-parse', 'HEAD^{tree}');
    expect(await workspace.snapshot()).toBe(base);
  });

  it('is private to the user', async () => {
    const { directory } = await fleet.open({ repo: fleet.repository() });
    expect(statSync(directory).mode & 0o077).toBe(0);
  });
});

function hex(text: string): string {
  return `file ${Buffer.from(text).toString('hex')}`;
}

/** Every file of a repository except the times in it. */
function stateOf(repo: string): Record<string, string> {
  return { ...filesIn(join(repo, '.git')), ...filesIn(repo) };
}

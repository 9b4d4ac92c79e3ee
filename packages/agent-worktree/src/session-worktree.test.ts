import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SessionWorktree } from './session-worktree.ts';

function repository() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'robota-worktree-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const cwd = join(base, 'repository');
  mkdirSync(cwd);
  const env = { PATH: process.env.PATH, HOME: base };
  writeFileSync(
    join(base, '.gitconfig'),
    '[user]\n name = Ada\n email = ada@example.com\n[init]\n defaultBranch = main\n',
  );
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  git('init', '-q');
  writeFileSync(join(cwd, 'a.txt'), 'one\n');
  writeFileSync(join(cwd, '.gitignore'), '.env\n/secrets/\nnode_modules/\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  // A hook of the repository would run at every checkout, commit and merge.
  for (const hook of ['post-checkout', 'pre-commit', 'post-merge']) {
    writeFileSync(join(cwd, '.git/hooks', hook), `#!/bin/sh\ntouch ${base}/hook-ran\n`);
    chmodSync(join(cwd, '.git/hooks', hook), 0o755);
  }
  const open = (name?: string) =>
    SessionWorktree.open({ cwd, home: join(base, 'data'), env, name, include: ['/.env'] });
  const end = async (session: SessionWorktree, choice: 'merge' | 'keep' | 'drop') =>
    session.end(choice, await session.work());
  return { base, cwd, git, open, end };
}

describe('SessionWorktree', () => {
  it('copies listed files that git ignores, which are no work of the session', async () => {
    const { base, cwd, git, open, end } = repository();
    writeFileSync(join(cwd, '.worktreeinclude'), 'secrets/*.key\na.txt\nplain.txt\n');
    for (const name of ['.env', 'plain.txt']) writeFileSync(join(cwd, name), name);
    mkdirSync(join(cwd, 'secrets'));
    writeFileSync(join(cwd, 'secrets/one.key'), 'key');
    writeFileSync(join(cwd, 'secrets/other'), 'other');
    const session = await open();
    const { path } = session.worktree;
    expect(session.name).toMatch(/^[a-z]+-[a-z]+-\d+$/);
    expect(path.startsWith(join(base, 'data/worktrees'))).toBe(true);
    expect([...session.copied].sort()).toEqual(['.env', 'secrets/one.key']);
    expect(readFileSync(join(path, '.env'), 'utf8')).toBe('.env');
    expect(await session.work()).toBeUndefined();
    writeFileSync(join(path, '.env'), 'changed');
    expect((await session.work())?.summary).toBe('1 that git ignores');
    writeFileSync(join(path, '.env'), '.env');
    expect(await end(session, 'drop')).toBe(`The worktree ${session.name} is removed.`);
    expect(existsSync(path)).toBe(false);
    expect(git('branch', '--list', 'robota/*')).toBe('');
    expect(existsSync(join(base, 'hook-ran'))).toBe(false);
  });

  it('copies nothing through links that a commit holds, nor through links of the repository', async () => {
    const { base, cwd, git, open } = repository();
    writeFileSync(join(cwd, '.gitignore'), '/d/settings.json\n/in/key\n/.env\n');
    writeFileSync(join(cwd, '.worktreeinclude'), 'd/settings.json\nin/key\n');
    // From the worktree this leads to the data folder.
    symlinkSync('../../..', join(cwd, 'd'));
    git('add', '.');
    git('commit', '-qm', 'a link');
    rmSync(join(cwd, 'd'));
    mkdirSync(join(cwd, 'd'));
    writeFileSync(join(cwd, 'd/settings.json'), '{"hooks":{}}');
    writeFileSync(join(base, 'outside'), 'key of another');
    mkdirSync(join(cwd, 'in'));
    symlinkSync('../../outside', join(cwd, 'in/key'));
    const session = await open('n1');
    expect(session.copied).toEqual([]);
    expect(existsSync(join(base, 'data/settings.json'))).toBe(false);
    expect(existsSync(join(session.worktree.path, 'in'))).toBe(false);
  });

  it('merges changes and commits into the branch of the repository, and is entered again where it was kept', async () => {
    const { base, cwd, git, open, end } = repository();
    const first = await open('fix');
    writeFileSync(join(first.worktree.path, 'b.txt'), 'two\n');
    expect(await end(first, 'keep')).toContain('Kept the worktree (1 changed file)');
    const again = await open('fix');
    expect([again.isNew, again.worktree.path]).toEqual([false, first.worktree.path]);
    expect(git('worktree', 'list', '--porcelain')).toContain(
      `locked robota session of process ${process.pid}`,
    );
    expect(await end(again, 'merge')).toBe(`Merged fix into main of ${cwd}, and removed the worktree.`);
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('two\n');
    expect(git('log', '-1', '--format=%s %an')).toBe('Work of the session in fix Ada\n');
    expect([existsSync(again.worktree.path), existsSync(join(base, 'hook-ran'))]).toEqual([false, false]);
  });

  it('keeps everything where a merge meets a conflict', async () => {
    const { cwd, git, open, end } = repository();
    const session = await open('fix');
    writeFileSync(join(session.worktree.path, 'a.txt'), 'theirs\n');
    writeFileSync(join(cwd, 'a.txt'), 'ours\n');
    git('commit', '-qam', 'ours', '--no-verify');
    const said = await end(session, 'merge');
    expect(said).toContain('The worktree fix is kept: it has conflicts with main in a.txt.');
    expect(said).toContain(`(1 commit)`);
    expect(said).toContain(`To merge it: git -C ${cwd} merge robota/fix`);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('ours\n');
    expect(git('status', '--porcelain')).toBe('');
    expect(readFileSync(join(session.worktree.path, 'a.txt'), 'utf8')).toBe('theirs\n');
  });

  it('leaves a merge alone that the user has begun', async () => {
    const { cwd, git, open, end } = repository();
    const session = await open('fix');
    writeFileSync(join(session.worktree.path, 'new.txt'), 'new\n');
    git('checkout', '-q', '-b', 'side');
    writeFileSync(join(cwd, 'a.txt'), 'side\n');
    git('commit', '-qam', 'side', '--no-verify');
    git('checkout', '-q', 'main');
    writeFileSync(join(cwd, 'a.txt'), 'ours\n');
    git('commit', '-qam', 'ours', '--no-verify');
    expect(() => git('merge', '-q', 'side')).toThrow();
    writeFileSync(join(cwd, 'a.txt'), 'half resolved\n');
    expect(await end(session, 'merge')).toContain(`kept: ${cwd} is in the middle of another merge.`);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('half resolved\n');
    expect(git('rev-parse', 'MERGE_HEAD')).toBe(git('rev-parse', 'side'));
  });

  it('shows new files with the command that it names', async () => {
    const { open, end } = repository();
    const session = await open('fix');
    writeFileSync(join(session.worktree.path, 'new.txt'), 'new\n');
    const [, see = ''] = /^To inspect it: (.*)$/m.exec(await end(session, 'keep')) ?? [];
    expect(execFileSync('sh', ['-c', see], { encoding: 'utf8' })).toContain('+new');
  });

  it('merges commits on its branch beside those on another one, but never without a branch to merge into', async () => {
    const { cwd, git, open, end } = repository();
    const session = await open('fix');
    const { path } = session.worktree;
    const inside = await session.worktree.git();
    const commit = async (name: string) => {
      writeFileSync(join(path, name), name);
      await inside(['add', '.']);
      await inside(['commit', '-qm', name]);
    };
    await commit('on-branch');
    await inside(['checkout', '-q', '-b', 'other', 'main']);
    await commit('on-other');
    git('checkout', '-q', '--detach');
    expect(await end(session, 'merge')).toContain('The worktree fix is kept: no branch is checked out in');
    git('checkout', '-q', 'main');
    expect(await end(await open('fix'), 'merge')).toContain('Merged fix into main');
    expect(['on-branch', 'on-other'].map((name) => existsSync(join(cwd, name)))).toEqual([true, true]);
  });

  it('names what is in the way of a new one', async () => {
    const { base, git, open, end } = repository();
    const session = await open('first');
    const folder = join(session.worktree.path, '..');
    await end(session, 'drop');
    mkdirSync(join(folder, 'folder'), { recursive: true });
    writeFileSync(join(folder, 'file'), '');
    for (const name of ['folder', 'file'])
      await expect(open(name)).rejects.toThrow(`${name} exists, but is not a worktree. Move it`);
    expect(folder.startsWith(base)).toBe(true);
    git('branch', 'robota/part/x');
    await expect(open('part')).rejects.toThrow(
      /part cannot be made: .*'refs\/heads\/robota\/part\/x' exists.* Try another name\./,
    );
  });

  it('names the commit of a dropped branch', async () => {
    const { git, open, end } = repository();
    const session = await open('fix');
    writeFileSync(join(session.worktree.path, 'a.txt'), 'changed\n');
    const inside = await session.worktree.git();
    await inside(['commit', '-qam', 'work']);
    const tip = (await inside(['rev-parse', 'HEAD'])).trim();
    expect(await end(session, 'drop')).toContain(`git branch robota/fix ${tip} brings it back`);
    expect(git('cat-file', '-t', tip)).toBe('commit\n');
  });

  it('is never removed while another process works in it or has locked it', async () => {
    const { git, open, end } = repository();
    const session = await open('fix');
    const { path } = session.worktree;
    if (process.platform === 'linux') {
      const other = spawn('sleep', ['600'], { cwd: path });
      onTestFinished(() => void other.kill());
      await expect.poll(() => session.inUse()).toContain(`process ${other.pid}`);
      expect(await end(session, 'drop')).toContain('The worktree fix is kept: sleep');
      const ended = new Promise((resolve) => other.once('close', resolve));
      other.kill();
      await ended;
    }
    await end(session, 'keep');
    git('worktree', 'lock', '--reason', 'on a stick', path);
    const locked = await open('fix');
    expect(await end(locked, 'drop')).toContain('is kept: it is locked: on a stick');
    expect(existsSync(join(path, 'a.txt'))).toBe(true);
  });

  it.each(['../x', 'a b', '-x', 'x.lock', 'fix the bug'])('refuses the name %j', async (name) => {
    await expect(repository().open(name)).rejects.toThrow('cannot be the name of a worktree');
  });
});

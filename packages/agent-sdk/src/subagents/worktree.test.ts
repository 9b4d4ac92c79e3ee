import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textOf } from '@robota-sdk/agent-core';
import type { ScriptedTurn } from '@robota-sdk/agent-testing';
import { agentBranch, Worktree } from '@robota-sdk/agent-worktree';
import { describe, expect, it } from 'vitest';
import { git, makeRepository } from '../fixtures/repository.ts';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';

function request({ cwd, home, host }: TestProject, more: { cwd?: string; agentId?: string } = {}) {
  const { env } = host;
  const { agentId = 'a1b2c3d4', ...rest } = more;
  const branch = agentBranch('My Agent!', agentId);
  return { cwd, home: join(home, '.robota'), name: agentId, branch, env, ...rest };
}

describe('Worktree', () => {
  it('is a copy on a branch of its own; nothing of the repository it comes from changes', async () => {
    const place = await makeRepository();
    await place.put('a.txt', 'staged\n');
    git(place.cwd, 'add', 'a.txt');
    await place.put('a.txt', 'unsaved\n');
    const before = git(place.cwd, 'status', '--porcelain');
    const worktree = await Worktree.open(request(place, { cwd: join(place.cwd, 'sub') }));
    expect(worktree.branch).toBe('robota/my-agent-a1b2c3d4');
    expect(worktree.path).toContain(join(place.home, '.robota', 'worktrees'));
    expect(worktree.cwd).toBe(join(worktree.path, 'sub'));
    expect(worktree.note).toContain('are not committed are not in it');
    expect(await readFile(join(worktree.path, 'a.txt'), 'utf8')).toBe('one\n');
    expect(git(place.cwd, 'status', '--porcelain')).toBe(before);
    expect(git(place.cwd, 'stash', 'list')).toBe('');
    expect(existsSync(join(place.home, 'hook-ran'))).toBe(false);
    expect(await worktree.finish()).toEqual({ kind: 'removed' });
    expect(existsSync(worktree.path)).toBe(false);
    expect(git(place.cwd, 'branch', '--list', '--format=%(refname:short)')).toBe('main\n');
    expect(git(place.cwd, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(git(place.cwd, 'status', '--porcelain')).toBe(before);
  });

  it('runs no filter that the repository defines, and leaves those of the user alone', async () => {
    const place = await makeRepository();
    const canary = join(place.home, 'filter-ran');
    const own = join(place.home, 'own-ran');
    await place.put(
      '.gitattributes',
      '*.evil filter=evil\n*.odd filter=a=b.c\n*.own filter=own\n*.lfs filter=own2\n',
    );
    for (const name of ['x.evil', 'x.odd', 'x.own', 'x.lfs']) await place.put(name, 'text\n');
    git(place.cwd, 'add', '-A');
    git(place.cwd, 'commit', '-qm', 'filtered');
    await place.put(
      '~/included',
      `[filter "a=b.c"]\n\tsmudge = "touch ${canary}-odd; cat"\n\trequired = true\n`,
    );
    git(place.cwd, 'config', 'include.path', join(place.home, 'included'));
    for (const kind of ['process', 'smudge', 'clean'])
      git(place.cwd, 'config', `filter.evil.${kind}`, `touch ${canary}-${kind}; cat`);
    // Over a filter that the user has as well.
    git(place.cwd, 'config', 'filter.own2.smudge', `touch ${canary}-over; cat`);
    await place.put(
      '~/.gitconfig',
      `[filter "own"]\n\tsmudge = "touch ${own}; cat"\n[filter "own2"]\n\tsmudge = cat\n`,
    );
    const env = { ...place.host.env, HOME: place.home };
    const worktree = await Worktree.open({ ...request(place), env });
    expect(await readFile(join(worktree.path, 'x.evil'), 'utf8')).toBe('text\n');
    expect(await worktree.finish()).toEqual({ kind: 'removed' });
    const ran = (await readdir(place.home)).filter((name) => name.startsWith('filter-ran'));
    expect(ran).toEqual([]);
    expect(existsSync(own)).toBe(true);
  });

  it('stays where something was made in it: a file, or a commit', async () => {
    const place = await makeRepository();
    const made = await Worktree.open(request(place));
    await writeFile(join(made.path, 'new.txt'), 'x');
    const kept = await made.finish();
    expect(kept).toMatchObject({ kind: 'kept', text: expect.stringContaining('(1 changed file)') });
    expect(kept).toMatchObject({ text: expect.stringContaining(`merge ${made.branch}`) });
    const committed = await Worktree.open(request(place, { agentId: 'ffff0000' }));
    await writeFile(join(committed.path, 'new.txt'), 'x');
    git(committed.path, 'add', '.');
    git(committed.path, 'commit', '-qm', 'work');
    expect(await committed.finish()).toMatchObject({ text: expect.stringContaining('(1 commit)') });
    const again = await Worktree.open(request(place));
    expect(again).toMatchObject({ path: made.path, base: made.base });
    await rm(committed.path, { recursive: true });
    const back = await Worktree.open(request(place, { agentId: 'ffff0000' }));
    expect(back).toMatchObject({ path: committed.path, branch: committed.branch, base: committed.base });
    expect(existsSync(join(back.path, 'new.txt'))).toBe(true);
  });

  it('stays where only what git ignores was made, and names commits beside the branch and what was stashed', async () => {
    const place = await makeRepository();
    await place.put('.gitignore', 'out/\n');
    git(place.cwd, 'add', '.');
    git(place.cwd, 'commit', '-qm', 'ignore');
    const ignoring = await Worktree.open(request(place));
    await mkdir(join(ignoring.path, 'out'));
    await writeFile(join(ignoring.path, 'out', 'result.txt'), 'x');
    expect(await ignoring.finish()).toMatchObject({ text: expect.stringContaining('(1 that git ignores)') });
    const detached = await Worktree.open(request(place, { agentId: 'ffff0000' }));
    git(detached.path, 'checkout', '-q', '--detach');
    git(detached.path, 'commit', '-q', '--allow-empty', '-m', 'beside');
    const head = git(detached.path, 'rev-parse', 'HEAD').slice(0, 12);
    const kept = await detached.finish();
    expect(kept).toMatchObject({ text: expect.stringContaining(`merge ${head}`) });
    expect(kept).toMatchObject({ text: expect.not.stringContaining(`merge ${detached.branch}`) });
    const stashing = await Worktree.open(request(place, { agentId: 'eeee0000' }));
    await writeFile(join(stashing.path, 'a.txt'), 'changed');
    git(stashing.path, 'stash');
    const left = await stashing.finish();
    expect(left).toMatchObject({ kind: 'kept', text: expect.stringContaining('(1 in the stash)') });
    expect(left).toMatchObject({
      text: expect.stringMatching(/stash of the repository: stash@\{0\} WIP on /),
    });
  });

  it('what was written into it cannot lead git elsewhere', async () => {
    const place = await makeRepository();
    const worktree = await Worktree.open(request(place));
    const trap = join(worktree.path, 'trap');
    git(worktree.path, 'init', '-q', trap);
    git(trap, 'config', 'core.fsmonitor', `touch '${place.home}/pwned'; true`);
    await writeFile(join(worktree.path, '.git'), `gitdir: ${join(trap, '.git')}\n`);
    expect(await worktree.finish()).toMatchObject({ kind: 'kept' });
    expect(existsSync(join(place.home, 'pwned'))).toBe(false);
  });

  it('without a repository or without a commit it says what to do', async () => {
    const place = await makeTestProject();
    await expect(Worktree.open(request(place))).rejects.toThrow('needs a git repository');
    git(place.cwd, 'init', '-q');
    await expect(Worktree.open(request(place))).rejects.toThrow('has no commit yet');
  });
});

describe('an agent with isolation: worktree', () => {
  const write = (turn: number): ScriptedTurn =>
    turn === 0
      ? { toolCalls: [{ name: 'Write', input: { file_path: 'made.txt', content: 'by the agent' } }] }
      : { text: 'written' };

  it('works in its own copy, is judged there, and names what it left', async () => {
    const place = await makeRepository();
    const { session } = await openScripted(place, (_request, turn) => write(turn), {
      permissionMode: 'acceptEdits',
    });
    const { id } = await session.spawnAgentJob({ prompt: 'write', isolation: 'worktree' });
    const task = await session.tasks.whenEnded(id);
    expect(task).toMatchObject({ status: 'completed', isolation: 'worktree' });
    expect(task.result?.output).toMatch(/^written\n\nKept the worktree \(1 changed file\): /);
    expect(await readFile(join(task.worktree?.path ?? '', 'made.txt'), 'utf8')).toBe('by the agent');
    expect(existsSync(join(place.cwd, 'made.txt'))).toBe(false);
    await session.shutdown();
  });

  it('of its definition, started by the Agent tool, leaves nothing where it only looked', async () => {
    const place = await makeRepository();
    const agent = {
      name: 'looker',
      description: 'Looks',
      systemPrompt: 'Look.',
      isolation: 'worktree',
    } as const;
    const { session, provider } = await openScripted(
      place,
      [
        { toolCalls: [{ name: 'Agent', input: { prompt: 'look', subagent_type: 'looker' } }] },
        { text: 'seen' },
        { text: 'ok' },
      ],
      { agents: [agent] },
    );
    expect((await session.submit('go'))?.response).toBe('ok');
    expect(provider.requests[1]?.system).toMatch(/^Look\.\n\nYou work in .*worktrees.* a git worktree of/);
    expect(textOf(provider.requests[1]?.messages[0]?.content ?? [])).toBe('look');
    expect(git(place.cwd, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(session.getMessages().find(({ role }) => role === 'tool')).toMatchObject({
      content: [{ text: 'seen' }],
    });
    await session.shutdown();
  });

  it('outside of a repository fails with a word on it, and starts nothing', async () => {
    const { session, provider } = await openScripted(await makeTestProject());
    const { id } = await session.spawnAgentJob({ prompt: 'x', isolation: 'worktree' });
    expect(await session.tasks.whenEnded(id)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('needs a git repository') },
    });
    expect(provider.requests).toEqual([]);
    await session.shutdown();
  });
});

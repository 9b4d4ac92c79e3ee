import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { openStage } from './stage.ts';
import { openTerminal } from './terminal.ts';

it('works in a worktree with -w, keeps what was changed, and returns to it when the session is resumed', async () => {
  const stage = await openStage();
  try {
    const { cwd } = stage;
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...words], { cwd, encoding: 'utf8' });
    git('init', '-q');
    writeFileSync(join(cwd, 'a.txt'), 'one\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    // Rules of the user, which git ignores here and must ignore there.
    const set = await stage.robota([
      'config',
      'set',
      '--scope',
      'local',
      '--add',
      'permissions.allow',
      'Glob',
    ]);
    expect(set.code).toBe(0);
    stage.server.reply(
      anthropicReply({
        toolCalls: [{ name: 'Write', input: { file_path: 'new.txt', content: 'made here' } }],
      }),
      anthropicReply({ text: 'Done.' }),
    );
    const first = await stage.robota([
      '-w',
      'fix',
      '-p',
      'make it',
      '--permission-mode',
      'acceptEdits',
      '--output-format',
      'json',
    ]);
    expect(first.code).toBe(0);
    const [, path = ''] = /New worktree fix: (.*), branch robota\/fix/.exec(first.stderr) ?? [];
    expect(readFileSync(join(path, 'new.txt'), 'utf8')).toBe('made here');
    expect(existsSync(join(cwd, 'new.txt'))).toBe(false);
    expect(readFileSync(join(path, '.robota/settings.local.json'), 'utf8')).toContain('Glob');
    expect(git('-C', path, 'status', '--porcelain')).toBe('?? new.txt\n');
    expect(first.stderr).toContain('Kept the worktree (1 changed file)');
    const { session_id: id } = JSON.parse(first.stdout);
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Read', input: { file_path: 'new.txt' } }] }),
      anthropicReply({ text: 'Read.' }),
    );
    const second = await stage.robota(['-r', id, '-p', 'look at it']);
    expect(second.stderr).toContain(`Worktree fix: ${path}`);
    expect(JSON.stringify(stage.server.requests.at(-1))).toContain('made here');
    stage.server.reply(anthropicReply({ text: 'Nothing to do.' }));
    const clean = await stage.robota(['-w', 'clean', '-p', 'hello']);
    expect(clean.stderr).toContain('The worktree clean is removed.');
    expect(git('worktree', 'list')).not.toContain('clean');
  } finally {
    await stage.server.close();
  }
});

it('asks at the end of a session in a terminal whether its work is merged, kept or dropped', async () => {
  const stage = await openStage();
  const { cwd, home, server } = stage;
  try {
    const git = (...words: string[]) => execFileSync('git', words, { cwd, encoding: 'utf8' });
    git('init', '-q');
    git('config', 'user.name', 'n');
    git('config', 'user.email', 'e@x');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url };
    const work = async (name: string, ...more: string[]) => {
      const input = { file_path: `${name}.txt`, content: name };
      server.reply(
        anthropicReply({ toolCalls: [{ name: 'Write', input }] }),
        anthropicReply({ text: 'Done.' }),
      );
      const args = ['-w', name, '--permission-mode', 'acceptEdits', ...more];
      const terminal = openTerminal(args, { cwd, home, env });
      await terminal.shows('>');
      terminal.type('make it\r');
      await terminal.shows('Done.');
      terminal.type('/exit\r');
      await terminal.shows('[m]erge, [k]eep or [d]rop');
      return terminal;
    };
    const merged = await work('one');
    merged.type('m\r');
    await merged.shows('Merged one into');
    expect(await merged.exit).toBe(0);
    expect(readFileSync(join(cwd, 'one.txt'), 'utf8')).toBe('one');
    const dropped = await work('two', '--plain');
    dropped.type('d\r');
    await dropped.shows('Type the name two to delete it');
    dropped.type('two\r');
    await dropped.shows('The worktree two is removed.');
    expect(await dropped.exit).toBe(0);
    const kept = await work('three');
    kept.type('\r');
    await kept.shows('Kept the worktree (1 changed file)');
    expect(await kept.exit).toBe(0);
    const listed = git('worktree', 'list');
    expect(['one', 'two', 'three'].map((name) => listed.includes(`robota/${name}]`))).toEqual([
      false,
      false,
      true,
    ]);
    expect(existsSync(join(cwd, 'two.txt'))).toBe(false);
  } finally {
    await server.close();
  }
});

it('keeps a worktree that another session works in, and the last one to leave removes it', async () => {
  const stage = await openStage();
  const { cwd, home, server } = stage;
  try {
    const git = (...words: string[]) => execFileSync('git', words, { cwd, encoding: 'utf8' });
    git('init', '-q');
    git('config', 'user.name', 'n');
    git('config', 'user.email', 'e@x');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url };
    const open = async () => {
      const terminal = openTerminal(['-w', 'both'], { cwd, home, env });
      await terminal.shows(/robota\/both.* help/);
      return terminal;
    };
    const first = await open();
    const second = await open();
    await second.shows(/Another session \(process \d+\) works in this worktree\./);
    first.type('/exit\r');
    await first.shows(/The worktree both is kept: another session \(process \d+\) works in it/);
    expect(await first.exit).toBe(0);
    expect(git('worktree', 'list', '--porcelain')).toMatch(
      /both\n(?:.*\n)*?locked robota session of process \d+/,
    );
    second.type('/exit\r');
    await second.shows('The worktree both is removed.');
    expect(await second.exit).toBe(0);
    expect(git('worktree', 'list')).not.toContain('both');
  } finally {
    await server.close();
  }
});

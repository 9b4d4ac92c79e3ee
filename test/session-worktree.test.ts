import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { openStage } from './stage.ts';

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
    expect(first.stderr).toContain('Its worktree is kept (1 changed file)');
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

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicReply, jsonReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { expectOnceInOrder, hangingAnswer, keys, openShop, prompt, runEnd, tuiHarness } from './tui.ts';

const desk = tuiHarness(openShop);

/** Runs git in the project. */
function git(...words: string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  execFileSync('git', [...identity, ...words], { cwd: desk.stage.cwd, stdio: 'pipe' });
}

describe('lines of the screen', () => {
  it('a call that plan mode refuses says so in its own line, live and resumed', async () => {
    await desk.stage.file('src/cart.js', 'old\n');
    const edit = { file_path: `${desk.stage.cwd}/src/cart.js`, old_string: 'old', new_string: 'new' };
    desk.stage.server.reply(
      anthropicReply({
        toolCalls: [
          { name: 'Edit', input: edit },
          { name: 'Bash', input: { command: 'touch made' } },
        ],
      }),
      anthropicReply({ text: 'I only plan.' }),
    );
    const tui = await desk.open(['--permission-mode', 'plan'], { columns: 80, rows: 24 });
    tui.type(`change it${keys.enter}`);
    const lines =
      /\n {2}⊘ Edit src\/cart\.js · plan mode\n {2}⊘ \$ touch made · plan mode\n\n● I only plan\./;
    expect(await tui.shows(runEnd)).toMatch(lines);
    tui.type(`/exit${keys.enter}`);
    await tui.exit;
    const again = await desk.open(['-c'], { columns: 80, rows: 24 });
    expect(await again.shows('Resumed')).toMatch(lines);
  });

  it('the branch has a star while there are uncommitted changes, and git runs nothing of the repository', async () => {
    await desk.stage.file('a.txt', 'one\n');
    await desk.stage.file('.gitattributes', '*.txt filter=bad\n');
    await desk.stage.file('.gitignore', 'ran-*\n');
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-qm', 'first');
    git('config', 'core.fsmonitor', 'touch ran-monitor; false');
    git('config', 'filter.bad.clean', 'touch ran-filter; cat');
    const tui = await desk.open([], { columns: 80, rows: 24 });
    await tui.shows(/shop · main · \? help$/);
    tui.type(`!echo two >> a.txt${keys.enter}`);
    await tui.shows(/shop · main\* · \? help$/);
    tui.type(`!git -c core.fsmonitor=false -c filter.bad.clean=cat checkout -q a.txt${keys.enter}`);
    await tui.shows(/shop · main · \? help$/);
    tui.type(`!touch b.txt${keys.enter}`);
    await tui.shows(/shop · main\* · \? help$/);
    for (const name of ['ran-monitor', 'ran-filter'])
      expect(existsSync(join(desk.stage.cwd, name)), name).toBe(false);
  });

  it('the working line counts the tokens that the model has written', async () => {
    desk.stage.server.reply(hangingAnswer(['word '.repeat(1000)]));
    const tui = await desk.open([], { columns: 80, rows: 24 });
    await tui.shows(prompt);
    tui.type(`write${keys.enter}`);
    await tui.shows(/\n⟳ Answering…(?: \d+s)? · 1\.2K tokens · esc interrupt\n/);
  });

  it('trust, first-run and key questions leave a trail of their answers, and nothing of the questions', async () => {
    const hook = { matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'true' }] };
    const settings = { hooks: { PostToolUse: [hook] }, permissions: { allow: ['Bash(npm test)'] } };
    await desk.stage.file('.claude/settings.json', JSON.stringify(settings));
    desk.stage.server.handle(() =>
      jsonReply(401, { error: { type: 'authentication_error', message: 'invalid x-api-key' } }),
    );
    const tui = desk.start([], { columns: 100, rows: 30, env: { ANTHROPIC_API_KEY: '' } });
    await tui.shows('❯ 1  Skip for now');
    tui.type(`2${keys.enter}`);
    await tui.shows('❯ 1  Anthropic ');
    tui.type(keys.enter);
    await tui.shows('The key for Anthropic');
    tui.type(`sk-ant-wrong${keys.enter}`);
    await tui.shows('❯ 1  Type it again');
    tui.type(`3${keys.enter}`);
    await tui.shows('❯ 1  Anthropic ');
    tui.type(`7${keys.enter}`);
    await tui.shows(/\n> Try[^\n]*\n─+\n[^\n]*\? help$/);
    const shown = await tui.screen();
    expectOnceInOrder(shown, [
      '✓ Trusted: hook PostToolUse (Edit|Write), allow rule Bash(npm test)\n',
      '✓ Key for Anthropic: entered\n',
      '⊘ Key rejected by Anthropic, and not stored\n',
      '✓ Offline · no key, not AI\n',
    ]);
    for (const part of ['Skip for now', 'Which', 'The key for', 'Type it again', 'sk-ant'])
      expect(shown).not.toContain(part);
  });
});

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { openStage } from './stage.ts';
import { keys, tuiHarness } from './tui.ts';

const desk = tuiHarness(openStage);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const statusLine = (command: string, more = {}) => ({ statusLine: { type: 'command', command, ...more } });
const footer = async (tui: { viewport(): Promise<readonly string[]> }) => (await tui.viewport()).at(-1);

describe('a status line of the user', () => {
  it('is the first line that its command prints, with its colours; it gets the figures as JSON', async () => {
    const command = 'cat > input.json; printf "\\033[32mgreen\\033[0m model\\nsecond\\n"';
    await desk.stage.settings(statusLine(command, { padding: 2 }));
    const write = { name: 'Write', input: { file_path: 'a.txt', content: 'one\n' } };
    desk.stage.server.reply(anthropicReply({ toolCalls: [write] }), anthropicReply({ text: 'Hello.' }));
    const tui = desk.start(['--permission-mode', 'acceptEdits']);
    await tui.shows(/\n {2}green model$/);
    expect(await tui.screen()).not.toContain('second');
    expect((await tui.styleOf('green')).colour).toBe(2);
    expect((await tui.styleOf('model')).colour).toBeUndefined();
    tui.type(`hi${keys.enter}`);
    await tui.shows('Hello.');
    const cwd = desk.stage.cwd;
    await expect
      .poll(async () => JSON.parse(await readFile(join(cwd, 'input.json'), 'utf8')).cost?.total_lines_added)
      .toBe(1);
    const given = JSON.parse(await readFile(join(cwd, 'input.json'), 'utf8'));
    for (const name of ['vim', 'agent', 'worktree']) expect(given).not.toHaveProperty(name);
    expect(given).toMatchObject({
      session_id: expect.stringMatching(/^[\da-f-]{36}$/),
      cwd,
      model: { id: expect.stringContaining('claude'), display_name: expect.stringContaining('Claude') },
      transcript_path: expect.stringMatching(/session\.jsonl$/),
      workspace: { current_dir: cwd, project_dir: cwd, added_dirs: [] },
      output_style: { name: 'default' },
      thinking: { enabled: expect.any(Boolean) },
      version: expect.stringMatching(/^\d+\.\d+/),
      cost: {
        total_duration_ms: expect.any(Number),
        total_api_duration_ms: expect.any(Number),
        total_lines_added: 1,
        total_lines_removed: 0,
      },
      context_window: {
        context_window_size: expect.any(Number),
        used_percentage: expect.any(Number),
        current_usage: { output_tokens: expect.any(Number) },
      },
    });
  });

  it('gets the mode of the vim keys, the selected agent and the worktree', async () => {
    const { cwd, home } = desk.stage;
    for (const args of [
      ['init', '-q', '-b', 'trunk'],
      ['commit', '-q', '--allow-empty', '-m', 'first'],
    ])
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd });
    const input = join(home, 'input.json');
    await desk.stage.settings({ ...statusLine(`cat > ${input}; echo own`), vim: true });
    const seen = async () => JSON.parse((await readFile(input, 'utf8').catch(() => '')) || '{}');
    const tui = desk.start(['-w', 'side']);
    await tui.shows(/own$/);
    const worktree = { name: 'side', path: expect.stringMatching(/worktrees.*side$/), original_cwd: cwd };
    expect(await seen()).toMatchObject({ vim: { mode: 'INSERT' }, worktree });
    expect((await seen()).worktree.branch).toContain('side');
    expect(await seen()).not.toHaveProperty('agent');
    tui.type(`@agent:Plan${keys.enter}`);
    await expect.poll(async () => (await seen()).agent).toEqual({ name: 'Plan' });
    tui.type(keys.escape);
    await expect.poll(async () => (await seen()).vim).toEqual({ mode: 'NORMAL' });
    tui.type('V');
    await expect.poll(async () => (await seen()).vim).toEqual({ mode: 'VISUAL LINE' });
  });

  it('cannot do more to the terminal than colour its text', async () => {
    await desk.stage.settings(statusLine('printf "\\033]0;stolen\\007\\033[2Jsafe\\033[8mhidden\\033[0m"'));
    const tui = desk.start();
    await tui.shows(/safehidden$/);
    expect(tui.raw).not.toContain('stolen');
    expect(tui.raw).not.toContain('\u001b[2Jsafe');
    expect(tui.raw).not.toContain('\u001b[8m');
  });

  it.each([
    ['{"model":"x"}', '{"model":"x"}'],
    ['{"async":true}', '{"async":true}'],
    ['{not json', '{not json'],
    ['\\n\\n  [1] 50%%  \\nsecond', '[1] 50%'],
  ])('is shown as text, whatever it looks like: %s', async (printed, shown) => {
    await desk.stage.settings(statusLine(`printf '${printed}'`));
    const tui = desk.start();
    await expect.poll(() => footer(tui)).toBe(` ${shown}`);
  });

  it('that fails or takes too long leaves the usual one, and the screen never waits', async () => {
    await desk.stage.settings(statusLine('sleep 30; echo late'));
    const tui = await desk.open();
    tui.type('typed at once');
    await tui.shows('typed at once');
    expect(await footer(tui)).toContain('default');
  });

  it('runs at most once a second, however much happens, and never twice at a time', async () => {
    // The command notes each run, and whether another one is under way.
    const command = 'echo run >> runs; mkdir busy || echo twice >> runs; sleep 0.2; rmdir busy; echo status';
    await desk.stage.settings(statusLine(command));
    for (let turn = 0; turn < 20; turn++) {
      await desk.stage.file(`${turn}.txt`, `${turn}\n`);
      const calls = [{ name: 'Read', input: { file_path: `${turn}.txt` } }];
      desk.stage.server.reply(anthropicReply({ toolCalls: calls }));
    }
    const began = performance.now();
    desk.stage.server.reply(anthropicReply({ text: 'Read often.' }));
    const tui = desk.start();
    await tui.shows(/status$/);
    tui.type(`read${keys.enter}`);
    await tui.shows('Read often.');
    const runs = async () => (await readFile(join(desk.stage.cwd, 'runs'), 'utf8')).trim().split('\n');
    // The end of the run is told, too.
    await expect.poll(async () => (await runs()).length).toBeGreaterThan(1);
    const lines = await runs();
    expect(lines).not.toContain('twice');
    // There were more than 60 events. A slow machine takes longer, and may have as many more runs.
    expect(lines.length).toBeLessThanOrEqual(1 + (performance.now() - began) / 1000);
  });

  it('is ended when it takes too long, with what it started, and runs again', async () => {
    const command = 'echo $$ >> runs; [ $(wc -l < runs) -gt 1 ] && echo second || exec sleep 600';
    await desk.stage.settings(statusLine(command));
    desk.stage.server.handle(() => anthropicReply({ text: 'Hello.' }));
    const tui = await desk.open();
    await expect.poll(() => existsSync(join(desk.stage.cwd, 'runs'))).toBe(true);
    tui.type(`hi${keys.enter}`);
    await tui.shows('Hello.');
    // The first one never ends by itself: the second line shows that it was ended.
    await expect.poll(() => footer(tui)).toMatch(/second$/);
    const [first = ''] = (await readFile(join(desk.stage.cwd, 'runs'), 'utf8')).split('\n');
    await expect.poll(() => isAlive(Number(first))).toBe(false);
  });

  it('does not run where hooks are off', async () => {
    await desk.stage.settings({ ...statusLine('touch ran; echo own'), disableAllHooks: true });
    const tui = await desk.open();
    tui.type('x');
    await tui.shows(/> x/);
    expect(await footer(tui)).toContain('default');
    expect(existsSync(join(desk.stage.cwd, 'ran'))).toBe(false);
  });
});

describe('a status line of a project', () => {
  it('runs only when the project is trusted', async () => {
    const settings = JSON.stringify(statusLine('touch ran; echo of the project'));
    await desk.stage.file('.claude/settings.json', settings);
    const { stderr } = await desk.stage.robota(['-p', 'hi', '--model', 'offline']);
    expect(stderr).toContain('status line');
    const tui = desk.start();
    await tui.shows(/status line statusLine/);
    tui.type(keys.enter);
    await tui.shows(/default · /);
    expect(existsSync(join(desk.stage.cwd, 'ran'))).toBe(false);
    tui.kill('SIGKILL');
    await tui.exit;
    const trusting = desk.start(['--trust-project']);
    await trusting.shows(/of the project$/);
    expect(existsSync(join(desk.stage.cwd, 'ran'))).toBe(true);
  });
});

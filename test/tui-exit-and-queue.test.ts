import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { openStage, type Stage } from './stage.ts';
import { keys, tuiHarness } from './tui.ts';

const desk = tuiHarness(openStage);
const start = desk.open;

/** The conversations that were kept. */
async function sessionFiles({ home }: Stage): Promise<readonly string[]> {
  const found = await readdir(join(home, '.robota/sessions'), { recursive: true }).catch(() => []);
  return found.filter((path) => path.endsWith('session.jsonl'));
}

describe('leaving by a key', () => {
  it('ends at a second ctrl+c only if nothing else was pressed in between', async () => {
    const tui = await start();
    const again = 'Ctrl+C again';
    tui.type(keys.ctrlC);
    await tui.shows(again);
    tui.type('x');
    await tui.shows(/> x\n[─]+\ndefault/);
    tui.type(`${keys.backspace}${keys.ctrlC}`);
    await tui.shows(again);
    tui.type(keys.ctrlC);
    expect(await tui.exit).toBe(0);
  });
});

describe('a session without a prompt', () => {
  it('leaves no trace if only a model was chosen: nothing leads back to it, and -c continues with none', async () => {
    const first = await start();
    first.type(keys.ctrlP);
    await first.shows('Model: ');
    first.type(keys.ctrlD);
    expect(await first.exit).toBe(0);
    expect(await first.screen()).not.toContain('Resume this session');
    expect(await sessionFiles(desk.stage)).toEqual([]);
    const second = await start(['-c']);
    await second.shows('Nothing resumed; this is a new session.');
  });

  it('is stored if a command was run, and -c shows the command again', async () => {
    const first = await start();
    first.type(`!echo kept; exit 3${keys.enter}`);
    await first.shows(/ {4}kept/);
    await first.shows('exit 3 ·');
    first.type(keys.ctrlD);
    expect(await first.exit).toBe(0);
    expect(await first.screen()).toContain('Resume this session');
    expect(await sessionFiles(desk.stage)).toHaveLength(1);
    const second = await start(['-c']);
    await second.shows('Resumed a session without a prompt');
    expect(await second.screen()).toMatch(/! echo kept; exit 3 +exit 3 · [\s\S]* {4}kept/);
  });
});

describe('an interrupted command', () => {
  it('keeps what it had printed', async () => {
    const command = 'for i in 1 2 3 4 5 6; do echo "row $i"; done; sleep 60';
    desk.stage.server.reply(anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] }));
    const tui = await start(['--permission-mode', 'bypassPermissions']);
    tui.type(`go${keys.enter}`);
    await tui.shows('row 6');
    tui.type(keys.escape);
    const shown = await tui.shows(/ interrupted · /);
    expect(shown).toContain('row 6');
    expect(shown).toContain('interrupted after');
    expect(shown).not.toContain('by the user');
    tui.type(keys.ctrlO);
    await tui.shows('History');
    tui.type('e');
    await tui.shows('row 1');
  });
});

describe('what waits for its turn', () => {
  it('tells what comes at the next turn from what comes after the run, and what was never sent', async () => {
    const command = 'echo begun; sleep 60';
    desk.stage.server.reply(anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] }));
    const tui = await start(['--permission-mode', 'bypassPermissions']);
    tui.type(`go${keys.enter}`);
    await tui.shows('    begun');
    expect(await tui.screen()).toMatch(/\n⟳ Running /);
    tui.type(`mind the tests${keys.enter}`);
    await tui.shows('◷ next: mind the tests');
    tui.type(`then commit${keys.altEnter}`);
    await tui.shows('◷ later: then commit');
    tui.type(`/exit${keys.enter}`);
    expect(await tui.exit).toBe(0);
    expect(await tui.screen()).toMatch(/! Not sent:\n {2}mind the tests\n {2}then commit/);
  });

  it('is back in the editor after kill -9, until it is sent', async () => {
    const command = 'echo begun; sleep 60';
    desk.stage.server.reply(anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] }));
    const first = await start(['--permission-mode', 'bypassPermissions']);
    first.type(`go${keys.enter}`);
    await first.shows('    begun');
    first.type(`mind the tests${keys.enter}`);
    await first.shows('◷ next: mind the tests');
    first.type(`then commit${keys.altEnter}`);
    await first.shows('◷ later: then commit');
    first.type(`/compact${keys.enter}`);
    await first.shows('◷ next: /compact');
    first.kill('SIGKILL');
    await first.exit;
    for (const ending of ['SIGKILL', 'SIGTERM'] as const) {
      const again = await start(['-c']);
      await again.shows(/> mind the tests\n {2}then commit\n {2}\/compact/);
      again.kill(ending);
      await again.exit;
    }
    const last = await start(['-c']);
    await last.shows(/> mind the tests/);
    desk.stage.server.reply(anthropicReply({ text: 'Sent.' }));
    last.type(keys.enter);
    await last.shows('Sent.');
    last.kill('SIGKILL');
    await last.exit;
    const empty = await start(['-c']);
    await empty.shows('Resumed');
    await empty.shows('> Ask for a change');
  });
});

describe('an agent that was selected', () => {
  it('is named at the foot until it is taken back', async () => {
    const tui = await start();
    tui.type(`@agent:Explore ${keys.enter}`);
    await tui.shows(/default · @agent:Explore · Claude/);
    tui.type(`@agent:none ${keys.enter}`);
    await tui.shows(/default · Claude [^\n]*$/);
  });
});

import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { expectScreen, keys, openShop, runEnd, sizes, tuiHarness } from './tui.ts';

const desk = tuiHarness(openShop);

const branch = () => desk.stage.file('.git/HEAD', 'ref: refs/heads/tax\n');

describe('the fields of the footer', () => {
  it.each(sizes)('are those of the setting, in their order, at $columns×$rows', async (size) => {
    await branch();
    await desk.stage.settings({
      footer: ['model', 'mode', 'branch', 'context', 'cost', 'tasks', 'messages'],
    });
    desk.stage.server.reply(anthropicReply({ text: 'Hello.' }));
    const tui = await desk.open([], size);
    await tui.shows(/\nClaude Sonnet 4\.6 · default · tax · ctx 0% · \$0\.00 · 0 messages$/);
    tui.type(`hello${keys.enter}`);
    await tui.shows(runEnd);
    await tui.shows('2 messages');
    await expectScreen(tui, 'footer', desk.stage);
  });

  it('change while the session is open, lose the last ones where it is narrow, and hold in the classic view', async () => {
    await branch();
    await desk.stage.settings({ view: 'classic', footer: ['folder', 'mode', 'tokens', 'help'] });
    const tui = await desk.open();
    await tui.shows(/\nshop · default · 0 in, 0 out · \? help$/);
    await desk.stage.settings({ view: 'classic', footer: ['help', 'mode', 'folder', 'model'] });
    await tui.shows(/\n\? help · default · shop · Claude Sonnet 4\.6$/);
    tui.resize(30, 24);
    await tui.shows(/\n\? help · default · shop$/);
  });

  it('are reported with the known ones where a name is unknown', async () => {
    await desk.stage.settings({ footer: ['model', 'weather'] });
    const { code, stderr } = await desk.stage.robota(['-p', 'hello']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /settings\.json:1: footer\[1\]: expected one of "mode", .*"branch", .* got the string "weather"/,
    );
    await desk.stage.settings({ footer: ['model'] });
    const tui = await desk.open();
    await desk.stage.settings({ footer: ['weather', 'model'] });
    const shown = await tui.shows(/footer\[0\][\s\S]*"weather"/);
    expect(shown).toMatch(/\nClaude Sonnet 4\.6$/);
  });

  it('cannot be set by a repository', async () => {
    await desk.stage.file('.robota/settings.json', JSON.stringify({ footer: ['model'] }));
    const tui = await desk.open(['--trust-project']);
    await tui.shows(/\ndefault · Claude Sonnet 4\.6 · ctx 0%/);
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { openStage } from './stage.ts';
import { keys, tuiHarness } from './tui.ts';

const desk = tuiHarness(openStage);

describe('enter while suggestions are open', () => {
  it('sends the arguments of a command as they were typed', async () => {
    proves('C-39');
    const tui = await desk.open();
    tui.type('/config set maxTurns ');
    await tui.shows('/config set maxTurns');
    tui.type('9');
    await tui.shows('/config set maxTurns 9');
    tui.type(keys.enter);
    await tui.shows(/maxTurns[^\n]* 9[\s\S]*settings\.json/);
    const settings = await readFile(join(desk.stage.home, '.robota/settings.json'), 'utf8');
    expect(JSON.parse(settings)).toMatchObject({ maxTurns: 9 });
  });

  it('runs /rewind all, /rewind N and /rewind undo', async () => {
    proves('C-39');
    desk.stage.server.reply(anthropicReply({ text: 'Done.' }));
    const tui = await desk.open();
    tui.type(`hello${keys.enter}`);
    await tui.shows('Done.');
    tui.type('/rewind all');
    await tui.shows('/rewind all');
    tui.type(keys.enter);
    await tui.shows(/1\b.*hello/);
    tui.type('/rewind undo');
    await tui.shows('/rewind undo');
    tui.type(keys.enter);
    await tui.shows('No rewind to undo.');
    tui.type('/rewind 1');
    await tui.shows('/rewind 1');
    tui.type(keys.enter);
    await tui.shows('Only the conversation');
  });

  it('runs no command that is only similar to what was typed', async () => {
    proves('C-37', 'C-39');
    const tui = await desk.open();
    tui.type('/ext');
    await tui.shows('/export');
    tui.type(keys.enter);
    await tui.shows('Unknown command /ext. Did you mean /exit or /export?');
    expect(await readdir(desk.stage.cwd)).toEqual([]);
    tui.type(`/modle${keys.enter}`);
    await tui.shows('Unknown command /modle. Did you mean /model?');
    tui.type(`/conte${keys.enter}`);
    await tui.shows('System prompt and');
  });
});

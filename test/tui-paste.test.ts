import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { expectScreen, keys, openShop, pasted, runEnd, tuiHarness } from './tui.ts';

const desk = tuiHarness(openShop);
const altE = '\u001be';
const undo = '\u001f';
const lines = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}`).join('\n');

/** The text of the last prompt that reached the model. */
const sent = () =>
  desk.stage
    .messages(-1)
    .findLast(({ role }) => role === 'user')
    ?.content.at(0)?.text;

describe('pasted text', () => {
  it('is shown, expanded, edited and removed behind its label, each undone, and sent as a whole', async () => {
    proves('P-89');
    const editor = join(desk.stage.home, 'edit');
    await writeFile(editor, '#!/bin/sh\nprintf "\\nby hand\\n" >> "$1"\n');
    await chmod(editor, 0o755);
    desk.stage.server.reply(anthropicReply({ text: 'Seen.' }));
    const tui = await desk.open([], { columns: 80, rows: 24, env: { EDITOR: editor } });
    tui.type('look at ');
    tui.type(pasted(lines('line', 30)));
    await tui.shows(/> look at \[paste #1 \+30 lines\]\n[\s\S]*alt\+e view, expand or edit$/);
    tui.type(' please');
    await tui.shows('[paste #1 +30 lines] please');
    tui.type(altE);
    await tui.shows('enter expand');
    await expectScreen(tui, 'paste-view', desk.stage);
    tui.type('\u001b[6~');
    await tui.shows(/line 30\nenter expand/);
    tui.type(keys.escape);
    await tui.shows(/> look at \[paste #1 \+30 lines\] please\n─/);
    tui.type(altE);
    await tui.shows('enter expand');
    tui.type(keys.enter);
    await tui.shows(/line 29\n *line 30 please\n─/);
    tui.type(undo);
    await tui.shows(/> look at \[paste #1 \+30 lines\] please\n─/);
    tui.type(altE);
    await tui.shows('enter expand');
    tui.type(keys.backspace);
    await tui.shows(/> look at {2}please\n─/);
    tui.type(undo);
    await tui.shows(/> look at \[paste #1 \+30 lines\] please\n─/);
    tui.type(altE);
    await tui.shows('enter expand');
    tui.type(keys.ctrlG);
    await tui.shows(/> look at \[paste #1 \+31 lines\] please\n─/);
    tui.type(keys.enter);
    await tui.shows(runEnd);
    expect(sent()).toBe(`look at ${lines('line', 30)}\nby hand please`);
  });

  it('comes back with its label from the history, also of an earlier run, and after the whole draft was edited', async () => {
    const editor = join(desk.stage.home, 'edit');
    await writeFile(editor, '#!/bin/sh\nprintf "\\nPS: be brief\\n" >> "$1"\n');
    await chmod(editor, 0o755);
    desk.stage.server.handle(() => anthropicReply({ text: 'Seen.' }));
    const tui = await desk.open([], { columns: 80, rows: 24 });
    tui.type('see ');
    tui.type(pasted(lines('line', 40)));
    tui.type(` now${keys.enter}`);
    await tui.shows(runEnd);
    tui.type(keys.up);
    await tui.shows(/> see \[paste #1 \+40 lines\] now\n─/);
    tui.type(keys.ctrlC);
    tui.type(pasted(`big ${'x'.repeat(120_000)}`));
    await tui.shows('[paste #2 120004 chars]');
    tui.type(keys.enter);
    await tui.shows(/Seen\.[\s\S]*Seen\./);
    tui.type(keys.up);
    await tui.shows(/> \[paste #1 120004 chars\]\n─/);
    tui.type(`${keys.ctrlC}/exit${keys.enter}`);
    await tui.exit;
    const again = await desk.open([], { columns: 80, rows: 24, env: { EDITOR: editor } });
    again.type(keys.up);
    await again.shows(/> \/exit\n─/);
    again.type(keys.up);
    await again.shows(/> see \[paste #1 \+40 lines\] now\n─/);
    again.type(keys.ctrlG);
    await again.shows(/> see \[paste #1 \+40 lines\] now\n *PS: be brief\n─/);
    again.type(keys.enter);
    await again.shows(runEnd);
    expect(sent()).toBe(`see ${lines('line', 40)} now\nPS: be brief`);
  });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import type { Terminal, TerminalOptions } from './terminal.ts';
import { expectScreen, keys, openShop, prompt, sizes, tuiHarness } from './tui.ts';

const desk = tuiHarness(openShop);

const cart = `${[
  'export function subtotal(items) {',
  '  return items.reduce((sum, { cents }) => sum + cents, 0);',
  '}',
  '',
  'export function total(items, taxRate) {',
  '  // bug: the tax is not applied',
  '  return subtotal(items);',
  '}',
].join('\n')}\n`;
const format = [
  "import { round } from './round.js';",
  ...Array.from({ length: 22 }, (_, index) => `const value${index} = ${index};`),
  'export const rate = (percent) => percent;',
  '',
].join('\n');

const calls = [
  {
    name: 'Edit',
    input: {
      file_path: 'src/cart.js',
      old_string: '  // bug: the tax is not applied\n  return subtotal(items);',
      new_string:
        '  // the tax is a rate such as 0.08\n  const sum = subtotal(items);\n  return sum * (1 + taxRate);',
    },
  },
  {
    name: 'Edit',
    input: {
      file_path: 'src/format.js',
      edits: [
        { old_string: "'./round.js'", new_string: "'./money.js'" },
        { old_string: '=> percent;', new_string: '=> percent / 100;' },
      ],
    },
  },
  { name: 'Write', input: { file_path: 'src/tax.js', content: 'export const RATES = { de: 0.19 };\n' } },
];

/** A run that has edited two files and created a third. */
async function openChanged(options: Partial<TerminalOptions>): Promise<Terminal> {
  await desk.stage.file('src/cart.js', cart);
  await desk.stage.file('src/format.js', format);
  desk.stage.server.reply(anthropicReply({ toolCalls: calls }), anthropicReply({ text: 'Done.' }));
  const tui = await desk.open(['--permission-mode', 'acceptEdits'], options);
  tui.type(`fix the total${keys.enter}`);
  await tui.shows(/3 calls · /);
  await tui.shows(prompt);
  return tui;
}

describe.each(sizes)('a review at $columns×$rows', (size) => {
  const see = (name: string) => expectScreen(desk.terminal as Terminal, name, desk.stage);

  it('shows files and hunks, keeps and takes back, and collects comments', async () => {
    const tui = await openChanged(size);
    tui.type(`/review${keys.enter}`);
    await tui.shows('Review: this session');
    await see('review');
    // On the narrow screen, the list comes first.
    tui.type(keys.enter);
    await tui.shows('the tax is a rate such as 0.08');
    tui.type(`${keys.down}${keys.down}${keys.down}${keys.down}c`);
    await tui.shows('enter keep draft');
    tui.type('Round here, not in price().');
    await see('review-typing');
    tui.type(keys.enter);
    await tui.shows('S send 1 comment');
    tui.type('j');
    await tui.shows('hunk 1 of 2');
    tui.type('y');
    await tui.shows('hunk 2 of 2');
    tui.type('u');
    await tui.shows('taken back');
    await see('review-decided');
    expect(await readFile(join(desk.stage.cwd, 'src/format.js'), 'utf8')).toBe(
      format.replace('round.js', 'money.js'),
    );
    tui.type('?');
    await tui.shows('send all comments as one message');
    await see('review-keys');
    tui.type(keys.escape);
    await tui.shows('y keep');
    tui.type('q');
    await tui.shows(/1 draft/);
    desk.stage.server.reply(anthropicReply({ text: 'Rounded.' }));
    tui.type(`/review${keys.enter}`);
    await tui.shows('Review: this session');
    tui.type('S');
    await tui.shows('Rounded.');
    await tui.shows('Sent 1 comment (src/cart.js:8)');
    await see('review-sent');
    const sent = JSON.stringify(desk.stage.server.requests.at(-1)?.body);
    expect(sent).toContain('src/cart.js:8');
    expect(sent).toContain('The user took back changes in these files');
  });
});

it('stands side by side from 160 columns on', async () => {
  const tui = await openChanged({ columns: 170, rows: 24 });
  tui.type(`/diff${keys.enter}`);
  await tui.shows('Changes: this session');
  await expectScreen(tui, 'review-diff', desk.stage);
});

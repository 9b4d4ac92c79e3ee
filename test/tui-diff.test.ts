import { anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { priceEdits, priceFile } from '../packages/agent-diff/src/fixtures/price-file.ts';
import type { Terminal, TerminalOptions } from './terminal.ts';
import { keys, openClassicShop, tuiHarness } from './tui.ts';

const desk = tuiHarness(openClassicShop);

/** Opens the question about an edit of two places. */
async function ask(options: Partial<TerminalOptions>): Promise<Terminal> {
  await desk.stage.file('src/format.js', priceFile);
  desk.stage.server.reply(
    anthropicReply({
      toolCalls: [{ name: 'Edit', input: { file_path: 'src/format.js', edits: priceEdits } }],
    }),
    anthropicReply({ text: 'Done.' }),
  );
  const tui = await desk.open([], { rows: 40, ...options });
  tui.type(`fix the rate${keys.enter}`);
  await tui.shows('Allow once');
  return tui;
}

describe('a change in the classic view', () => {
  it.each([50, 80, 120, 170])(
    'has numbers, context and counts at %i columns, wherever it is shown',
    async (columns) => {
      proves('C-85', 'C-89', 'C-90', 'P-104');
      const tui = await ask({ columns });
      const question = rowsOf(await tui.shows(/ 33 {3}\}/));
      tui.type(keys.enter);
      const result = rowsOf(await tui.shows(/Tool: \[1 tool\]/));
      tui.type(keys.ctrlO);
      await tui.shows('⋯');
      const history = rowsOf((await tui.viewport()).join('\n'));
      const parts = { question, result, history };
      const text = Object.entries(parts).map(([name, rows]) => `${name}\n${rows.join('\n')}\n`);
      await expect(text.join('\n')).toMatchFileSnapshot(`fixtures/tui/diff-${columns}.txt`);
    },
  );

  it.each([
    ['dark', { added: 0x12301d, word: 0x1d5431, removed: 0x3d1a1d, keyword: 0xcfaef0 }],
    ['light', { added: 0xddf3e0, word: 0xb3e2ba, removed: 0xfde5e4, keyword: 0x6f359c }],
    ['colour-blind-dark', { added: 0x0f2b47, word: 0x1b4a7a, removed: 0x40280f, keyword: 0xcfaef0 }],
  ] as const)('has code in its colours on tinted grounds in the %s theme', async (theme, colours) => {
    proves('P-104', 'P-124');
    await desk.stage.settings({ theme });
    const tui = await ask({ columns: 100, env: { COLORTERM: 'truecolor' } });
    expect(await tui.styleOf(' / 100')).toMatchObject({ ground: colours.word, isBold: true });
    expect(await tui.styleOf('return percent / ')).toMatchObject({
      ground: colours.added,
      colour: colours.keyword,
    });
    expect((await tui.styleOf('- import')).ground).toBe(colours.removed);
    expect((await tui.styleOf('export function rate')).ground).toBeUndefined();
  });

  it('is told by signs and weight alone without colours, in ASCII', async () => {
    proves('P-104');
    const env = { NO_COLOR: '1', LANG: '', LC_ALL: '', LC_CTYPE: '' };
    const tui = await ask({ columns: 80, env });
    const rows = rowsOf(await tui.shows(/ 33 {3}\}/));
    await expect(`${rows.join('\n')}\n`).toMatchFileSnapshot('fixtures/tui/diff-ascii.txt');
    const marked = await tui.styleOf('money');
    expect(marked).toMatchObject({ colour: undefined, ground: undefined, isBold: true, isUnderlined: true });
    expect(await tui.styleOf('.js')).toMatchObject({ isBold: false, isUnderlined: false });
  });

  it('is the same when the session is resumed', async () => {
    proves('C-89');
    const tui = await ask({ columns: 100 });
    tui.type(keys.enter);
    const live = rowsOf(await tui.shows(/Tool: \[1 tool\]/));
    expect(live).toHaveLength(5);
    tui.type(`/exit${keys.enter}`);
    await tui.exit;
    await desk.stage.file('src/format.js', 'something else');
    const again = await desk.open(['-c'], { columns: 100, rows: 40 });
    expect(rowsOf(await again.shows('Resumed "fix the rate"'))).toEqual(live);
  });

  it('is called a new file where there was none', async () => {
    proves('C-90');
    const content = Array.from({ length: 12 }, (_, index) => `export const rate${index} = ${index};\n`).join(
      '',
    );
    desk.stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Write', input: { file_path: 'src/tax.js', content } }] }),
      anthropicReply({ text: 'Done.' }),
    );
    const tui = await desk.open([], { columns: 120, rows: 40 });
    tui.type(`add the rates${keys.enter}`);
    expect(await tui.shows('Allow once')).toMatch(/── Create src\/tax\.js ─+ \+12 ──\n/);
  });
});

/** The rows of a diff on a screen, without those around it. */
function rowsOf(shown: string): readonly string[] {
  return shown.split('\n').filter((row) => /^[ │]*(?:\d+ [-+ ] |\d+$|⋯|\.\. |│ +\d+ [-+] )/.test(row));
}

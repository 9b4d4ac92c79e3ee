import { anthropicChunks, anthropicReply, eventStream } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { expectNothingWiped, expectOnceInOrder, keys, openClassicShop, tuiHarness } from './tui.ts';

const desk = tuiHarness(openClassicShop);
const start = desk.open;

describe('a run in the classic view', () => {
  it('shows calls and the answer in their order, and closes with one line', async () => {
    proves('C-5', 'C-6', 'C-7', 'C-15', 'C-17', 'C-18', 'C-19', 'C-21');
    await desk.stage.file('cart.ts', 'export const total = 1;\n');
    desk.stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Read', input: { file_path: 'cart.ts' } }] }),
    );
    desk.stage.server.reply(anthropicReply({ text: ['The total', ' is **one**.'] }));
    const tui = await start();
    tui.type(`what is the total?${keys.enter}`);
    const shown = await tui.shows(/Tool: \[1 tool\]/);
    expectOnceInOrder(shown, [
      ' > what is the total?',
      ' Tools:',
      '✓ Read(cart.ts)',
      ' Robota:',
      'The total is one.',
      'Tool: [1 tool]',
    ]);
    expect(shown).toContain(' Tools:\n\n   ✓ Read(cart.ts) 1 line\n\n Robota:\n\n   The total is one.\n');
    expect((await tui.viewport()).at(-1)).toMatch(/default · Claude .+ · ctx \d+% \(.+\/(?:200K|1M)\)/);
    expectNothingWiped(tui);
    tui.type(keys.ctrlD);
    expect(await tui.exit).toBe(0);
    expect(await tui.screen()).toMatch(/Resume this session: robota -r \S+$/);
  });

  it('says that it is thinking, and shows what runs while it runs', async () => {
    proves('C-9', 'C-20', 'C-16');
    const chunks = anthropicChunks({ text: ['half', 'never'] });
    const at = chunks.findIndex((chunk) => chunk.includes('"half"'));
    desk.stage.server.reply(eventStream([...chunks.slice(0, at), { hang: true }]));
    const tui = await start();
    tui.type(`hello${keys.enter}`);
    await tui.shows(/⟳ Thinking… .*esc interrupt/);
    expect((await tui.viewport()).at(-1)).toContain('Thinking');
    tui.type(keys.escape);
    const shown = await tui.shows('interrupted');
    expectOnceInOrder(shown, [' > hello', 'interrupted']);
    expect((await tui.viewport()).at(-1)).not.toContain('Thinking');
  });
});

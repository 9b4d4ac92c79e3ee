import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it, vi } from 'vitest';
import { expectNothingWiped, expectOnceInOrder, keys, openShop, prompt, tuiDesk } from './tui.ts';

vi.setConfig({ testTimeout: 60_000 });

const desk = tuiDesk(openShop, expectNothingWiped);
const { open } = desk;

describe('sessions', () => {
  /** A session of so many prompts, each of them answered by its own words. */
  const history = async (count: number) => {
    desk.stage.server.handle(({ body }) => {
      const { messages } = body as { messages: { content: { text?: string }[] }[] };
      const prompts = messages.flatMap(({ content }) =>
        content.flatMap(({ text = '' }) => /^prompt \d+$/.exec(text) ?? []),
      );
      return anthropicReply({ text: `Answer to ${prompts.at(-1)}.` });
    });
    const lines = Array.from({ length: count }, (_, index) =>
      JSON.stringify({ type: 'user', message: { role: 'user', content: `prompt ${index + 1}` } }),
    );
    const formats = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
    const run = await desk.stage.robota(['-p', ...formats, '--model', 'claude-sonnet-4-6'], {
      input: `${lines.join('\n')}\n`,
    });
    expect(run.code).toBe(0);
  };

  it('C-97 one that goes on shows its last hundred messages; the pager has them all', async () => {
    await history(70);
    desk.stage.server.reply(anthropicReply({ text: 'Going on.' }));
    const tui = await open(['-c']);
    await tui.shows('40 earlier messages');
    const shown = await tui.screen();
    expect(shown).not.toContain('> prompt 20\n');
    expectOnceInOrder(
      shown,
      Array.from({ length: 50 }, (_, index) => [
        `> prompt ${index + 21}\n`,
        `Answer to prompt ${index + 21}.`,
      ]).flat(),
    );
    tui.type(keys.ctrlO);
    await tui.shows('Look back');
    tui.type('g');
    await tui.shows('> prompt 1\n');
    tui.type('q');
    await tui.shows(prompt);
    tui.type(`more${keys.enter}`);
    await tui.shows('Going on.');
    expect(desk.stage.messages(-1).length).toBeGreaterThan(130);
  });

  it('/new and /resume take the place of one another, and nothing of either is lost', async () => {
    desk.stage.server.reply(
      anthropicReply({ text: 'First answer.' }),
      anthropicReply({ text: 'Second answer.' }),
      anthropicReply({ text: 'Third answer.' }),
    );
    const tui = await open();
    tui.type(`first${keys.enter}`);
    await tui.shows('First answer.');
    tui.type(`/new${keys.enter}`);
    await tui.shows(/0 msgs/);
    tui.type(`second${keys.enter}`);
    await tui.shows('Second answer.');
    expect(desk.stage.messages(1)).toHaveLength(1);
    tui.type(`/resume${keys.enter}`);
    await tui.shows('Which session?');
    tui.type('first');
    await tui.shows(/> first +/);
    tui.type(keys.enter);
    await tui.shows(prompt);
    tui.type(`third${keys.enter}`);
    await tui.shows('Third answer.');
    expect(desk.stage.messages(2)).toHaveLength(3);
    expect(await tui.screen()).toMatch(/First answer\.[\s\S]*Second answer\.[\s\S]*Third answer\./);
  });

  it('C-13 C-14 says how much smaller the context became by itself', async () => {
    await desk.stage.file('long.txt', 'many words in a line\n'.repeat(1_000));
    let turn = 0;
    desk.stage.server.handle(({ text }) => {
      if (text.includes('<record>')) return anthropicReply({ text: '## Goal\nto test' });
      turn++;
      if (turn > 8) return anthropicReply({ text: 'Room again.' });
      const input = { file_path: 'long.txt', offset: turn, limit: 900 };
      return anthropicReply({
        toolCalls: [{ id: `toolu_${turn}`, name: 'Read', input }],
        usage: { input: turn === 8 ? 850_000 : 1_000 },
      });
    });
    const tui = await open(['read it']);
    await tui.shows(/Room again\.[\s\S]*Tool: \[8 tools\]/);
    const shown = await tui.screen();
    expect(shown).toMatch(/\n Context compressed: \d+% → \d+% {3}kept .*\n/);
    expectOnceInOrder(shown, ['> read it', 'Context compressed', 'Room again.']);
  });
});

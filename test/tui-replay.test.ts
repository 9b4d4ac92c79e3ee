import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { keys, openClassicShop, openShop, prompt, tuiHarness } from './tui.ts';

/** The rows of the conversation: from its first prompt to the last answer, without times. */
function conversation(screen: string): readonly string[] {
  const rows = screen.split('\n').map((row) => row.trimEnd());
  const first = rows.findLastIndex((row) => /^ *> (?:You: *)?fix the file/.test(row));
  const last = rows.findLastIndex((row) => row.endsWith('Done: it is fixed.'));
  return rows.slice(first, last + 1).map((row) => row.replaceAll(/\d+(?:\.\d+)?m?s\b/g, '0s'));
}

for (const [view, openStage] of [
  ['compact', openShop],
  ['classic', openClassicShop],
] as const)
  describe(`a session that is switched to, in the ${view} view`, () => {
    const desk = tuiHarness(openStage);

    it('is replayed by /resume, /fork and /tree as by -c, and /new shows nothing of it', async () => {
      await desk.stage.file('cart.js', 'const tax = 0;\n');
      await desk.stage.settings({
        permissions: { defaultMode: 'acceptEdits', allow: ['Bash(cat cart.js)'] },
      });
      const edit = { file_path: 'cart.js', old_string: '0', new_string: '0.08' };
      const code = '```sh\ncat cart.js\n```';
      desk.stage.server.reply(
        anthropicReply({
          text: `**First** I look:\n\n${code}`,
          toolCalls: [{ name: 'Read', input: { file_path: 'cart.js' } }],
        }),
        anthropicReply({ text: 'Then I edit it.', toolCalls: [{ name: 'Edit', input: edit }] }),
        anthropicReply({
          text: 'Now a check.',
          toolCalls: [{ name: 'Bash', input: { command: 'cat cart.js' } }],
        }),
        anthropicReply({ text: '# Result\n\n- one\n- two\n\nDone: it is fixed.' }),
        anthropicReply({ text: 'You are welcome.' }),
        anthropicReply({ text: 'Something else.' }),
      );
      const size = { columns: 100, rows: 60 };
      const tui = await desk.open([], size);
      tui.type(`fix the file${keys.enter}`);
      await tui.shows(/Done: it is fixed\.\n[\s\S]* out/);
      const live = conversation(await tui.screen());
      expect(live.length).toBeGreaterThan(15);
      tui.type(`thank you${keys.enter}`);
      await tui.shows('You are welcome.');
      const again = async (command: string, arrived: RegExp) => {
        tui.type(`${command}${keys.enter}`);
        return tui.shows(arrived);
      };
      const fresh = await again('/new', /New session ·/);
      expect(fresh.slice(fresh.indexOf('New session'))).not.toContain('fix the file');
      tui.type(`hello${keys.enter}`);
      await tui.shows('Something else.');
      await again('/resume fix', /Resumed "fix the file"/);
      expect(conversation(await tui.screen()), '/resume').toEqual(live);
      await again('/fork', /Forked\./);
      expect(conversation(await tui.screen()), '/fork').toEqual(live);
      await again('/tree 2', /Add a summary of the branch you are leaving\?/);
      await again('2', /continues from before that prompt/);
      expect(conversation(await tui.screen()), '/tree').toEqual(live);
      const shown = await tui.shows(/\n> thank you\n/);
      expect(shown.slice(shown.lastIndexOf('fix the file'))).not.toContain('You are welcome.');
      tui.type(`${keys.ctrlC}/exit${keys.enter}`);
      await tui.exit;
      const last = await desk.open(['-c'], size);
      await last.shows(/Resumed "/);
      await last.shows(prompt);
      expect(conversation(await last.screen()), '-c').toEqual(live);
    });

    it('counts all lines of an output that is too long to be kept, then as when it was printed', async () => {
      await desk.stage.settings({ permissions: { allow: ['Bash(seq *)'] } });
      desk.stage.server.reply(
        anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: 'seq -f %06g 20000' } }] }),
        anthropicReply({ text: 'Counted.' }),
      );
      // A path must not be broken into rows.
      const size = { columns: 300, rows: 60 };
      const tui = await desk.open([], size);
      tui.type(`!seq -f %06g 1 20000${keys.enter}`);
      const ownCommand = /… 19980 earlier lines; full text in \/\S+\.txt\n/;
      await tui.shows(ownCommand);
      tui.type(`count${keys.enter}`);
      const call =
        view === 'compact' ? /2 of 20000 lines\n/ : /… 19998 more lines; full text in \/\S+\.txt\n/;
      await tui.shows(call);
      await tui.shows('Counted.');
      tui.type(`/exit${keys.enter}`);
      await tui.exit;
      const resumed = await desk.open(['-c'], size);
      await resumed.shows('Counted.');
      for (const told of [ownCommand, call]) expect(await resumed.screen()).toMatch(told);
    });
  });

import { anthropicError, anthropicReply } from '@robota-sdk/agent-testing';
import { describe, it, vi } from 'vitest';
import { expectScreen, keys, openShop, tuiHarness } from './tui.ts';

const desk = tuiHarness(openShop);

vi.setConfig({ testTimeout: 60_000 });

const bash = (command: string, more = {}) => ({ name: 'Bash', input: { command, ...more } });

describe('several calls of one message', () => {
  it('say which question this is, and after esc which of them did not run', async () => {
    desk.stage.server.reply(
      anthropicError(529, 'Overloaded', { headers: { 'retry-after': '0' } }),
      anthropicReply({
        text: 'I build, test and start it.',
        toolCalls: [bash('npm run build'), bash('ls'), bash('npm test'), bash('npm start')],
      }),
    );
    const tui = await desk.open([], { columns: 80, rows: 24 });
    tui.type(`go${keys.enter}`);
    await tui.shows(/── Run a command ─+ 1 of 3 ──\n[\s\S]*npm run build/);
    await expectScreen(tui, 'question-first-of-3', desk.stage);
    tui.type(keys.enter);
    await tui.shows(/── Run a command ─+ 2 of 3 ──\n[\s\S]*npm test/);
    tui.type(keys.escape);
    await tui.shows(/! Interrupted\.[\s\S]*in, /);
    await expectScreen(tui, 'calls-that-did-not-run', desk.stage);
  });
});

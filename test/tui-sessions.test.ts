import { anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { expectNothingWiped, expectOnceInOrder, keys, openShop, prompt, tuiHarness } from './tui.ts';

const desk = tuiHarness(openShop, expectNothingWiped);
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

  it('one that continues shows its last hundred messages; the pager has them all', async () => {
    proves('C-97');
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
    await tui.shows('History');
    tui.type('g');
    await tui.shows('> prompt 1\n');
    tui.type('q');
    await tui.shows(prompt);
    tui.type(`more${keys.enter}`);
    await tui.shows('Going on.');
    expect(desk.stage.messages(-1).length).toBeGreaterThan(130);
  });

  it('/resume and /fork show the conversation as -c does, with each answer below its own prompt', async () => {
    desk.stage.server.reply(
      anthropicReply({ text: '# What it does\n\n1. **`cart.js`** adds up.' }),
      anthropicReply({ text: 'Another session.' }),
    );
    const tui = await open();
    tui.type(`explain it${keys.enter}`);
    await tui.shows('adds up.');
    tui.type(`/new${keys.enter}`);
    await tui.shows(/New session ·/);
    tui.type(`something else${keys.enter}`);
    await tui.shows('Another session.');
    const replayed = (screen: string) => screen.slice(screen.lastIndexOf('Another session.'));
    tui.type(`/resume explain${keys.enter}`);
    const resumed = replayed(await tui.shows(/Resumed "explain it" · 2 messages/));
    expect(resumed).toMatch(/> explain it\n[\s\S]*What it does\n[\s\S]*1\. cart\.js adds up\.[\s\S]*Resumed/);
    expect(resumed).not.toContain('**');
    tui.type(`/fork${keys.enter}`);
    const forked = (await tui.shows(/adds up\.[\s\S]*adds up\.[\s\S]*adds up\./)).split('adds up.');
    expect(forked.at(-2)).toMatch(/> explain it\n[\s\S]*1\. cart\.js $/);
    const told = await tui.shows(/Now in\s+"explain it \(copy\)"/);
    expect(told).toMatch(/adds up\.\s+Forked\. The original session [0-9a-f-]{36}\s+is unchanged\./);
  });

  it('rules for the project hold in the next session of the same process, with the line they stand on', async () => {
    const call = { name: 'Bash', input: { command: 'touch made' } };
    desk.stage.server.reply(
      ...Array.from({ length: 3 }, (_, index) => [
        anthropicReply({ toolCalls: [call] }),
        anthropicReply({ text: `Done ${index + 1}.` }),
      ]).flat(),
    );
    const tui = await open();
    tui.type(`make it${keys.enter}`);
    await tui.shows('❯ 1  Allow once');
    tui.type(`3${keys.enter}`);
    await tui.shows('Done 1.');
    tui.type(`/permissions${keys.enter}`);
    const own = /Bash\(touch made\) *\([^)]*\.robota\/settings\.local\.json:4\)/;
    const before = (await tui.shows(/deny:/)).replaceAll(/\n */g, '');
    expect(before).toMatch(own);
    expect(before.match(/Bash\(touch made\) *\(/g)).toHaveLength(1);
    for (const [index, command] of ['/new', '/resume make'].entries()) {
      tui.type(`${command}${keys.enter}`);
      await tui.shows(index === 0 ? /New session ·/ : /Resumed "make it"/);
      tui.type(`do the same${keys.enter}`);
      await tui.shows(`Done ${index + 2}.`);
      expect((await tui.screen()).match(/Saved Bash\(/g) ?? []).toHaveLength(1);
    }
    tui.type(`/permissions${keys.enter}`);
    const after = (await tui.shows(/deny:[\s\S]*deny:/)).replaceAll(/\n */g, '');
    expect(after.slice(after.lastIndexOf('mode:'))).toMatch(own);
    expect(after.slice(after.lastIndexOf('mode:'))).toMatch(/mode: default *\(built-in\)/);
  });

  it('a mode that was chosen stays in the next session, and is said to be of this one', async () => {
    const tui = await open();
    tui.type(`/mode plan${keys.enter}`);
    await tui.shows(/\nplan [^\n]*$/);
    tui.type(`/new${keys.enter}`);
    await tui.shows('New session');
    tui.type(`/permissions${keys.enter}`);
    await tui.shows('mode: plan  (this session)');
  });

  it('model and thinking level that were chosen stay in a new session, in a copy and in another directory', async () => {
    desk.stage.server.reply(anthropicReply({ text: 'Hello.' }));
    await desk.stage.file('parts/README.md', 'Parts.\n');
    const tui = await open();
    tui.type(`/model claude-haiku-4-5${keys.enter}`);
    await tui.shows(/The model is now Claude Haiku 4\.5/);
    tui.type(`${keys.escape}t`);
    const chosen = /Claude Haiku 4\.5 .*· thinking minimal[^\n]*$/;
    await tui.shows('Thinking: minimal');
    for (const [command, told] of [
      ['/new', /New session · Claude Haiku 4\.5/],
      ['/cd parts', /Working in\s+\S+\s+now/],
      ['hello', /Hello\.[\s\S]*\d in, /],
      ['/fork', /Now in "hello \(copy\)" · 2 messages/],
      ['/cd ..', /Working in\s+\S+\s+now[\s\S]*Working in\s+\S+\s+now/],
    ] as const) {
      tui.type(`${command}${keys.enter}`);
      await tui.shows(told);
      await tui.shows(chosen);
    }
  });

  it('what a hook adds to a prompt is told to the model and not shown as words of the user', async () => {
    const hook = (text: string) => [{ hooks: [{ type: 'command', command: `echo ${text}` }] }];
    await desk.stage.settings({
      hooks: { UserPromptSubmit: hook('cents-not-euros'), SessionStart: hook('main-branch') },
    });
    desk.stage.server.reply(anthropicReply({ text: 'Noted.' }));
    const tui = await open();
    tui.type(`hello there${keys.enter}`);
    const live = await tui.shows('Noted.');
    expect(live).toMatch(/> hello there\n/);
    expect(JSON.stringify(desk.stage.messages(0))).toMatch(/cents-not-euros[\s\S]*main-branch/);
    tui.type(`/resume hello${keys.enter}`);
    tui.type(keys.ctrlD);
    await tui.exit;
    const again = await open(['-c']);
    const past = await again.shows('Resumed');
    for (const shown of [live, past])
      expect(shown).not.toMatch(/cents-not-euros|main-branch|system-reminder/);
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
    await tui.shows(/New session ·/);
    tui.type(`second${keys.enter}`);
    await tui.shows('Second answer.');
    expect(desk.stage.messages(1)).toHaveLength(1);
    tui.type(`/resume${keys.enter}`);
    await tui.shows('── Resume');
    tui.type('first');
    await tui.shows(/❯ first +/);
    tui.type(keys.enter);
    await tui.shows(prompt);
    tui.type(`third${keys.enter}`);
    await tui.shows('Third answer.');
    expect(desk.stage.messages(2)).toHaveLength(3);
    expect(await tui.screen()).toMatch(/First answer\.[\s\S]*Second answer\.[\s\S]*Third answer\./);
  });

  it('says how much smaller the context became by itself', async () => {
    proves('C-13', 'C-14');
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
    await tui.shows(/Room again\.[\s\S]*8 calls · /);
    const shown = await tui.screen();
    expect(shown).toMatch(/\n· Context compressed: \d+% → \d+% · kept .*\n/);
    expectOnceInOrder(shown, ['> read it', 'Context compressed', 'Room again.']);
  });
});

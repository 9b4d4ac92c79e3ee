import { readdir } from 'node:fs/promises';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { openStage } from './stage.ts';
import type { Terminal } from './terminal.ts';
import { expectNothingWiped, keys, pasted, prompt, tuiHarness } from './tui.ts';

const desk = tuiHarness(openStage, expectNothingWiped);
const { open } = desk;

const touch = (name: string) => ({ name: 'Bash', input: { command: `touch ${name}` } });

/** Types letter by letter, like a user. */
async function write(tui: Terminal, text: string): Promise<void> {
  for (const letter of text) {
    tui.send(letter);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

/** The user's text in the last message of a request. */
function said(request: number): string[] {
  const texts = (desk.stage.messages(request).at(-1)?.content ?? []).map(({ text = '' }) => text);
  return texts.filter((text) => text !== '' && !text.startsWith('<reminder>'));
}

describe('a question whether a command may run', () => {
  it('is not answered by a sentence, which is told instead', async () => {
    proves('C-104');
    desk.stage.server.reply(anthropicReply({ toolCalls: [touch('one')] }), anthropicReply({ text: 'Fine.' }));
    const tui = await open(['go']);
    await tui.shows('❯ 1  Allow once');
    tui.type('w');
    await tui.shows('❯ 4  Deny: w');
    await write(tui, 'hy not use 2 files, y?');
    await tui.shows('❯ 4  Deny: why not use 2 files, y?');
    tui.type(keys.enter);
    await tui.shows('⊘ $ touch one · denied: "why not use 2 files, y?"');
    await tui.shows('Fine.');
    expect(JSON.stringify(desk.stage.results(1))).toContain('They said: why not use 2 files, y?');
    expect(await readdir(desk.stage.cwd)).not.toContain('one');
  });

  it.each([20, 350])(
    'is not answered by a sentence that was begun before it, at %i ms a key',
    async (pause) => {
      proves('C-104');
      const sentence = 'also add 2 tests, yes';
      const begun = Math.min(10, Math.max(2, Math.floor(900 / pause)));
      let release: () => void = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      desk.stage.server.handle(async () => {
        if (desk.stage.server.requests.length > 1) return anthropicReply({ text: 'Done.' });
        await released;
        return anthropicReply({ toolCalls: [touch('one')] });
      });
      const tui = await open(['go']);
      await tui.shows('Thinking');
      for (const [index, letter] of [...sentence].entries()) {
        if (index === begun) release();
        tui.send(letter);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
      await tui.shows('You were typing. enter send your text');
      await tui.shows(`> ${sentence}`);
      await new Promise((resolve) => setTimeout(resolve, 400));
      tui.send(keys.enter);
      await tui.shows(`next: ${sentence}`);
      await new Promise((resolve) => setTimeout(resolve, 400));
      tui.send(keys.enter);
      await write(tui, 'and more');
      await tui.shows('> and more');
      tui.send(keys.tab);
      await tui.shows(/\n1-4 jump/);
      tui.send(keys.enter);
      expect(await tui.screen()).not.toContain('❯ 1  Allow once');
      expect(await readdir(desk.stage.cwd)).toEqual([]);
      tui.send(keys.down);
      await tui.shows('❯ 1  Allow once');
      tui.send(keys.enter);
      await tui.shows('Done.');
      await tui.shows('> and more');
      expect(await readdir(desk.stage.cwd)).toContain('one');
      expect(JSON.stringify(desk.stage.messages(1))).toContain(sentence);
    },
  );

  it('stops the run with escape, and what waits behind it is not asked', async () => {
    proves('C-104');
    desk.stage.server.reply(
      anthropicReply({ toolCalls: [touch('one'), touch('two')] }),
      anthropicReply({ text: 'Not stopped.' }),
    );
    const tui = await open(['go']);
    await tui.shows('❯ 1  Allow once');
    tui.type(keys.escape);
    const shown = await tui.shows(/Interrupted\. [\s\S]*\n> Ask/);
    expect(shown).toMatch(/⊘ \$ touch one · denied\n/);
    expect(shown.match(/touch one/g)).toHaveLength(1);
    expect(shown).toMatch(/⊘ \$ touch two · did not run\n/);
    expect(shown.match(/Run a command/g)).toBeNull();
    expect(desk.stage.server.requests).toHaveLength(1);
    expect(await readdir(desk.stage.cwd)).toEqual([]);
  });

  it('lets users open the history before they answer', async () => {
    proves('C-104');
    desk.stage.server.reply(
      anthropicReply({ text: 'Let me see.', toolCalls: [touch('one')] }),
      anthropicReply({ text: 'Done.' }),
    );
    const tui = await open(['go']);
    await tui.shows('❯ 1  Allow once');
    tui.type(keys.ctrlO);
    await tui.shows(/History[\s\S]*Let me see\./);
    tui.type('q');
    await tui.shows('❯ 1  Allow once');
    tui.type(`y${keys.enter}`);
    await tui.shows('Done.');
    expect(await readdir(desk.stage.cwd)).toContain('one');
  });

  it('shows the command on a very small screen', async () => {
    proves('C-104');
    desk.stage.server.reply(anthropicReply({ toolCalls: [touch('one')] }));
    const tui = await open(['go'], { columns: 20, rows: 10 });
    await tui.shows(/touch one\n[\s\S]*❯ 1 {2}Allow once/);
  });
});

describe('what is pasted', () => {
  const hidden = '!touch pwned; echo hidden\n'.repeat(30);

  it('is a prompt, not a command, whether it is shown or folded, and recalled as well', async () => {
    proves('P-89');
    desk.stage.server.reply(...['one', 'two', 'three', 'four'].map((text) => anthropicReply({ text })));
    const tui = await open();
    tui.type(pasted(hidden));
    await tui.shows('[paste #1 +30 lines]');
    tui.type(keys.enter);
    await tui.shows(/● one/);
    expect(said(0)).toEqual([hidden.trim()]);
    tui.type(pasted('!touch pwned\n/exit\n'));
    tui.type(keys.enter);
    await tui.shows(/● two/);
    expect(said(1)).toEqual(['!touch pwned\n/exit']);
    tui.type(keys.up);
    await tui.shows(/\n> !touch pwned\n/);
    tui.type(keys.enter);
    await tui.shows(/● three/);
    tui.type(pasted('/mode bypassPermissions\nand more'));
    tui.type(keys.enter);
    await tui.shows(/● four/);
    expect((await tui.viewport()).at(-1)).toMatch(/^default/);
    expect(await readdir(desk.stage.cwd)).toEqual([]);
  });

  it('names no files, but what is typed around it does', async () => {
    proves('P-89');
    await desk.stage.file('a.txt', 'alpha');
    await desk.stage.file('b.txt', 'beta');
    desk.stage.server.reply(anthropicReply({ text: 'one' }));
    const tui = await open();
    tui.type(`${pasted('see @a.txt\nor not')} and @b.txt now${keys.enter}`);
    await tui.shows(/● one/);
    const sent = JSON.stringify(desk.stage.messages(0));
    expect(sent).toContain('beta');
    expect(sent).not.toContain('alpha');
  });

  it('behind a typed mark runs as a whole', async () => {
    proves('P-113');
    const tui = await open();
    tui.type(`!${pasted('echo o"n"e\necho t"w"o')}${keys.enter}`);
    await tui.shows(/ {4}one\n {4}two/);
  });
});

describe('a command of the user', () => {
  it('says how it is stopped; stopped or refused it has no exit code', async () => {
    proves('P-113');
    const tui = await open();
    tui.type(`!echo b"e"gun; sleep 60${keys.enter}`);
    await tui.shows(/ {4}begun\n⟳ Running… \d+s · esc interrupt/);
    tui.type(keys.escape);
    await tui.shows(/ {4}begun\n {4}\[interrupted after/);
    tui.type(`!sudo ls${keys.enter}`);
    const shown = await tui.shows('Not run:');
    expect(shown).not.toContain('exit code');
    expect(shown).not.toMatch(/Not run:[\s\S]*Took/);
  });
});

describe('the editor', () => {
  it('has the keys of vim as soon as the setting says so, and no longer', async () => {
    const tui = await open();
    tui.type(`/config set vim true${keys.enter}`);
    await tui.shows('The changed settings are now in effect: vim (true, was false)');
    tui.type('hello');
    tui.type(keys.escape);
    await tui.shows(/\n.* normal .*\n> hello\n|\n> hello\n.* normal /);
    tui.type('0x');
    await tui.shows(/\n> ello\n/);
    tui.type(`cc/config set vim false${keys.enter}`);
    await tui.shows('The changed settings are now in effect: vim (false, was true)');
    tui.type('0x');
    await tui.shows(/\n> 0x\n/);
  });

  it('runs a command that was typed to its end, and a word of its menu once one goes to it', async () => {
    proves('C-39', 'C-43');
    const tui = await open();
    tui.type('/mode');
    await tui.shows('/model');
    tui.type(keys.enter);
    await tui.shows(/── Mode ─[\s\S]*❯ default +asks before edits[\s\S]*\n {2}plan +reads only/);
    tui.type(keys.escape);
    await tui.shows(prompt);
    tui.type('/mode ');
    await tui.shows('acceptEdits');
    tui.type(keys.down);
    tui.type(keys.enter);
    await tui.shows('Permission mode: plan');
  });

  it('Ctrl+C clears a command whose menu is open, and the next one is not glued to it', async () => {
    proves('C-42');
    const tui = await open();
    tui.type('/mod');
    await tui.shows('> /model');
    tui.type(keys.ctrlC);
    await tui.shows(prompt);
    tui.type(`/cost${keys.enter}`);
    await tui.shows(/\n\/cost\n/);
    expect(desk.stage.server.requests).toHaveLength(0);
  });

  it('completes a path without an @ on tab, and directories on the way', async () => {
    proves('P-106');
    await desk.stage.file('source/deep/er/file.ts', 'x');
    const tui = await open();
    tui.type(`./so${keys.tab}`);
    await tui.shows('> ./source/');
    tui.type(keys.tab);
    await tui.shows('> ./source/deep/');
  });

  it('waits with tab for the file that is being looked for', async () => {
    proves('P-94');
    await desk.stage.file('with blank.txt', 'x');
    desk.stage.server.reply(anthropicReply({ text: 'one' }));
    const tui = await open();
    tui.type(`@with${keys.tab}now${keys.enter}`);
    await tui.shows(/● one/);
    expect(said(0)[0]).toBe('@"with blank.txt" now');
  });
});

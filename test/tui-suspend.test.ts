import { anthropicChunks, anthropicReply, eventStream } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import type { Terminal } from './terminal.ts';
import {
  expectModesOff,
  expectNothingWiped,
  expectOnceInOrder,
  keys,
  openShop,
  pasted,
  prompt,
  runEnd,
  tuiHarness,
} from './tui.ts';

const desk = tuiHarness(openShop, expectNothingWiped);

/** Starts the program from bash with job control. */
async function openInBash(size: { columns: number; rows: number } = { columns: 80, rows: 24 }) {
  const shell = desk.start(['--norc', '--noprofile', '-i'], {
    program: '/bin/bash',
    env: { PS1: '$ ' },
    ...size,
  });
  await shell.shows('$');
  shell.type(`"$NODE" "$ROBOTA" --model claude-sonnet-4-6${keys.enter}`);
  await shell.shows(prompt);
  return shell;
}

let words = 0;

/** Goes to the shell, does something there, and comes back; returns what is on the terminal from then on. */
async function awayAndBack(shell: Terminal): Promise<() => Promise<string>> {
  const word = `away-${++words}`;
  const stops = (await shell.screen()).match(/Stopped/g)?.length ?? 0;
  shell.type(keys.ctrlZ);
  await shell.shows(new RegExp(`Stopped(?:[\\s\\S]*Stopped){${stops}}`));
  // The shell has modes of its own.
  expectModesOff({ raw: shell.raw.slice(0, shell.raw.lastIndexOf('Stopped')) });
  shell.type(`echo ${word.replace('-', "''-")}${keys.enter}`);
  await shell.shows(`\n${word}`);
  // Longer than a process waits for being stopped.
  await new Promise((resolve) => setTimeout(resolve, 150));
  shell.type(`fg${keys.enter}`);
  return async () => (await shell.screen()).split(`\n${word}`).at(-1) ?? '';
}

/** One editor, one footer, nothing twice. */
function expectOneScreen(shown: string): void {
  expect(shown.match(/\n─+\n> [^\n]*\n─+\n/g), shown).toHaveLength(1);
  expect(shown.match(/\n(?:[^\n]*\? help|Pasted as [^\n]*)$/g), shown).toHaveLength(1);
}

describe.skipIf(process.platform === 'win32')('ctrl+z and fg in bash', () => {
  it('leave one clean screen while a question is open, which is answered afterwards', async () => {
    desk.stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: 'touch made' } }] }),
      anthropicReply({ text: 'It is made.' }),
    );
    const shell = await openInBash();
    shell.type(`make it${keys.enter}`);
    await shell.shows('❯ 1  Allow once');
    for (let time = 0; time < 2; time++) {
      const since = await awayAndBack(shell);
      await expect.poll(since).toMatch(/── Run a command ─+\n[\s\S]*touch made\n[\s\S]*❯ 1 {2}Allow once/);
      const shown = await since();
      expect(shown.match(/── Run a command/g), shown).toHaveLength(1);
      expect(shown.match(/Allow once/g), shown).toHaveLength(1);
      expect(shown.match(/\? help/g), shown).toHaveLength(1);
    }
    shell.type(keys.enter);
    await shell.shows(/✓ \$ touch made[\s\S]*It is made\.\n[\s\S]* out/);
    expect((await shell.screen()).match(/> make it/g)).toHaveLength(1);
  });

  it('continue an answer that streams where it was, each line once', async () => {
    const sections = Array.from({ length: 60 }, (_, index) => `Section ${index + 1} has its words.`);
    const chunks = anthropicChunks({ text: sections.map((section) => `${section}\n\n`) });
    desk.stage.server.reply(eventStream(chunks.flatMap((chunk) => [chunk, { pauseMs: 40 }])));
    const shell = await openInBash();
    shell.type(`write${keys.enter}`);
    await shell.shows('Section 8 has');
    const since = await awayAndBack(shell);
    await shell.shows(/Section 60 has its words\.\n[\s\S]* out/);
    await shell.shows(prompt);
    expectOneScreen(await since());
    expectOnceInOrder(await shell.screen(), ['> write', ...sections]);
  });

  it.each([
    ['the history', keys.ctrlO, 'History'],
    ['a review', `/review${keys.enter}`, 'Review: this session'],
    ['the context', `/context${keys.enter}`, '── Context'],
    ['the keys', `/keys${keys.enter}`, '── Help'],
  ])(
    'bring %s back that was open, and closing it leaves the conversation as it was',
    async (_, open, title) => {
      await desk.stage.file('a.txt', 'one\n');
      await desk.stage.settings({ permissions: { defaultMode: 'acceptEdits' } });
      const edit = { file_path: 'a.txt', old_string: 'one', new_string: 'two' };
      desk.stage.server.reply(
        anthropicReply({ toolCalls: [{ name: 'Edit', input: edit }] }),
        anthropicReply({ text: 'It is two.' }),
      );
      const shell = await openInBash();
      shell.type(`change it${keys.enter}`);
      await shell.shows(runEnd);
      shell.type(open);
      await shell.shows(title);
      for (let time = 0; time < 2; time++) {
        await awayAndBack(shell);
        await expect.poll(async () => (await shell.viewport()).join('\n')).toContain(title);
      }
      shell.type(keys.escape);
      await shell.shows(prompt);
      const shown = await shell.screen();
      expectOnceInOrder(shown, ['> change it', '✓ Edit a.txt', 'It is two.']);
      expectOneScreen(shown.slice(shown.lastIndexOf('fg\n')));
      shell.type('still here');
      await shell.shows('> still here');
    },
  );

  it('bring a list and a paste back that were open above the editor', async () => {
    const shell = await openInBash();
    shell.type(`/model${keys.enter}`);
    await shell.shows('── Model');
    const since = await awayAndBack(shell);
    await expect.poll(since).toMatch(/── Model ─+[\s\S]*enter select/);
    expect((await since()).match(/── Model/g)).toHaveLength(1);
    shell.type(keys.escape);
    await shell.shows(prompt);
    shell.type(pasted(Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n')));
    await shell.shows('[paste #1 +20 lines]');
    shell.type('\u001be');
    await shell.shows('enter expand');
    const again = await awayAndBack(shell);
    await expect.poll(again).toMatch(/── \[paste #1 \+20 lines\] ─+[\s\S]*enter expand/);
    expect((await again()).match(/enter expand/g)).toHaveLength(1);
    shell.type(keys.escape);
    await expect.poll(again).toMatch(/\n─+\n> \[paste #1 \+20 lines\]\n─+\n/);
    expectOneScreen(await again());
  });

  it('continue a command of the user and a call that ran meanwhile', async () => {
    await desk.stage.settings({ permissions: { defaultMode: 'bypassPermissions' } });
    const command = 'until [ -e go ]; do echo a step; sleep 0.1; done; echo the last step';
    desk.stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] }),
      anthropicReply({ text: 'All steps are done.' }),
    );
    const shell = await openInBash();
    shell.type(`go${keys.enter}`);
    await shell.shows(/Running until/);
    const since = await awayAndBack(shell);
    await desk.stage.file('go', '');
    await shell.shows(/All steps are done\.\n[\s\S]* out/);
    await shell.shows(prompt);
    expectOneScreen(await since());
    expect(await since()).toContain('the last step');
    shell.type(`!until [ -e on ]; do sleep 0.05; done; echo shell-$((6 * 7))${keys.enter}`);
    await shell.shows('! until');
    await awayAndBack(shell);
    await desk.stage.file('on', '');
    await shell.shows('shell-42');
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it, vi } from 'vitest';
import { expectNothingWiped, expectScreen, keys, openShop, runEnd, sizes, tuiHarness } from './tui.ts';

const desk = tuiHarness(openShop);

const bypass = ['--permission-mode', 'bypassPermissions'];
const waitFor = (name: string) => `until [ -e ${name} ]; do sleep 0.05; done`;
const bash = (...commands: readonly string[]) =>
  anthropicReply({ toolCalls: commands.map((command) => ({ name: 'Bash', input: { command } })) });
const say = (text: string) => anthropicReply({ text });

/** How many of these commands run. */
function running(lines: readonly string[]): number {
  const commands = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });
  return lines.filter((line) => commands.includes(`${line.replaceAll(' ', '\0')}\0`)).length;
}

describe('ctrl+b', () => {
  it.each(sizes)('moves the running command to the background at $columns×$rows', async (size) => {
    const { stage } = desk;
    stage.server.reply(
      bash(`echo compiling; ${waitFor('go')}; echo compiled`),
      say('The build goes on.'),
      say('It has ended.'),
    );
    const tui = await desk.open(bypass, size);
    tui.type(`build it${keys.enter}`);
    await tui.shows(/ \ds\n {4}compiling[\s\S]*Running .* esc interrupt · ctrl\+b background/);
    await expectScreen(tui, 'background-running', stage);
    tui.type(keys.ctrlB);
    await tui.shows('The build goes on.');
    await tui.shows(runEnd);
    const [result] = stage.results(1);
    expect(result?.isError).toBe(false);
    expect(result?.text).toMatch(/^compiling\n\[moved to the background as bash-1 after .*; it still runs\./);
    await tui.shows(/· 1 task/);
    await expectScreen(tui, 'background-moved', stage);
    await stage.file('go', '');
    await tui.shows(/bash-1 done/);
    tui.type(`and now?${keys.enter}`);
    await tui.shows('It has ended.');
    const told = JSON.stringify(stage.messages(2));
    expect(told).toContain('<background-task id=\\"bash-1\\" status=\\"completed\\">');
    const [, log = ''] = /all output: (\S+?)\]/.exec(told) ?? [];
    expect(readFileSync(log, 'utf8')).toBe('compiling\ncompiled\n');
    expectNothingWiped(tui);
  });

  it('does not move the check of a goal, which the working line shows', async () => {
    const { stage } = desk;
    stage.server.reply(say('Finished.'));
    const tui = await desk.open(bypass);
    tui.type(`/goal make it --check ${waitFor('go')}${keys.enter}`);
    await tui.shows(/Finished\.\n\n⟳ Goal check is running: until .*… .*esc interrupt\n/);
    expect(await tui.screen()).not.toContain('ctrl+b background');
    tui.type(keys.ctrlB);
    await stage.file('go', '');
    await tui.shows(/Goal check passed: .* · [\d.]+s\n/);
    await tui.shows(runEnd);
    expect(await tui.screen()).not.toMatch(/check is running|1 task/);
  });

  it('moves one command after the other; they outlive an interruption and end with the session', async () => {
    const { stage } = desk;
    const followers = [1, 2].map((number) => `tail -n ${process.pid}${number} -f shop.log`);
    await stage.file('shop.log', 'open\n');
    stage.server.reply(bash(...followers), say('Both run.'));
    const tui = await desk.open(bypass);
    tui.type(`start both${keys.enter}`);
    for (const [index, line] of followers.entries()) {
      await vi.waitUntil(() => running(followers) === index + 1);
      // In one row: the key of the command before may still be shown beside the name of this one's call.
      await tui.shows(new RegExp(`Running ${line.replace('.', '\\.')}.* ctrl\\+b background`));
      tui.type(keys.ctrlB);
    }
    await tui.shows('Both run.');
    await tui.shows('2 tasks');
    const texts = stage.results(1).map(({ text }) => text);
    expect(texts[0]).toContain('as bash-1 ');
    expect(texts[1]).toContain('as bash-2 ');
    tui.type(keys.escape);
    expect(running(followers)).toBe(2);
    tui.type(keys.ctrlD);
    expect(await tui.exit).toBe(0);
    expect(running(followers)).toBe(0);
  });

  it('moves a command of the user, and is a key of the editor where nothing runs', async () => {
    const { stage } = desk;
    const tui = await desk.open();
    tui.type(`!echo begun; ${waitFor('go')}${keys.enter}`);
    await tui.shows(/begun\n[\s\S]*Running… .*esc interrupt · ctrl\+b background/);
    tui.type(keys.ctrlB);
    await tui.shows('moved to the background as bash-1');
    await tui.shows('· 1 task');
    tui.type('ac');
    tui.type(keys.ctrlB);
    tui.type('b');
    await tui.shows('> abc');
    await stage.file('go', '');
    await tui.shows('bash-1 done');
  });
});

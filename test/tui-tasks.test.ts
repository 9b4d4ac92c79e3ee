import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import {
  expectNothingWiped,
  expectScreen,
  hangingAnswer,
  keys,
  openShop,
  prompt,
  runEnd,
  sizes,
  tuiHarness,
} from './tui.ts';

const desk = tuiHarness(openShop);

const bypass = ['--permission-mode', 'bypassPermissions'];
const waitFor = (name: string) => `until [ -e ${name} ]; do sleep 0.05; done`;
const inBackground = (command: string, id: string) => ({
  name: 'Bash',
  input: { command, run_in_background: true },
  id,
});
const say = (text: string) => anthropicReply({ text });

describe.each(sizes)('screens of work and permissions at $columns×$rows', (size) => {
  it('/tasks lists tasks, follows their output and stops them, while the model works', async () => {
    const { stage } = desk;
    const server = `echo ready on http://localhost:5173; ${waitFor('go')}; echo reloaded; exec sleep 600`;
    // The second command waits for the pipe, so that it ends after the run.
    execFileSync('mkfifo', [join(stage.cwd, 'nay')]);
    stage.server.reply(
      anthropicReply({
        toolCalls: [inBackground(server, 'toolu_1'), inBackground('cat nay; exit 3', 'toolu_2')],
      }),
    );
    stage.server.handle(({ text }) =>
      text.includes('look at it') ? hangingAnswer(['I look ', 'at it.']) : say('Both are started.'),
    );
    const tui = await desk.open(bypass, size);
    tui.type(`/tasks${keys.enter}`);
    await tui.shows(/── Tasks ─+ 0 running ──\nNo tasks\. ctrl\+b moves/);
    await expectScreen(tui, 'tasks-none', stage);
    tui.type(keys.escape);
    await tui.shows(prompt);
    tui.type(`start them${keys.enter}`);
    await tui.shows('Both are started.');
    await tui.shows(runEnd);
    await stage.file('nay', 'no\n');
    await tui.shows('bash-2 failed');
    tui.type(`look at it${keys.enter}`);
    await tui.shows('I look at it.');
    tui.type(`/tasks${keys.enter}`);
    await tui.shows(/── Tasks ─+ 1 running ──[\s\S]*ready on http/);
    await expectScreen(tui, 'tasks', stage);
    tui.type('f');
    await tui.shows(/ {4}ready on http:\/\/localhost:5173\n⟳ bash-1 /);
    tui.type('typed below it');
    await tui.shows(
      / {4}ready on http:\/\/localhost:5173\n⟳ bash-1 echo ready[^\n]* · \d+s · ctrl\+b background\n─+\n> typed below it\n/,
    );
    tui.type(keys.ctrlB + keys.ctrlU);
    await tui.shows(/interrupt\n─+\n> Ask/);
    tui.type(`/tasks${keys.enter}`);
    await tui.shows(/── Tasks ─+ 1 running ──[\s\S]*ready on http/);
    tui.type(keys.enter);
    await tui.shows(/── bash-1 [\s\S]*\nready on http/);
    await stage.file('go', '');
    await tui.shows(/ready on http:\/\/localhost:5173\nreloaded\n/);
    await expectScreen(tui, 'tasks-output', stage);
    tui.type('x');
    await tui.shows('Stop bash-1? enter stop · esc cancel');
    tui.type(keys.escape);
    await tui.shows('up/down scroll');
    tui.type('x');
    tui.type(keys.enter);
    await tui.shows(/── bash-1 .* cancelled/);
    tui.type(keys.escape);
    await tui.shows(/── Tasks ─+ 0 running ──/);
    await expectScreen(tui, 'tasks-ended', stage);
    tui.type('d');
    tui.type('d');
    await tui.shows('No tasks.');
    tui.type(keys.escape);
    await tui.shows('esc interrupt');
    tui.type(keys.escape);
    await tui.shows('Interrupted');
    expectNothingWiped(tui);
  });

  it('/agent lists the agents with their models, tools and files', async () => {
    const { stage } = desk;
    await stage.file(
      '.robota/agents/reviewer.md',
      '---\nname: reviewer\ndescription: Reviews a diff against our style\ntools: Read, Grep\n---\nYou review changes.\nBe short.\n',
    );
    await stage.file('append', '#!/bin/sh\necho edited >> "$1"\n');
    const tui = await desk.open([], { ...size, env: { VISUAL: `sh ${join(stage.cwd, 'append')}` } });
    tui.type(`/agent${keys.enter}`);
    await tui.shows('── Agents ');
    await expectScreen(tui, 'agents', stage);
    for (let step = 0; step < 3; step++) tui.type(keys.down);
    tui.type(' ');
    await tui.shows(/── reviewer [\s\S]*tools +Read, Grep/);
    await expectScreen(tui, 'agents-details', stage);
    tui.type('e');
    await tui.shows('Run /reload to use the changed agent.');
    expect(await readFile(join(stage.cwd, '.robota/agents/reviewer.md'), 'utf8')).toMatch(/edited\n$/);
    tui.type(`/agent${keys.enter}`);
    await tui.shows('── Agents ');
    for (let step = 0; step < 3; step++) tui.type(keys.down);
    tui.type(keys.enter);
    await tui.shows('> /agent reviewer');
    expectNothingWiped(tui);
  });

  it('/mode chooses a permission mode, and says what each means', async () => {
    proves('C-29');
    const tui = await desk.open([], size);
    tui.type(`/mode${keys.enter}`);
    await tui.shows('── Mode ');
    tui.type(keys.shiftTab);
    await expectScreen(tui, 'modes', desk.stage);
    tui.type(keys.enter);
    await tui.shows('Mode: accept edits (this session)');
    await tui.shows(/\naccept edits · /);
    tui.type(`/mode${keys.enter}`);
    await tui.shows(/❯ accept edits +edits/);
    tui.type(keys.escape);
    await tui.shows(prompt);
    expectNothingWiped(tui);
  });
});

describe('/mode', () => {
  it('lets bypass be chosen only after a start with a flag, in the list and as an argument', async () => {
    const tui = await desk.open();
    tui.type(`/mode bypassPermissions${keys.enter}`);
    await tui.shows(/not available\. Start with --permission-mode\s+bypassPermissions/);
    tui.type(`/mode${keys.enter}`);
    await tui.shows('never asks; needs --permission-mode');
    for (let step = 0; step < 3; step++) tui.type(keys.down);
    tui.type(keys.enter);
    await tui.shows(/── Mode [\s\S]*The mode bypassPermissions is not available/);
    tui.type(keys.escape);
    await tui.shows(/\ndefault · /);
    tui.kill('SIGKILL');
    await tui.exit;
    const flagged = await desk.open(['--allow-dangerously-skip-permissions']);
    await flagged.shows(/\ndefault · /);
    flagged.type(`/mode bypassPermissions${keys.enter}`);
    await flagged.shows(/\nbypass · /);
    flagged.type(keys.shiftTab);
    await flagged.shows(/\ndefault · /);
  });

  it('says why a mode cannot be chosen', async () => {
    await desk.stage.settings({ permissions: { disableBypassPermissionsMode: 'disable' } });
    const tui = await desk.open();
    tui.type(`/mode${keys.enter}`);
    await tui.shows('── Mode ');
    tui.type(keys.up);
    for (let step = 0; step < 3; step++) tui.type(keys.down);
    tui.type(keys.enter);
    await tui.shows(/forbidden by\s+permissions\.disableBypass/);
    expect(await tui.screen()).toContain('── Mode ');
  });
});

import { anthropicReply } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './stage.ts';
import { hangingAnswer, keys, tuiHarness } from './tui.ts';

const say = (text: string) => anthropicReply({ text });

describe('/btw', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await openStage();
  });

  afterEach(() => stage.server.close());

  it('answers from the conversation, and no later request knows of it; its cost counts', async () => {
    stage.server.reply(say('Noted.'), say('It was 7.'), say('Hello.'));
    await stage.robota(['-p', 'remember 7']);
    const asked = await stage.robota(['-p', '-c', '/btw which number was it?']);
    expect(asked).toMatchObject({ code: 0, stdout: 'It was 7.\n' });
    expect(JSON.stringify(stage.messages(1))).toContain('remember 7');
    expect(JSON.stringify(stage.messages(1).at(-1))).toContain('which number was it?');
    await stage.robota(['-p', '-c', 'hello']);
    expect(JSON.stringify(stage.messages(2))).not.toMatch(/which number|It was 7/);
    expect((await stage.robota(['-p', '-c', '/cost'])).stdout).toContain('(asides)');
  });

  it('runs no tool, and says so where the conversation has no answer', async () => {
    const touch = { name: 'Bash', input: { command: 'touch made' }, id: 'toolu_1' };
    stage.server.reply(say('Hi.'), anthropicReply({ toolCalls: [touch] }));
    await stage.robota(['-p', 'hi']);
    const asked = await stage.robota(['-p', '-c', '/btw make it', '--permission-mode', 'bypassPermissions']);
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain('Ask it as a prompt');
    expect(stage.server.requests).toHaveLength(2);
  });

  it('needs a question', async () => {
    const { code, stderr } = await stage.robota(['-p', '/btw']);
    expect(code).toBe(1);
    expect(stderr).toContain('Use /btw QUESTION');
  });
});

describe('/btw during a run', () => {
  const desk = tuiHarness(openStage);

  it('is answered beside it, and the run continues', async () => {
    desk.stage.server.reply(hangingAnswer(['I begin.']), say('Because of the tax.'));
    const tui = await desk.open();
    tui.type(`fix it${keys.enter}`);
    await tui.shows('I begin.');
    tui.type(`/btw why?${keys.enter}`);
    const shown = await tui.shows('Because of the tax.');
    expect(shown).toContain('/btw why?');
    expect(await tui.screen()).toMatch(/esc interrupt/);
    expect(desk.stage.server.requests).toHaveLength(2);
    tui.type(keys.escape);
    await tui.shows('Interrupted.');
  });

  it('shows how long its answer takes, and escape cancels all that wait, and a command of the user', async () => {
    const { stage } = desk;
    stage.server.reply(hangingAnswer(['Because']), say('It is.'));
    const tui = await desk.open();
    tui.type(`!echo started; tail -f /dev/null${keys.enter}`);
    await tui.shows(/\n {2,}started\n/);
    tui.type(`/btw why?${keys.enter}`);
    await expect.poll(() => stage.server.requests.length).toBe(1);
    tui.type(`/btw is it?${keys.enter}`);
    await tui.shows('It is.');
    await tui.shows(/Answering your question… \d+s · esc cancel$/);
    tui.type(keys.escape);
    await tui.shows(/btw why\?\nBecause\n\nThe answer is incomplete: Interrupted\./);
    await tui.shows(/ started\n +\[interrupted after/);
    await tui.shows(/\n[^\n]*<\$0\.01[^\n]*$/);
  });
});

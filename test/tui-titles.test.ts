import { anthropicReply, type RecordedRequest, type Reply } from '@robota-sdk/agent-testing';
import { describe, expect, it, vi } from 'vitest';
import { openStage } from './stage.ts';
import { keys, runEnd, tuiHarness } from './tui.ts';

const desk = tuiHarness(openStage);

const say = (text: string) => anthropicReply({ text });

/** Answers requests for titles, and remembers them. */
function titles(answer: (request: RecordedRequest) => Reply | Promise<Reply>): RecordedRequest[] {
  const asked: RecordedRequest[] = [];
  desk.stage.server.handleTitles((request) => {
    asked.push(request);
    return answer(request);
  });
  return asked;
}

/** Lists the sessions, until the list shows a text. */
async function listed(text: string): Promise<string> {
  const list = async () => (await desk.stage.robota(['sessions'])).stdout;
  await vi.waitUntil(async () => (await list()).includes(text), { interval: 200 });
  return list();
}

function bodyOf([first]: readonly RecordedRequest[]): Readonly<Record<string, unknown>> {
  return Object(first?.body);
}

describe('the title of a session', () => {
  it('is written by the small model after the first exchange, and its cost is counted', async () => {
    const asked = titles(() => say('"**Apply the tax in total**."\nMore words'));
    desk.stage.server.reply(say('The tax is applied now.'), say('You are welcome.'));
    const tui = await desk.open();
    tui.type(`please make total apply the tax rate${keys.enter}`);
    await tui.shows('The tax is applied now.');
    expect(await listed('Apply the tax in total')).toMatch(/ {2}Apply the tax in total {2}/);
    tui.type(`thank you${keys.enter}`);
    await tui.shows('You are welcome.');
    await tui.shows(runEnd);
    expect(asked).toHaveLength(1);
    const { model, messages, tools } = bodyOf(asked);
    expect(model).toBe('claude-haiku-5-5');
    expect(tools ?? []).toEqual([]);
    expect(JSON.stringify(messages)).toMatch(/please make total apply[\s\S]*The tax is applied now/);
    // The conversation of the session's own model knows nothing of it.
    expect(JSON.stringify(desk.stage.messages(1))).not.toContain('Apply the tax in total');
    const lines = await desk.stage.sessionLines('session.jsonl');
    const spent = lines.filter(({ customType }) => customType === 'robota.spent');
    expect(spent).toMatchObject([{ data: { purpose: 'titles', modelCalls: 1 } }]);
    expect(JSON.stringify(spent)).toMatch(/"cost":0\.0*[1-9]/);
  });

  it('never replaces a name of the user, and never delays a turn', async () => {
    let finish = (_reply: Reply) => {};
    const asked = titles(() => new Promise((resolve) => (finish = resolve)));
    desk.stage.server.reply(say('Done.'), say('Again done.'));
    const tui = await desk.open();
    tui.type(`first prompt${keys.enter}`);
    await tui.shows('Done.');
    await vi.waitUntil(() => asked.length === 1);
    tui.type(`second prompt${keys.enter}`);
    await tui.shows('Again done.');
    tui.type(`/name my own name${keys.enter}`);
    await tui.shows('my own name');
    await listed('my own name');
    finish(say('Title of the model'));
    await vi.waitUntil(async () =>
      JSON.stringify(await desk.stage.sessionLines('session.jsonl')).includes('"titles"'),
    );
    expect(await listed('my own name')).not.toContain('Title of the model');
  });

  it('does not delay the end; then the first prompt stays the title', async () => {
    const asked = titles(() => new Promise(() => {}));
    desk.stage.server.reply(say('Done.'));
    const tui = await desk.open();
    tui.type(`first prompt${keys.enter}`);
    await tui.shows('Done.');
    await vi.waitUntil(() => asked.length === 1);
    tui.type(keys.ctrlD);
    expect(await tui.exit).toBe(0);
    expect(await listed('first prompt')).toContain('first prompt');
  });

  it('stays the first prompt with titles off, with -p, and without a small model', async () => {
    const { stage } = desk;
    const asked = titles(() => say('Title of the model'));
    await stage.settings({ titles: false });
    stage.server.reply(say('Done.'), say('Done with it.'));
    const tui = await desk.open();
    tui.type(`first prompt${keys.enter}`);
    await tui.shows('Done.');
    await tui.shows(runEnd);
    tui.type(keys.ctrlD);
    expect(await tui.exit).toBe(0);
    await stage.settings({});
    await stage.robota(['-p', 'printed prompt']);
    const other = await desk.open(['--model', 'offline']);
    other.type(`help${keys.enter}`);
    await other.shows(/offline model/);
    other.type(keys.ctrlD);
    expect(await other.exit).toBe(0);
    expect(asked).toEqual([]);
    expect(await listed('first prompt')).toMatch(/printed prompt[\s\S]*first prompt/);
  });

  it('comes from the model for summaries where one is set', async () => {
    const asked = titles(() => say('Title of the model'));
    await desk.stage.settings({ compaction: { model: 'anthropic/claude-sonnet-4-5' } });
    desk.stage.server.reply(say('Done.'));
    const tui = await desk.open();
    tui.type(`first prompt${keys.enter}`);
    await tui.shows('Done.');
    await listed('Title of the model');
    expect(asked.map(({ body }) => (body as { model: string }).model)).toEqual(['claude-sonnet-4-5']);
  });
});

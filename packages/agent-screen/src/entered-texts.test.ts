import { afterEach, describe, expect, it, vi } from 'vitest';
import { openScripted } from '../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject } from '../../agent-sdk/src/fixtures/test-project.ts';
import { EnteredTexts } from './entered-texts.ts';
import { testStage } from './screens/fixtures/test-stage.ts';

const sessions: { shutdown(): Promise<void> }[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.shutdown();
});

/** A session whose model answers its first prompt when the test says so. */
async function openRun() {
  const place = await makeTestProject();
  for (const name of ['model-review', 'help.me', 'cost'])
    await place.put(`.robota/commands/${name}.md`, `Do ${name}.`);
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { session, provider } = await openScripted(place, [
    { text: 'done', before: () => asked },
    { text: 'reviewed' },
  ]);
  sessions.push(session);
  const stage = testStage({ session });
  const texts = new EnteredTexts({
    stage,
    showShell: () => {},
    switchTo: async () => {},
    replay: async () => {},
    adviseOn: async () => undefined,
    exit: () => {},
  });
  session.subscribe((event) => texts.take(event));
  const enter = (text: string) => texts.enter({ text, shown: text, pasted: [] });
  enter('begin');
  await vi.waitFor(() => expect(provider.requests).toHaveLength(1));
  return { session, provider, stage, texts, enter, answer };
}

describe('what is entered while a run is active', () => {
  it('runs a command at once only if its row says so, whatever its name begins with', async () => {
    const { session, provider, stage, texts, enter, answer } = await openRun();
    for (const waiting of ['/model-review', '/help.me', '/compact', '/unknown', '!true']) {
      enter(waiting);
      expect(texts.waiting).toEqual([waiting]);
      expect(texts.takeBack().map(({ text }) => text)).toEqual([waiting]);
    }
    enter('/model-review');
    enter('/cost');
    expect(texts.waiting).toEqual(['/model-review']);
    await vi.waitFor(() =>
      expect(stage.printed).toMatchObject([{ kind: 'notice', text: expect.stringMatching(/^\/cost\n/) }]),
    );
    answer();
    await vi.waitFor(() => expect(provider.requests).toHaveLength(2));
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain('Do model-review.');
    await vi.waitFor(() => expect(session.isExecuting()).toBe(false));
  });

  it('opens the screen of a command and tells the model what is no command', async () => {
    const { session, stage, texts, enter, answer } = await openRun();
    enter('/keys');
    await vi.waitFor(() => expect(stage.panel).toBeDefined());
    enter('/usr/bin/x is broken');
    await vi.waitFor(() => expect(session.getSession().queue.steering).toHaveLength(1));
    expect(texts.waiting).toEqual([]);
    answer();
    await vi.waitFor(() => expect(session.isExecuting()).toBe(false));
  });
});

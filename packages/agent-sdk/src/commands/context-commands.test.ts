import type { CompactionReceipt, ContextReport } from '@robota-sdk/agent-sessions';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

const long = 'words '.repeat(9_000);

async function run(session: InteractiveSession, line: string) {
  const [name = '', ...args] = line.split(' ');
  const result = await session.executeCommand(name, args.join(' '));
  if (!result) throw new Error(`there is no command ${name}`);
  return result;
}

/** A conversation of three prompts that was compacted. */
async function compacted() {
  const { session, provider } = await openScripted(await makeTestProject(), ({ tools }) => ({
    text: tools.length === 0 ? 'the notes' : long,
    usage: { input: 60_000, cacheRead: 20_000, cacheWrite: 20_000 },
  }));
  for (const prompt of ['first', 'second', 'third']) await session.submit(prompt);
  const result = await run(session, 'compact');
  return { session, provider, result };
}

describe('/context', () => {
  it('lists what fills the window with the cached share, as text and as data', async () => {
    proves('C-33');
    const { session, provider } = await openScripted(await makeTestProject(), [
      { text: long, usage: { input: 9_000, cacheRead: 3_000, cacheWrite: 3_000, output: 100 } },
    ]);
    await session.submit('hi');
    const { message, data } = await run(session, 'context');
    expect(message).toMatch(/^ +~\d+ {2}tool Bash, 100% cached$/m);
    expect(message).toMatch(/^ +~\d+ {2}system prompt/m);
    expect(message).toMatch(/^ +~\d+ {2}free, \d+ of it in reserve$/m);
    expect(message).toContain('Last request: 20% read from cache, 20% written to it.');
    const report = data as ContextReport;
    expect(report.parts.find(({ kind }) => kind === 'answers')?.tokens).toBeGreaterThan(5_000);
    expect(report.isCounted).toBe(true);
    expect(provider.requests).toHaveLength(1);
    expect(await run(session, 'context nonsense')).toMatchObject({ success: false });
    expect((await run(session, 'context receipt')).message).toContain('Nothing has been compacted');
    await session.shutdown();
  });

  it('shows a receipt in full', async () => {
    const { session, result } = await compacted();
    expect(result.message).toMatch(/^Context compressed: \d+% → \d+%\nMessages: \d+ kept .*, \d+ summarized/);
    const { message, data } = await run(session, 'context receipt 1');
    expect(message).toMatch(/^Compaction 1: asked for/);
    expect(message).toMatch(/^ {2}summarized +~\d+ {2}prompt: first$/m);
    const { receipt } = data as { receipt: CompactionReceipt };
    expect((result.data as { receipt: CompactionReceipt }).receipt).toEqual(receipt);
    expect(await run(session, 'context receipt 2')).toMatchObject({ success: false });
    await session.shutdown();
  });
});

describe('/pin and /recall', () => {
  it('pins texts and answers, lists them and takes them back', async () => {
    const { session } = await compacted();
    expect((await run(session, 'pin')).message).toContain('Nothing is pinned');
    expect((await run(session, 'pin Use tabs.')).message).toBe('Pinned as 1: Use tabs.');
    expect((await run(session, 'pin last')).message).toMatch(/^Pinned as 2: words words .*…$/);
    expect((await run(session, 'pin')).message).toMatch(/^1\. Use tabs\.\n2\. words/);
    expect((await run(session, 'unpin 1')).message).toBe('No longer pinned: Use tabs.');
    expect((await run(session, 'pin')).message).toMatch(/^1\. words/);
    expect(await run(session, 'unpin')).toMatchObject({ success: false });
    expect(await run(session, 'unpin 7')).toMatchObject({
      success: false,
      message: expect.stringContaining('/pin'),
    });
    expect(await run(session, 'pin 00000000')).toMatchObject({ success: false });
    await session.shutdown();
  });

  it('brings back what a number or words mean; of several it asks which', async () => {
    const { session, provider } = await compacted();
    expect((await run(session, 'recall')).message).toMatch(
      /^1\. prompt: first \(summarized, ~\d+ tokens\)$/m,
    );
    expect((await run(session, 'recall words')).message).toMatch(/^\d+ messages fit; say which one/);
    expect(await run(session, 'recall nowhere')).toMatchObject({ success: false });
    expect((await run(session, 'recall 1')).message).toContain(
      'Brought back for the next prompt: prompt: first',
    );
    await session.submit('go on');
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain('Brought back from earlier');
    await session.shutdown();
  });

  it('the todo list outlives a compaction word for word', async () => {
    const { session } = await openScripted(await makeTestProject(), ({ tools }, turn) => {
      if (turn === 0)
        return callTurn('TodoWrite', { todos: [{ content: 'write it', status: 'pending' }] } as never);
      return { text: tools.length === 0 ? 'the notes' : long };
    });
    for (const prompt of ['first', 'second', 'third']) await session.submit(prompt);
    await run(session, 'compact');
    expect(JSON.stringify(session.getMessages()[0])).toContain('- [ ] write it');
    await session.shutdown();
  });
});

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

  it('lists large outputs with numbers and states, and folds, drops and restores them by number', async () => {
    const place = await makeTestProject();
    await place.put('big.txt', `${'many words\n'.repeat(900)}`);
    const usage = { input: 2_000, cacheRead: 8_000, cacheWrite: 2_000, output: 100 };
    const { session, provider } = await openScripted(place, [
      callTurn('Read', { file_path: 'big.txt' }),
      { text: long, usage },
      { text: 'ok', usage: { ...usage, cacheRead: 18_000 } },
      { text: 'ok', usage },
      { text: 'ok again', usage },
    ]);
    await session.submit('read big.txt');
    await session.submit('go on');
    const before = session.getSession().messages.map(({ content }) => content);
    const { message = '' } = await run(session, 'context');
    expect(message).toMatch(/^ +~\d+ +\d+% {2}System prompt and \d+ tools$/m);
    expect(message).toMatch(/^1\. +~\d{4} +\d+% {2}Read big\.txt \(turn 1\)$/m);
    expect(message).toMatch(/^ +~\d+ +\d+% {2}Prompts and answers$/m);
    const folded = await run(session, 'context fold 1');
    expect(folded.message).toMatch(/^Context edited: \d+% → \d+% · folded 1 · re-caches \d+K \(\$0\.\d\d\)$/);
    expect((await run(session, 'context')).message).toMatch(/Read big\.txt \(turn 1, folded, was \dK\)$/m);
    await session.submit('next');
    const sent = (words: string) =>
      (provider.requests.at(-1)?.messages ?? []).some(({ content }) =>
        JSON.stringify(content).includes(words),
      );
    expect([sent('Output of Read folded by the user'), sent('many words')]).toEqual([true, false]);
    expect((await run(session, 'context drop 1')).message).toContain('dropped 1');
    await session.submit('and again');
    expect([sent('folded by the user'), sent('tool-call')]).toEqual([false, false]);
    expect((await run(session, 'context restore 1')).message).toContain('restored 1');
    const restored = session.getSession().messages.map(({ content }) => content);
    expect(JSON.stringify(restored.slice(0, before.length)) === JSON.stringify(before)).toBe(true);
    expect(await run(session, 'context drop 7')).toMatchObject({
      success: false,
      message: 'No item 7. /context lists them.',
    });
    expect(await run(session, 'context fold')).toMatchObject({ success: false });
    await session.shutdown();
  });

  it('keeps what is pinned whole', async () => {
    const place = await makeTestProject();
    await place.put('big.txt', `${'many words\n'.repeat(900)}`);
    const { session } = await openScripted(place, [
      callTurn('Read', { file_path: 'big.txt' }),
      { text: 'read it' },
    ]);
    await session.submit('read big.txt');
    const { context } = session.getSession();
    const id = context.items().find(({ number }) => number === 1)?.messageId ?? '';
    await context.pinMessage(id);
    expect((await run(session, 'context')).message).toContain('(turn 1, pinned)');
    expect(await run(session, 'context drop 1')).toMatchObject({
      success: false,
      message: expect.stringContaining('This message is pinned. Unpin it first.'),
    });
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
    expect((await run(session, 'recall words')).message).toMatch(/^\d+ messages match; choose one/);
    expect(await run(session, 'recall nowhere')).toMatchObject({ success: false });
    expect((await run(session, 'recall 1')).message).toContain('Restored for the next prompt: prompt: first');
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

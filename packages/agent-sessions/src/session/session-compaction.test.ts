import { type ModelRequest, textOf } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import type { Compaction } from '../compaction/session-options.ts';
import { entryTotals, spentFor } from '../entry/session-totals.ts';
import {
  bytesOf,
  openSession,
  requestTo,
  type Script,
  storeOnDisk,
  textsOf,
} from '../fixtures/open-session.ts';

describe('compaction of a session', () => {
  const long = 'many words '.repeat(6_000);
  const summaryOf = ({ tools, messages }: ModelRequest) =>
    tools.length === 0 && textOf(messages[0]?.content ?? []).includes('<record>');

  it('compact replaces the older part by a summary and passes on what to dwell on', async () => {
    proves('R-52', 'C-12');
    const store = await storeOnDisk();
    const handle = await store.create({ cwd: '/x' });
    const script: Script = (asked) => ({ text: summaryOf(asked) ? '## Goal\nthe goal' : long });
    const { session, provider } = openSession(script, { handle, compactInstructions: 'Keep the schema.' });
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    const before = session.getContextState().usedTokens;
    const { modelCalls } = session.totals;
    const result = await session.compact('the database');
    expect(result).toMatchObject({ kind: 'summarised', summary: expect.stringContaining('the goal') });
    const asked = textOf(requestTo(provider, 3).messages[0]?.content ?? []);
    expect(asked).toContain('special attention to this:\nthe database');
    expect(asked).toContain('Keep the schema.');
    expect(textOf(session.messages[0]?.content ?? [])).toContain('the goal');
    expect(before).toBeGreaterThan(0);
    expect(session.totals.modelCalls).toBe(modelCalls + 1);
    await session.run('four');
    await session.close();
    const reopened = openSession([], { handle: await store.open(session.id) });
    expect(reopened.session.messages).toEqual(session.messages);
    expect(reopened.session.messages.map(bytesOf)).toEqual(session.messages.map(bytesOf));
    expect(reopened.session.totals.cost).toBeCloseTo(session.totals.cost, 10);
  });

  it('compacts by itself before the window is full, tells so, and continues with the run', async () => {
    proves('R-51', 'P-27');
    const compactions: Compaction[] = [];
    let full = true;
    const script: Script = (asked, turn) => {
      if (summaryOf(asked)) return { text: 'summary of it all' };
      const usage = { input: full && turn === 1 ? 84_000 : 100 };
      return { text: long, usage };
    };
    const { session, provider, events } = openSession(script, {
      window: 100_000,
      onCompact: (c) => compactions.push(c),
    });
    await session.run('one');
    await session.run('two');
    expect(compactions).toHaveLength(0);
    full = false;
    await session.run('three');
    expect(compactions).toMatchObject([{ kind: 'summarised' }]);
    expect(summaryOf(requestTo(provider, 2))).toBe(true);
    const next = textsOf(requestTo(provider, 3).messages);
    expect(next[0]).toContain('summary of it all');
    expect(next.at(-1)).toBe('three');
    const notices = events.flatMap((event) => (event.type === 'notice-show' ? [event.text] : []));
    expect(notices).toEqual([expect.stringMatching(/^Context compressed: \d+% → \d+%$/)]);
    expect(requestTo(provider, 3).system).toBe(requestTo(provider, 0).system);
  });

  it('the threshold can be set for a model, and automatic compaction switched off', async () => {
    proves('R-51');
    const script: Script = (asked) =>
      summaryOf(asked) ? { text: 'summary' } : { text: long, usage: { input: 30_000 } };
    const early = openSession(script, {
      window: 100_000,
      compaction: ({ id }) => (id === 'test-model' ? { ratio: 0.2 } : {}),
    });
    for (const prompt of ['one', 'two', 'three']) await early.session.run(prompt);
    expect(early.provider.requests.some(summaryOf)).toBe(true);
    const never = openSession(script, { window: 20_000, compaction: () => ({ enabled: false }) });
    for (const prompt of ['one', 'two', 'three']) await never.session.run(prompt);
    expect(never.provider.requests.some(summaryOf)).toBe(false);
  });

  it('a conversation the vendor finds too long is compacted once and sent again', async () => {
    proves('P-27');
    let refusals = 0;
    const script: Script = (asked, turn) => {
      if (summaryOf(asked)) return { text: 'summary' };
      if (turn < 3) return { text: long };
      refusals++;
      return { failure: { code: 'context-overflow', message: 'too long', retryable: false } };
    };
    const { session, provider } = openSession(script);
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    await expect(session.run('four')).rejects.toMatchObject({ code: 'context-overflow' });
    expect(refusals).toBe(2);
    expect(provider.requests.filter(summaryOf)).toHaveLength(1);
  });

  it('nothing to compact is said, not an error; what is typed meanwhile is kept', async () => {
    const { session } = openSession([]);
    expect(await session.compact()).toMatchObject({
      kind: 'unchanged',
      hasFailed: false,
      notice: expect.stringContaining('short'),
    });
    expect(session.isCompacting).toBe(false);
  });

  it('one that fails is told from one with nothing to do, and what it cost counts after a restart', async () => {
    const store = await storeOnDisk();
    const failure = { code: 'auth', message: 'boom', retryable: false } as const;
    const script: Script = (asked) => (summaryOf(asked) ? { failure } : { text: long });
    const { session } = openSession(script, { handle: await store.create({ cwd: '/x' }) });
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    expect(await session.compact()).toMatchObject({
      kind: 'unchanged',
      hasFailed: true,
      notice: 'The conversation could not be summarized: boom. It stays as it is.',
    });
    const { totals } = session;
    await session.close();
    const handle = await store.open(session.id);
    expect(handle.totals).toEqual(totals);
    const paid = [...handle.entries()].filter((entry) => entryTotals(entry).modelCalls > 0);
    expect(new Set(paid.map((entry) => spentFor(entry)?.purpose))).toEqual(new Set([undefined, 'summaries']));
    await handle.close();
  });

  it('abort stops a compaction and leaves the conversation as it is', async () => {
    const script: Script = (asked) => ({
      text: summaryOf(asked) ? 'too late' : long,
      before: () => {
        if (summaryOf(asked)) void session.abort();
      },
    });
    const { session } = openSession(script);
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    const before = session.messages;
    expect(await session.compact()).toMatchObject({ kind: 'unchanged' });
    expect(session.messages).toBe(before);
  });
});

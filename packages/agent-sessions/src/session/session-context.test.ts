import { type ModelRequest, textOf } from '@robota-sdk/agent-core';
import { testTool } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  openSession,
  requestTo,
  type Script,
  storeOnDisk,
  text,
  textsOf,
} from '../fixtures/open-session.ts';
import type { ISessionLogger } from '../log/session-logger.ts';

const long = 'many words '.repeat(6_000);
const isSummary = ({ tools, messages }: ModelRequest) =>
  tools.length === 0 && textOf(messages[0]?.content ?? []).includes('<record>');
const script: Script = (asked, turn) => ({ text: isSummary(asked) ? 'the notes' : `${turn} ${long}` });

function logged() {
  const lines: (Record<string, unknown> & { event: string })[] = [];
  const logger: ISessionLogger = {
    log: (event, data = {}) => void lines.push({ ...data, event }),
    flush: async () => {},
    close: async () => {},
  };
  return { lines, logger };
}

describe('pins of a session', () => {
  it('are told to the model, stand word for word after each compaction, and survive a resume', async () => {
    const store = await storeOnDisk();
    const { session, provider } = openSession(script, { handle: await store.create({ cwd: '/x' }) });
    await session.context.pinText('Never touch the tests.');
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    expect(textsOf(requestTo(provider, 0).messages)[0]).toContain('Never touch the tests.');
    await session.compact();
    await session.close();
    const reopened = openSession(script, { handle: await store.open(session.id) });
    expect(reopened.session.context.pins).toMatchObject([{ text: 'Never touch the tests.' }]);
    for (const prompt of ['four', 'five', 'six']) await reopened.session.run(prompt);
    await reopened.session.compact();
    const [summary = ''] = textsOf(reopened.session.messages);
    expect(summary.match(/Never touch the tests\./g)).toHaveLength(1);
    await reopened.session.context.unpin(1);
    expect(reopened.session.context.pins).toEqual([]);
    await expect(reopened.session.context.unpin(1)).rejects.toThrow('No pin 1');
    await reopened.session.close();
  });

  it('are said once, as a message that stays or behind the summary, and count as kept', async () => {
    const { session, provider } = openSession(script);
    await session.context.pinText('An old one.');
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    await session.context.pinText('A new one.');
    await session.compact();
    await session.run('go on');
    const sent = textsOf(provider.requests.at(-1)?.messages ?? []).join('\n');
    expect(sent.match(/An old one\./g)).toHaveLength(1);
    expect(sent.match(/A new one\./g)).toHaveLength(1);
    const items = session.context.receipts.at(-1)?.items.filter(({ title }) => title.startsWith('pin:'));
    expect(items?.map(({ fate }) => fate)).toEqual(['kept', 'kept']);
    expect(session.context.recallable.filter(({ title }) => title.startsWith('pin:'))).toEqual([]);
    for (const prompt of ['four', 'five', 'six']) await session.run(prompt);
    await session.compact();
    const [summary = ''] = textsOf(session.messages);
    for (const words of [/An old one\./g, /A new one\./g]) expect(summary.match(words)).toHaveLength(1);
  });

  it('what only the model was told is in no receipt and cannot be recalled', async () => {
    const { session } = openSession(script);
    await session.context.tell('<reminder>for the model</reminder>');
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    await session.compact();
    const titles = session.context.receipts.flatMap(({ items }) => items.map(({ title }) => title));
    expect(titles).toContain('prompt: one');
    expect([...titles, ...session.context.recallable.map(({ title }) => title)].join()).not.toContain(
      'reminder',
    );
  });

  it('belong to their branch', async () => {
    const { session } = openSession(script);
    await session.context.pinText('only here');
    await session.clear();
    expect(session.context.pins).toEqual([]);
  });

  it('take a message by "last" or by its id, and say when there is none', async () => {
    const { session } = openSession([{ text: 'the answer is 7' }]);
    await expect(session.context.pinMessage('last')).rejects.toThrow('No answer');
    await session.run('what is it?');
    const pin = await session.context.pinMessage('last');
    expect(pin.text).toBe('the answer is 7');
    const prompt = session.messages[0];
    expect(await session.context.pinMessage(prompt?.id.slice(0, 8) ?? '')).toMatchObject({
      text: 'what is it?',
      messageId: prompt?.id,
    });
    await expect(session.context.pinMessage('00000000')).rejects.toThrow('No message 00000000');
  });
});

describe('recall', () => {
  it('brings a summarised message back with the next prompt, and keeps it in the file', async () => {
    const store = await storeOnDisk();
    const { session, provider } = openSession(script, { handle: await store.create({ cwd: '/x' }) });
    for (const prompt of ['first wish', 'two', 'three']) await session.run(prompt);
    expect(session.context.recallable).toEqual([]);
    await session.compact();
    const [item] = session.context.findRecallable('FIRST wish');
    expect(item).toMatchObject({ number: 1, fate: 'summarised', title: 'prompt: first wish' });
    if (item) await session.context.recall(item);
    await session.run('four');
    const sent = textsOf(requestTo(provider, 4).messages);
    expect(sent.at(-2)).toMatch(/^\[Brought back from earlier .*prompt: first wish\]\n\nfirst wish$/);
    expect(sent.at(-1)).toBe('four');
    await session.close();
    const again = await store.open(session.id);
    expect(again.messages().map(bytesOf)).toEqual(session.messages.map(bytesOf));
    await again.close();
  });

  it('brings pruned output back whole', async () => {
    const big = `RESULT ${'z'.repeat(4_000)}`;
    const look = testTool('look', { execute: async () => ({ content: [{ type: 'text', text: big }] }) });
    const calls = Array.from({ length: 24 }, (_, at) => ({
      toolCalls: [{ name: 'look', input: { at } }],
      usage: { input: 1_000 * at },
    }));
    const { session } = openSession([...calls, { text: 'done' }], {
      tools: [look],
      window: 40_000,
      compaction: () => ({ ratio: 0.5 }),
    });
    await session.run('look around');
    const pruned = session.context.recallable.filter(({ fate }) => fate === 'pruned');
    expect(pruned.length).toBeGreaterThan(0);
    const [item] = pruned;
    if (item) await session.context.recall(item);
    expect(textOf(session.messages.at(-1)?.content ?? [])).toContain(big);
  });

  it('joins a run that is going', async () => {
    const { session, provider } = openSession((asked, turn) => ({
      ...(turn === 4 ? { toolCalls: [{ name: 'none' }] } : { text: isSummary(asked) ? 'notes' : long }),
      before: async () => {
        const [item] = session.context.recallable;
        if (turn === 4 && item) await session.context.recall(item);
      },
    }));
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    await session.compact();
    await session.run('four');
    expect(textsOf(requestTo(provider, 5).messages).at(-1)).toContain('Brought back');
  });
});

describe('a window that cannot be made emptier', () => {
  it('is compacted once, said, and left alone', async () => {
    const usage = { input: 90_000 };
    const { session, provider, events } = openSession(
      (asked) => (isSummary(asked) ? { text: 'notes' } : { text: 'short', usage }),
      { window: 100_000, systemMessage: 's'.repeat(200_000) },
    );
    for (let prompt = 0; prompt < 8; prompt++) await session.run(`prompt ${prompt} ${'p'.repeat(400)}`);
    expect(provider.requests.filter(isSummary).length).toBeLessThanOrEqual(1);
    const warnings = events.flatMap((event) =>
      event.type === 'notice-show' && event.level === 'warning' ? [event.text] : [],
    );
    expect(warnings).toEqual([expect.stringMatching(/nearly full\. .*system prompt ~\d+ tokens/)]);
  });

  it('an interrupted compaction is tried again with the next prompt', async () => {
    let isFirst = true;
    const { session, provider, events } = openSession((asked, turn) => ({
      text: isSummary(asked) ? 'notes' : long,
      usage: { input: turn === 2 ? 190_000 : 1 },
      before: () => {
        if (isSummary(asked) && isFirst) void session.abort();
        if (isSummary(asked)) isFirst = false;
      },
    }));
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    expect((await session.prompt(text('four'))).status).toBe('aborted');
    await session.run('five');
    expect(provider.requests.filter(isSummary)).toHaveLength(2);
    expect(events.filter((event) => event.type === 'compaction-end')).toMatchObject([
      { kind: 'unchanged' },
      { kind: 'summarised' },
    ]);
  });

  it('is said with the reason when a summary fails before it is full', async () => {
    const down = { failure: { code: 'server', message: 'The server is down.', retryable: false } } as const;
    const { session, provider, events } = openSession((asked, turn) =>
      isSummary(asked) ? down : { text: long, usage: { input: turn < 2 ? 1 : 190_000 } },
    );
    for (const prompt of ['one', 'two', 'three', 'four', 'five']) await session.run(prompt);
    const warnings = events.flatMap((event) => (event.type === 'notice-show' ? [event.text] : []));
    expect(warnings[0]).toContain('The server is down. It stays as it is. It holds: ');
    expect(provider.requests.filter(isSummary).length).toBeLessThanOrEqual(2);
  });

  it('ends with an error that names what fills it', async () => {
    const overflow = {
      failure: { code: 'context-overflow', message: 'too long', retryable: false },
    } as const;
    const { session } = openSession((asked, turn) => {
      if (isSummary(asked)) return { failure: { code: 'server', message: 'down', retryable: false } };
      return turn < 3 ? { text: long } : overflow;
    });
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    const outcome = await session.prompt(text('four'));
    expect(outcome.error).toMatchObject({
      code: 'context-overflow',
      message: expect.stringMatching(/^too long\. What fills the window: .*tokens/),
    });
  });

  it('continues without a summary when the vendor refuses and the summary fails', async () => {
    let refused = 0;
    const { session, events } = openSession((asked, turn) => {
      if (isSummary(asked)) return { failure: { code: 'server', message: 'down', retryable: false } };
      if (turn < 3) return { text: long };
      return refused++ === 0
        ? { failure: { code: 'context-overflow', message: 'too long', retryable: false } }
        : { text: 'went on' };
    });
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    expect(await session.run('four')).toBe('went on');
    const end = events.find((event) => event.type === 'compaction-end');
    expect(end).toMatchObject({
      kind: 'pruned',
      reason: 'overflow',
      notice: expect.stringContaining('down'),
    });
    expect(session.context.recallable).toMatchObject([{ title: expect.stringMatching(/^answer: /) }, {}, {}]);
    const prompts = session.messages.filter(({ role }) => role === 'user');
    expect(prompts.map(({ content }) => textOf(content))).toEqual(['one', 'two', 'three', 'four']);
  });
});

describe('the cached beginning of requests', () => {
  it('the log and the report say why it broke', async () => {
    const { lines, logger } = logged();
    const { session } = openSession(script, { logger });
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    expect(lines.filter(({ event }) => event === 'prefix_break')).toEqual([]);
    await session.compact();
    await session.run('four');
    expect(lines.filter(({ event }) => event === 'prefix_break')).toMatchObject([
      { reason: 'history rewritten', detail: expect.stringContaining('compaction, from message 1 of') },
    ]);
    await session.clear();
    await session.run('five');
    expect(session.context.report().prefixBreak).toMatchObject({ reason: 'history rewritten' });
  });

  it('instruction files are read again when a summary breaks it anyway', async () => {
    let reads = 0;
    const { session, provider } = openSession(script, {
      reloadInstructions: async () => {
        reads++;
        return { systemMessage: 'You are another test.', compactInstructions: 'Keep the port.' };
      },
    });
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    await session.compact();
    expect(textOf(requestTo(provider, 3).messages[0]?.content ?? [])).toContain('Keep the port.');
    await session.run('four');
    expect(reads).toBe(1);
    expect(requestTo(provider, 0).system).toBe('You are a test.');
    expect(requestTo(provider, 4).system).toBe('You are another test.');
  });

  it('files that cannot be read leave the prompt as it is', async () => {
    const reloadInstructions = async () => {
      throw new Error('EIO');
    };
    const { session, provider } = openSession(script, { reloadInstructions });
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    expect(await session.compact()).toMatchObject({ kind: 'summarised' });
    await session.run('four');
    expect(requestTo(provider, 4).system).toBe('You are a test.');
  });
});

describe('what a summary costs', () => {
  it('counts for the session and against the limit of the prompt', async () => {
    const usage = { input: 1_000_000 };
    const { session } = openSession((asked, turn) => {
      if (isSummary(asked)) return { text: 'notes', usage };
      if (turn > 3) return { toolCalls: [{ name: 'none', input: { turn } }], usage: { input: 1 } };
      return { text: long, usage: { input: turn === 2 ? 190_000 : 1 } };
    });
    for (const prompt of ['one', 'two', 'three']) await session.run(prompt);
    const before = session.totals;
    const outcome = await session.prompt(text('four'), { maxCost: 0.5 });
    expect(session.totals.modelCalls).toBe(before.modelCalls + 2);
    expect(session.totals.usage.input).toBeGreaterThan(before.usage.input + 1_000_000 - 1);
    expect(outcome).toMatchObject({ status: 'limit', error: { code: 'max-cost' }, turns: 1 });
  });
});

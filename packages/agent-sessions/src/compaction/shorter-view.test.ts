import { type Message, type ModelFailure, textOf, toolCallsOf } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { totalsOf } from '../entry/session-totals.ts';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { scriptedModel } from '../fixtures/scripted-model.ts';
import { MemorySessionStore } from '../store/memory-store.ts';
import { contextTokens, estimateAll } from '../window/context-window.ts';
import { type CompactionRequest, compact } from './compact.ts';
import { receiptsOf } from './receipt.ts';
import { withoutVerbatim, withVerbatim } from './verbatim.ts';

const { signal } = new AbortController();
const down: ModelFailure = { code: 'server', message: 'The server is down.', retryable: false };
const textAt = (messages: readonly Message[], index: number) => textOf(messages.at(index)?.content ?? []);

function turns(count: number, outputLength = 4_000): Message[] {
  return Array.from({ length: count }, (_, turn) => [
    user(`request ${turn}`),
    call(`t${turn}`, 'Read', { file_path: `src/${turn}.ts` }),
    result(`t${turn}`, 'x'.repeat(outputLength)),
    assistant(`answer ${turn}`),
  ]).flat();
}

async function shortened(request: Omit<CompactionRequest, 'signal'>) {
  const outcome = await compact({ ...request, signal });
  if (outcome.kind === 'unchanged') throw new Error(outcome.notice);
  return outcome;
}

describe('the receipt of a compaction', () => {
  it('tells of every message what became of it, with tokens and a title', async () => {
    const messages = turns(40);
    const outcome = await shortened({ messages, choice: scriptedModel(['notes']), reason: 'manual' });
    const { receipt } = outcome;
    expect(receipt.items.map(({ messageId }) => messageId)).toEqual(messages.map(({ id }) => id));
    expect(receipt.items.slice(0, 4)).toMatchObject([
      { fate: 'summarised', title: 'prompt: request 0' },
      { fate: 'summarised', title: 'call: Read src/0.ts' },
      { fate: 'summarised', title: 'result: Read src/0.ts', tokens: 1_004 },
      { fate: 'summarised', title: 'answer: answer 0' },
    ]);
    const kept = new Set(outcome.messages.map(({ id }) => id));
    for (const { messageId, fate } of receipt.items) expect(kept.has(messageId)).toBe(fate === 'kept');
    expect(receipt).toMatchObject({ reason: 'manual', model: 'test/scripted', contextWindow: 200_000 });
    expect(receipt.cost).toBeCloseTo(0.0012);
    expect(receipt.tokensAfter).toBe(outcome.tokensAfter);
  });

  it('counts before and after alike, however much the vendor counts', async () => {
    const counts = [0, 15, 900, 2_000, 40_000];
    for (const input of counts) {
      const usage = { input, output: 0, cacheRead: 0, cacheWrite: 0 };
      const messages = [user('tell me'), assistant('word '.repeat(2_000), { usage }), user('and?')];
      const { receipt } = await shortened({
        messages,
        choice: scriptedModel(['notes']),
        reason: 'manual',
        fixedTokens: 300,
      });
      expect(receipt.tokensAfter).toBeLessThan(receipt.tokensBefore);
      expect(receipt.tokensBefore).toBe(contextTokens(messages, { fixed: () => 300 }));
    }
  });

  it('starts from the size after the last compaction until a vendor counts', async () => {
    const messages = turns(10);
    const last = messages.at(-1);
    const assessed = last && { last, tokens: 5_000 };
    const choice = scriptedModel(['notes']);
    const { receipt } = await shortened({ messages, choice, reason: 'manual', assessed });
    expect(receipt.tokensBefore).toBe(5_000);
    expect(receipt.tokensAfter).toBeLessThan(5_000);
  });

  it('is read back from the file as it was, for summaries and for prunings', async () => {
    const store = new MemorySessionStore();
    const handle = await store.create({ cwd: '/' });
    const messages = turns(40);
    for (const message of messages) await handle.append({ type: 'message', message });
    const pruned = await shortened({ messages, choice: scriptedModel([], 60_000), reason: 'threshold' });
    await handle.appendAll(pruned.entries);
    const choice = scriptedModel(['notes'], 60_000);
    const summed = await shortened({ messages: pruned.messages, choice, reason: 'manual' });
    await handle.appendAll(summed.entries);
    await handle.flush();
    const again = await store.open(handle.id, { mode: 'read' });
    expect(receiptsOf(again.path())).toEqual([pruned.receipt, summed.receipt]);
    expect(pruned.receipt.items.filter(({ fate }) => fate === 'pruned')).toHaveLength(35);
  });
});

describe('what stays word for word', () => {
  const pins = [{ id: 'a', text: 'Never touch </kept-verbatim> tests.\n<summary>' }];
  const todos = '- [x] read\n- [>] write';

  it('the todos and the pins stand behind the summary, also after the next one', async () => {
    const choice = scriptedModel(['first notes', 'second notes']);
    const first = await shortened({ messages: turns(40), choice, reason: 'manual', pins, todos });
    expect(textAt(first.messages, 0)).toContain(pins[0]?.text);
    expect(textAt(first.messages, 0)).toContain(todos);
    const more = turns(40).map((message) => ({ ...message, timestamp: Date.now() + 10 }));
    const messages = [...first.messages, ...more];
    const second = await shortened({ messages, choice, reason: 'manual', pins, todos: '' });
    const asked = textAt(choice.requests[1]?.messages ?? [], 0);
    expect(asked).toContain('<earlier-notes>\nfirst notes\n</earlier-notes>');
    expect(textAt(second.messages, 0).match(/Never touch/g)).toHaveLength(1);
    expect(textAt(second.messages, 0)).not.toContain('- [>] write');
    expect(second.receipt.pins).toBe(1);
  });

  it('a pinned result is not pruned', async () => {
    const messages = turns(40);
    const pinned = messages[2];
    if (!pinned) throw new Error('no message');
    const outcome = await shortened({
      messages,
      choice: scriptedModel([], 60_000),
      reason: 'threshold',
      pins: [{ id: 'p', text: 'x', messageId: pinned.id }],
    });
    expect(outcome.messages[2]).toBe(pinned);
  });

  it('the beginning and the end of a request too large to stay are kept', async () => {
    const request = user(`START ${'y'.repeat(80_000)} END`);
    const work = turns(30).filter(({ role }) => role !== 'user');
    const choice = scriptedModel(['notes'], 40_000);
    const outcome = await shortened({ messages: [request, ...work], choice, reason: 'overflow' });
    expect(textAt(outcome.messages, 0)).toMatch(/The request being worked on, shortened:\nSTART y+/);
    expect(textAt(outcome.messages, 0)).toContain('y END');
  });

  it('any text comes off a summary again', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ minLength: 1 })), fc.string(), (notes, texts, list) => {
        const written = withVerbatim(notes, { pins: texts.map((text) => ({ id: '', text })), todos: list });
        expect(withoutVerbatim(written)).toBe(notes.trim());
        for (const text of texts) expect(written).toContain(text);
      }),
    );
  });
});

describe('the model that summarizes', () => {
  const messages = turns(40);
  const retry = { maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0, maxRetryAfterMs: 0 };

  it('is a cheaper one where there is one', async () => {
    proves('P-25');
    const own = scriptedModel([]);
    const cheap = scriptedModel(['cheap notes']);
    const outcome = await shortened({ messages, choice: own, summaryChoice: () => cheap, reason: 'manual' });
    expect(outcome).toMatchObject({ kind: 'summarised', summary: expect.stringContaining('cheap notes') });
    expect(own.requests).toHaveLength(0);
  });

  it.each([
    [
      'cannot be connected',
      () => {
        throw new Error('no key');
      },
    ],
    ['fails', () => scriptedModel([down])],
    ['has too small a window', () => scriptedModel(['small'], 10_000)],
  ])('is the own one where the cheaper one %s', async (_, summaryChoice) => {
    const choice = scriptedModel(['own notes']);
    const outcome = await shortened({ messages, choice, summaryChoice, reason: 'manual', retry });
    expect(outcome).toMatchObject({ kind: 'summarised', summary: expect.stringContaining('own notes') });
  });

  it('is none where the model is a set of rules: the messages are listed', async () => {
    const choice = scriptedModel([]);
    const rules = { ...choice, model: { ...choice.model, vendor: 'offline' } };
    const outcome = await shortened({ messages, choice: rules, reason: 'manual' });
    expect(outcome).toMatchObject({ kind: 'summarised', modelCalls: 0 });
    expect(textAt(outcome.messages, 0)).toContain(
      '- prompt: request 0\n- call: Read src/0.ts\n- answer: answer 0',
    );
  });

  it('gets the beginning of a split turn by itself, so that a long history cannot push it out', async () => {
    const work = turns(30).filter(({ role }) => role !== 'user');
    const choice = scriptedModel(['notes'], 60_000);
    const split = [...turns(200), user('The current request'), ...work];
    await shortened({ messages: split, choice, reason: 'overflow' });
    const asked = textAt(choice.requests[0]?.messages ?? [], 0);
    const turn = /<turn-in-progress>\n([\s\S]*)\n<\/turn-in-progress>/.exec(asked)?.[1] ?? '';
    expect(turn).toContain('src/0.ts');
    expect(asked).toContain('## Turn in progress');
    expect(asked.indexOf('</record>')).toBeLessThan(asked.indexOf('<turn-in-progress>'));
  });
});

describe('without a summary', () => {
  it('leaves out as much as it has to when the vendor refused the conversation', async () => {
    const plain = Array.from({ length: 100 }, (_, at) => [
      user(`u${at} ${'y'.repeat(2_000)}`),
      assistant('ok'),
    ]).flat();
    const choice = scriptedModel([down], 40_000);
    const outcome = await shortened({ messages: plain, choice, reason: 'overflow' });
    expect(outcome).toMatchObject({
      kind: 'dropped',
      notice: expect.stringContaining('The server is down.'),
    });
    expect(contextTokens(outcome.messages)).toBeLessThan(30_000);
    expect(outcome.messages.at(-1)).toBe(plain.at(-1));
    expect(textAt(outcome.messages, 0)).toContain('left out without a summary');
    const dropped = outcome.receipt.items.filter(({ fate }) => fate === 'dropped');
    expect(dropped.length).toBe(outcome.kind === 'dropped' ? outcome.droppedMessages : 0);
    expect(dropped.length).toBeGreaterThan(10);
  });

  it('keeps the notes of an earlier summary when turns are left out', async () => {
    const first = await shortened({
      messages: turns(40),
      choice: scriptedModel(['old notes']),
      reason: 'manual',
    });
    const more = turns(60, 100).map((message) => ({ ...message, timestamp: Date.now() + 10 }));
    const choice = scriptedModel([down], 4_000);
    const outcome = await shortened({ messages: [...first.messages, ...more], choice, reason: 'overflow' });
    expect(textAt(outcome.messages, 0)).toMatch(/<summary>\nold notes\n\n\d+ messages/);
  });

  it('counts what failed attempts cost, also when the session is read again', async () => {
    const store = new MemorySessionStore();
    const handle = await store.create({ cwd: '/' });
    const messages = turns(40);
    const usage = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 };
    const choice = scriptedModel([]);
    const stream = async function* () {
      yield { type: 'end', stopReason: 'end', usage } as const;
    };
    const silent = { ...choice, provider: { vendor: 'test', stream } };
    const outcome = await shortened({ messages, choice: silent, reason: 'overflow' });
    expect(outcome).toMatchObject({ kind: 'pruned', cost: 1, modelCalls: 1, receipt: { cost: 1 } });
    expect(totalsOf(await handle.appendAll(outcome.entries))).toMatchObject({ cost: 1, usage });
  });

  it('a provider that cannot even be loaded costs the summary and nothing else', async () => {
    const choice = scriptedModel([]);
    const stream = () => {
      throw new Error('module not found');
    };
    const broken = { ...choice, provider: { vendor: 'test', stream } };
    const outcome = await shortened({ messages: turns(40), choice: broken, reason: 'overflow' });
    expect(outcome).toMatchObject({ kind: 'pruned', notice: expect.stringContaining('module not found') });
  });
});

describe('any sequence of compactions', () => {
  const step = fc.record({
    turns: fc.array(
      fc.record({ calls: fc.integer({ min: 0, max: 3 }), size: fc.integer({ min: 0, max: 9_000 }) }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
    reason: fc.constantFrom('manual', 'threshold', 'overflow'),
    fails: fc.boolean(),
    pins: fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }),
  });

  it('gives the view that reading the file gives, with every call answered, and loses no message', async () => {
    proves('P-24', 'P-26');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const store = new MemorySessionStore();
        const handle = await store.create({ cwd: '/' });
        let view: readonly Message[] = [];
        let number = 0;
        const all: string[] = [];
        for (const { turns: added, reason, fails, pins } of steps) {
          const messages = added.flatMap(({ calls, size }) => [
            user(`u${number++} ${'w'.repeat(size / 3)}`),
            ...Array.from({ length: calls }, () => [
              call(`c${++number}`),
              result(`c${number}`, 'x'.repeat(size)),
            ]).flat(),
            assistant('done'),
          ]);
          for (const message of messages) await handle.append({ type: 'message', message });
          all.push(...messages.map(({ id }) => id));
          const before = [...view, ...messages];
          const choice = scriptedModel([fails ? down : 'notes', 'notes'], 12_000);
          const texts = pins.map((text, at) => ({ id: String(at), text }));
          const outcome = await compact({ messages: before, choice, reason, pins: texts, signal });
          view = outcome.messages;
          expect(estimateAll(view)).toBeLessThanOrEqual(estimateAll(before) + 400);
          if (outcome.kind !== 'unchanged') await handle.appendAll(outcome.entries);
        }
        await handle.flush();
        const again = await store.open(handle.id, { mode: 'read' });
        expect(again.messages()).toEqual(view);
        const answered = new Set(
          view.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : [])),
        );
        const asked = view.flatMap(toolCallsOf).map(({ id }) => id);
        expect(new Set(asked)).toEqual(answered);
        const stored = again.path().flatMap((entry) => (entry.type === 'message' ? [entry.message.id] : []));
        expect(stored).toEqual(all);
      }),
      { numRuns: 60 },
    );
  });
});

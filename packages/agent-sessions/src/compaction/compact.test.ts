import { type Message, type ModelFailure, textOf, toolCallsOf } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { scriptedModel } from '../fixtures/scripted-model.ts';
import { MemorySessionStore } from '../store/memory-store.ts';
import { contextTokens } from '../window/context-window.ts';
import { cutMiddle } from '../window/cut-middle.ts';
import { type CompactionRequest, compact } from './compact.ts';
import { planCompaction } from './plan.ts';

const signal = new AbortController().signal;
const failure: ModelFailure = { code: 'server', message: 'The server is down.', retryable: false };
const notes = '## Goal\nFix the parser.';

/** Turns of about a thousand tokens each. */
function longConversation(turns: number): Message[] {
  return Array.from({ length: turns }, (_, turn) => [
    user(`request ${turn}`),
    call(`t${turn}`, 'Read', { file_path: `src/${turn}.ts` }),
    result(`t${turn}`, `output ${turn} ${'x'.repeat(3_900)}`),
    assistant(`answer ${turn}`),
  ]).flat();
}

const promptOf = ({ messages }: { messages: readonly Message[] }) => textOf(messages[0]?.content ?? []);

describe('compact', () => {
  it('replaces the older part by one message with the summary of a model', async () => {
    proves('P-24', 'P-25', 'P-26');
    const messages = longConversation(60);
    const choice = scriptedModel([notes]);
    const outcome = await compact({ messages, choice, reason: 'manual', signal });
    if (outcome.kind !== 'summarised') throw new Error(outcome.kind);
    const [first, ...tail] = outcome.messages;
    expect(first).toMatchObject({ role: 'user', origin: 'summary' });
    expect(textOf(first?.content ?? [])).toContain(notes);
    expect(tail).toEqual(messages.slice(-tail.length));
    expect(outcome.tokensAfter).toBeLessThan(outcome.tokensBefore / 2);
    expect(outcome.usage.input).toBe(1_000);
    expect(outcome.cost).toBeCloseTo(0.0012);
    const [request] = choice.requests;
    expect(request?.tools).toEqual([]);
    expect(promptOf(request ?? { messages: [] })).toContain('request 0');
    expect(promptOf(request ?? { messages: [] })).toContain('output 0');
    expect(promptOf(request ?? { messages: [] })).not.toContain('request 59');
  });

  it('passes the focus and the project’s own instructions to the model', async () => {
    const choice = scriptedModel([notes]);
    const wishes = { focus: 'the API changes', instructions: 'Always list open tickets.' };
    await compact({ messages: longConversation(40), choice, reason: 'manual', signal, ...wishes });
    const prompt = promptOf(choice.requests[0] ?? { messages: [] });
    expect(prompt).toContain('the API changes');
    expect(prompt).toContain('Always list open tickets.');
  });

  it('prunes old output first, and asks no model when that is enough', async () => {
    const messages = [...longConversation(40), ...longConversation(1)];
    const choice = scriptedModel([], 60_000);
    const outcome = await compact({ messages, choice, reason: 'threshold', signal });
    if (outcome.kind !== 'pruned') throw new Error(outcome.kind);
    expect(choice.requests).toEqual([]);
    expect(outcome.prunedResults).toBe(36);
    expect(outcome.messages).toHaveLength(messages.length);
    expect(outcome.messages.slice(-17)).toEqual(messages.slice(-17));
    expect(contextTokens(outcome.messages)).toBeLessThan(outcome.tokensBefore / 3);
  });

  it('summarises before an overflow where pruning is not enough', async () => {
    const messages = Array.from({ length: 200 }, (_, turn) => [
      user(`u${turn} ${'y'.repeat(900)}`),
      assistant('ok'),
    ]).flat();
    const outcome = await compact({
      messages,
      choice: scriptedModel([notes], 50_000),
      reason: 'threshold',
      signal,
    });
    expect(outcome.kind).toBe('summarised');
    expect(contextTokens(outcome.messages)).toBeLessThan(20_000);
  });

  it('loses nothing when the summary fails: it prunes and says so, or leaves all as it is', async () => {
    const messages = longConversation(40);
    const outcome = await compact({ messages, choice: scriptedModel([failure]), reason: 'overflow', signal });
    expect(outcome).toMatchObject({ kind: 'pruned', notice: expect.stringContaining('The server is down.') });
    const plain = [user('a'), assistant('b'.repeat(4_000)), user('c'), assistant('d'.repeat(2_000))];
    const untouched = await compact({
      messages: plain,
      choice: scriptedModel([failure]),
      reason: 'manual',
      signal,
    });
    expect(untouched).toMatchObject({
      kind: 'unchanged',
      messages: plain,
      notice: expect.stringContaining('server is down'),
    });
    const empty = await compact({ messages: plain, choice: scriptedModel(['  ']), reason: 'manual', signal });
    expect(empty).toMatchObject({ kind: 'unchanged', notice: expect.stringContaining('without a summary') });
  });

  it('pays for no summary that could hardly be shorter, nor for one of a summary alone', async () => {
    const choice = scriptedModel([notes]);
    const short = [user('hi'), assistant('hello'), user('more'), assistant('there you are')];
    const manual = { choice, reason: 'manual', signal } as const;
    expect(await compact({ messages: short, ...manual })).toMatchObject({ kind: 'unchanged', modelCalls: 0 });
    const once = await compact({ messages: longConversation(40), ...manual });
    const again = await compact({ messages: once.messages.slice(0, 3), ...manual });
    expect(again).toMatchObject({ kind: 'unchanged', modelCalls: 0 });
    expect(choice.requests).toHaveLength(1);
  });

  it('tries again after a passing failure', async () => {
    const retry = { maxRetries: 2, baseDelayMs: 1, maxDelayMs: 1, maxRetryAfterMs: 10 };
    const choice = scriptedModel([{ ...failure, retryable: true }, notes]);
    const outcome = await compact({
      messages: longConversation(40),
      choice,
      reason: 'manual',
      signal,
      retry,
    });
    expect(outcome.kind).toBe('summarised');
    expect(choice.requests).toHaveLength(2);
  });

  it('changes nothing when it is interrupted', async () => {
    const controller = new AbortController();
    controller.abort();
    const aborted: ModelFailure = { code: 'aborted', message: 'Interrupted.', retryable: false };
    const messages = longConversation(40);
    const outcome = await compact({
      messages,
      choice: scriptedModel([aborted]),
      reason: 'manual',
      signal: controller.signal,
    });
    expect(outcome).toMatchObject({ kind: 'unchanged', messages });
  });

  it('says when there is nothing to compact', async () => {
    const messages = [user('hi'), assistant('hello')];
    for (const conversation of [[], messages]) {
      const request: CompactionRequest = {
        messages: conversation,
        choice: scriptedModel([]),
        reason: 'manual',
        signal,
      };
      expect(await compact(request)).toMatchObject({
        kind: 'unchanged',
        notice: expect.stringContaining('Nothing'),
      });
    }
  });

  it('keeps the request that is being worked on word for word, however long the turn is', async () => {
    const request = user('Rename every function, but never touch tests.');
    const work = longConversation(60).filter(({ role }) => role !== 'user');
    const outcome = await compact({
      messages: [user('hi'), assistant('hello'), request, ...work],
      choice: scriptedModel([notes]),
      reason: 'overflow',
      signal,
    });
    expect(outcome.messages[1]).toBe(request);
    expect(outcome.messages[2]?.role).toBe('assistant');
  });

  it('carries the earlier summary and the files on into the next one', async () => {
    const choice = scriptedModel(['first notes', 'second notes']);
    const first = await compact({ messages: longConversation(40), choice, reason: 'manual', signal });
    const messages = [
      ...first.messages,
      ...longConversation(40).map((message) => ({ ...message, timestamp: Date.now() + 10 })),
    ];
    const second = await compact({ messages, choice, reason: 'manual', signal });
    if (second.kind !== 'summarised') throw new Error(second.kind);
    const prompt = promptOf(choice.requests[1] ?? { messages: [] });
    expect(prompt).toContain('<earlier-notes>\nfirst notes\n</earlier-notes>');
    expect(second.summary).toMatch(/^second notes\n\n<read-files>\nsrc\/0.ts\n/);
    expect(
      second.messages.filter((message) => message.role === 'user' && message.origin === 'summary'),
    ).toHaveLength(1);
  });

  it('fits a conversation of any size into the request for the summary', async () => {
    const choice = scriptedModel([notes], 32_000);
    await compact({ messages: longConversation(400), choice, reason: 'overflow', signal });
    const prompt = promptOf(choice.requests[0] ?? { messages: [] });
    expect(prompt.length).toBeLessThan(32_000 * 3);
    expect(prompt).toContain('request 0');
    expect(prompt).toMatch(/characters left out/);
  });

  it('is the same view when the session is read again, also after several compactions', async () => {
    proves('P-26');
    const store = new MemorySessionStore();
    const handle = await store.create({ cwd: '/' });
    let view: readonly Message[] = [];
    for (const reason of ['threshold', 'manual', 'overflow', 'manual', 'threshold'] as const) {
      const added = longConversation(reason === 'threshold' ? 20 : 3);
      for (const message of added) await handle.append({ type: 'message', message });
      const outcome = await compact({
        messages: [...view, ...added],
        choice: scriptedModel([notes], 40_000),
        reason,
        signal,
      });
      view = outcome.messages;
      if (outcome.kind !== 'unchanged') await handle.appendAll(outcome.entries);
      await handle.flush();
      const again = await store.open(handle.id, { mode: 'read' });
      expect(again.messages()).toEqual(view);
    }
    expect(handle.path().filter(({ type }) => type === 'message')).toHaveLength((20 + 3 + 3 + 3 + 20) * 4);
  });
});

describe('planCompaction', () => {
  it('never parts a call from its results and keeps all that it does not summarise', () => {
    proves('P-24');
    const turn = fc.record({
      calls: fc.integer({ min: 0, max: 3 }),
      size: fc.integer({ min: 0, max: 4_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 15 }),
        fc.integer({ min: 1, max: 5_000 }),
        (turns, keep) => {
          const messages = turns.flatMap(({ calls, size }, index) => [
            user(`u${index}`),
            ...Array.from({ length: calls }, (_, at) => [
              call(`${index}-${at}`),
              result(`${index}-${at}`, 'x'.repeat(size)),
            ]).flat(),
            assistant('done'),
          ]);
          const plan = planCompaction(messages, keep);
          if (!plan) return;
          const all = [...plan.summarise, ...(plan.request ? [plan.request] : []), ...plan.keep];
          expect(new Set(all)).toEqual(new Set(messages));
          expect(all).toHaveLength(messages.length);
          const asked = new Set(plan.keep.flatMap(toolCallsOf).map(({ id }) => id));
          for (const message of plan.keep)
            if (message.role === 'tool') expect(asked).toContain(message.toolCallId);
        },
      ),
    );
  });
});

describe('cutMiddle', () => {
  it('never cuts inside a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 20 }), fc.nat(30), (text, size) => {
        expect(() => encodeURIComponent(cutMiddle(text, size))).not.toThrow();
      }),
    );
  });
});

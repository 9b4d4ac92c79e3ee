import { eventsOf, type ModelEvent } from '@robota-sdk/agent-core';
import {
  collectEvents,
  contentOf,
  eventStream,
  openaiChatChunk,
  openaiChatChunks,
  openaiError,
  sse,
  testModel,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChatHarness, delta, stop } from './chat-harness.ts';

/** Ends, failures and usage of answers of Chat Completions. */
export function endSuite(harness: ChatHarness): void {
  const { ask, answer } = harness;

  describe('ends', () => {
    it.each([
      ['stop', 'end'],
      ['length', 'length'],
      ['content_filter', 'refusal'],
      ['tool_calls', 'end'],
    ])('maps the finish reason %s to %s', async (reason, stopReason) => {
      proves('P-49');
      const events = await answer([delta({ content: 'x' }), stop(reason)]);
      expect(events.at(-1)).toEqual({ type: 'end', stopReason, usage: expect.anything() });
    });

    it('takes an unknown finish reason as the end and says so', async () => {
      proves('P-49');
      const events = await answer([delta({ content: 'x' }), stop('new_reason')]);
      expect(events.at(-1)).toMatchObject({
        stopReason: 'end',
        note: expect.stringContaining('"new_reason"'),
      });
    });

    it('reports a refusal as one', async () => {
      const events = await answer([delta({ refusal: 'I will not.' }), stop()]);
      expect(contentOf(events)).toEqual([{ type: 'text', text: 'I will not.' }]);
      expect(events.at(-1)).toMatchObject({ stopReason: 'refusal' });
    });

    it('reports a vendor that gave up as a failure that may be retried', async () => {
      proves('P-49');
      const events = await answer([delta({ content: 'x' }), stop('insufficient_system_resource')]);
      expect(events.at(-1)).toMatchObject({
        type: 'error',
        failure: { code: 'overloaded', retryable: true },
      });
    });

    it('is content with a finish reason and no [DONE], or [DONE] and no finish reason', async () => {
      const without = await answer([delta({ content: 'x' }), stop()]);
      expect(without.at(-1)).toMatchObject({ type: 'end', stopReason: 'end' });
      const only = await answer([delta({ content: 'x' }), sse('[DONE]')]);
      expect(only.at(-1)).toMatchObject({ type: 'end', stopReason: 'end' });
    });

    it('keeps a whole answer when the connection breaks after its finish reason', async () => {
      const events = await answer([delta({ content: 'x' }), stop(), { reset: true }]);
      expect(contentOf(events)).toEqual([{ type: 'text', text: 'x' }]);
      expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: 'end' });
    });

    it('keeps a whole answer when damaged or failed events follow its finish reason', async () => {
      for (const rest of [sse('{"usage": {'), sse({ error: { message: 'overloaded', code: 503 } })]) {
        const events = await answer([delta({ content: 'x' }), stop(), rest]);
        expect(contentOf(events)).toEqual([{ type: 'text', text: 'x' }]);
        expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: 'end' });
      }
    });

    it('ends with a retryable error when the stream stops before the finish reason', async () => {
      const events = await answer([delta({ content: 'par' })]);
      expect(contentOf(events)).toEqual([{ type: 'text', text: 'par' }]);
      expect(events.at(-1)).toMatchObject({ type: 'error', failure: { code: 'network', retryable: true } });
      expect((await answer([delta({ content: 'par' }), { reset: true }])).at(-1)).toMatchObject({
        type: 'error',
        failure: { code: 'network', retryable: true },
      });
    });

    it.each([
      [{ error: { message: 'Overloaded, sorry', type: 'overloaded_error' } }, 'overloaded'],
      [{ error: { message: 'Rate limit reached. Please try again in 1.5s.', code: 429 } }, 'rate-limit'],
      [{ error: 'internal trouble' }, 'server'],
      [
        { object: 'error', message: "This model's maximum context length is 10 tokens", code: 400 },
        'context-overflow',
      ],
    ])('reports an error object inside the stream: %j', async (payload, code) => {
      const events = await answer([delta({ content: 'par' }), sse(payload)]);
      expect(events.at(-1)).toMatchObject({
        type: 'error',
        failure: { code, message: expect.stringContaining('acme') },
      });
    });

    it('keeps what was counted and held back when an answer breaks off', async () => {
      const usage = sse({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 2 } });
      const events = await answer([delta({ content: '<think>a </thi' }), usage], {
        thinkingFormat: 'think-tags',
      });
      expect(contentOf(events)).toEqual([{ type: 'thinking', text: 'a </thi' }]);
      expect(events.at(-1)).toMatchObject({ type: 'error', usage: { input: 10, output: 2 } });
    });

    it('reads the wished wait out of an error inside the stream', async () => {
      const events = await answer([
        sse({ error: { message: 'Rate limit: try again in 1.5s', code: 'rate_limit_exceeded' } }),
      ]);
      expect(events.at(-1)).toMatchObject({ failure: { code: 'rate-limit', retryAfterMs: 1500 } });
    });

    it('reports a refused key and a data line that is no JSON in words', async () => {
      const refusal = openaiError(401, 'Incorrect API key provided');
      // The account of a cloud is asked for other credentials once.
      harness.server.reply(refusal, ...(harness.wire.isDirect ? [] : [refusal]));
      const [refused] = await collectEvents(ask());
      expect(refused).toMatchObject({
        type: 'error',
        failure: { code: 'auth', status: 401, retryable: false },
      });
      const garbled = await answer([delta({ content: 'x' }), 'data: {"cho\n\n']);
      expect(garbled.at(-1)).toMatchObject({
        failure: { code: 'protocol', message: expect.stringContaining('{"cho') },
      });
    });

    it('passes an interruption on to the request', async () => {
      proves('P-50');
      const controller = new AbortController();
      harness.server.reply(eventStream([delta({ content: 'par' }), { hang: true }]));
      const events: ModelEvent[] = [];
      const model = testModel({ vendor: 'acme', api: 'openai', compat: { thinkingFormat: 'openai' } });
      for await (const event of eventsOf(ask({ model, signal: controller.signal }))) {
        events.push(event);
        if (event.type === 'text-delta') controller.abort();
      }
      expect(events.at(-1)).toMatchObject({ type: 'error', failure: { code: 'aborted', retryable: false } });
    });
  });

  describe('usage', () => {
    it.each([
      ['its own chunk', sse({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 2 } })],
      ['the choice', openaiChatChunk({ delta: {}, usage: { prompt_tokens: 10, completion_tokens: 2 } })],
      ['x_groq', sse({ choices: [], x_groq: { usage: { prompt_tokens: 10, completion_tokens: 2 } } })],
    ])('is read from %s', async (_where, chunk) => {
      const events = await answer([delta({ content: 'x' }), stop(), chunk, sse('[DONE]')]);
      expect(events.at(-1)).toMatchObject({ usage: { input: 10, output: 2 } });
    });

    it.each([
      [
        { prompt_tokens: 10, prompt_cache_hit_tokens: 8, completion_tokens: 1 },
        { input: 2, cacheRead: 8, cacheWrite: 0, output: 1 },
      ],
      [
        {
          prompt_tokens: 10,
          prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 5 },
          completion_tokens: 1,
        },
        { input: 1, cacheRead: 4, cacheWrite: 5, output: 1 },
      ],
      [
        {
          prompt_tokens: 10,
          completion_tokens: 1,
          total_tokens: 18,
          completion_tokens_details: { reasoning_tokens: 7 },
        },
        { input: 10, cacheRead: 0, cacheWrite: 0, output: 8, reasoning: 7 },
      ],
    ])('splits cached, written and thinking tokens off: %j', async (usage, expected) => {
      const events = await answer([stop(), sse({ choices: [], usage })]);
      expect(events.at(-1)).toMatchObject({ usage: expected });
    });
  });

  it('gives the same answer however its bytes are cut', async () => {
    const chunks = openaiChatChunks({
      reasoning: ['Grüße ', '🙂'],
      text: ['日本', '語 🧑‍🚀'],
      calls: [
        { name: 'Write', input: { text: 'ä"\\\n🙂' }, pieces: 4 },
        { name: 'Read', input: { path: 'x' } },
      ],
      usage: { input: 9, output: 3 },
    });
    const whole = summary(await answer(chunks));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (chunkBytes) => {
        harness.server.reply(eventStream(chunks, { chunkBytes }));
        expect(summary(await collectEvents(ask()))).toEqual(whole);
      }),
      { numRuns: 12, examples: [[1], [2], [3]] },
    );
  });
}

function summary(events: readonly ModelEvent[]) {
  return { content: contentOf(events), end: events.at(-1) };
}

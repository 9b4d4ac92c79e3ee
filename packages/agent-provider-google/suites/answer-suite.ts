import {
  contentOf,
  eventStream,
  googleChunks,
  googleError,
  googleReply,
  sse,
} from '@robota-sdk/agent-testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GoogleHarness } from './google-harness.ts';

/** Answers of the Gemini API and its failures. */
export function answerSuite({ ask }: GoogleHarness): void {
  describe('the reply', () => {
    it('streams thinking and text, then the calls and the usage', async () => {
      const usage = {
        promptTokenCount: 100,
        cachedContentTokenCount: 60,
        candidatesTokenCount: 20,
        thoughtsTokenCount: 7,
      };
      const events = await ask(
        googleReply({
          chunks: [
            [{ text: 'Hm', thought: true }],
            [{ text: ', yes', thought: true, thoughtSignature: 'cw==' }],
            [{ text: 'Hel' }, { text: 'lo' }],
            [{ functionCall: { id: 'g-1', name: 'Read', args: { path: 'é' } } }],
          ],
          usage,
        }),
      );
      expect(events).toEqual([
        { type: 'thinking-start', index: 0 },
        { type: 'thinking-delta', index: 0, text: 'Hm' },
        { type: 'thinking-delta', index: 0, text: ', yes' },
        { type: 'thinking-end', index: 0, vendorData: { signature: 'cw==' } },
        { type: 'text-start', index: 1 },
        { type: 'text-delta', index: 1, text: 'Hel' },
        { type: 'text-delta', index: 1, text: 'lo' },
        { type: 'text-end', index: 1 },
        { type: 'tool-call-start', index: 2, id: 'g-1', name: 'Read' },
        { type: 'tool-call-delta', index: 2, json: '{"path":"é"}' },
        { type: 'tool-call-end', index: 2, input: { path: 'é' }, vendorData: { callId: 'g-1' } },
        {
          type: 'end',
          stopReason: 'tool-calls',
          usage: { input: 40, output: 27, cacheRead: 60, cacheWrite: 0, reasoning: 7 },
        },
      ]);
    });

    it('sends an id back only where it tells the calls apart', async () => {
      const call = { functionCall: { name: 'Now', id: 'same' } };
      const events = await ask(googleReply({ chunks: [[call, call]] }));
      const ends = events.filter((event) => event.type === 'tool-call-end');
      expect(ends.map((event) => event.vendorData)).toEqual([{ callId: 'same' }, undefined]);
    });

    it('puts arguments together that come value by value', async () => {
      const chunks = [
        { name: 'Edit', id: 'e', willContinue: true },
        {
          partialArgs: [{ jsonPath: '$.path', stringValue: 'src/', willContinue: true }],
          willContinue: true,
        },
        {
          partialArgs: [
            { jsonPath: '$.path', stringValue: 'a.ts' },
            { jsonPath: "$['edits'][0].line", numberValue: 3 },
          ],
          willContinue: true,
        },
        {
          partialArgs: [
            { jsonPath: '$.all', boolValue: true },
            { jsonPath: '$.none', nullValue: 'NULL_VALUE' },
          ],
          willContinue: true,
        },
        {},
      ];
      const events = await ask(googleReply({ chunks: chunks.map((functionCall) => [{ functionCall }]) }));
      expect(events.find((event) => event.type === 'tool-call-end')).toMatchObject({
        input: { path: 'src/a.ts', edits: [{ line: 3 }], all: true, none: null },
      });
      const cut = await ask(
        googleReply({ chunks: [[{ functionCall: chunks[0] }]], finishReason: 'MAX_TOKENS' }),
      );
      expect(cut.find((event) => event.type === 'tool-call-end')).toMatchObject({
        input: {},
        invalid: expect.stringContaining('cut off'),
      });
    });

    it.each([
      ['STOP', { type: 'end', stopReason: 'end' }],
      ['MAX_TOKENS', { type: 'end', stopReason: 'length' }],
      [
        'SAFETY',
        { type: 'end', stopReason: 'refusal', note: expect.stringContaining('unsafe (SAFETY). see policy') },
      ],
      ['RECITATION', { type: 'end', stopReason: 'refusal', note: expect.stringContaining('published text') }],
      [
        'PROHIBITED_CONTENT',
        { type: 'end', stopReason: 'refusal', note: expect.stringContaining('prohibited') },
      ],
      ['BLOCKLIST', { type: 'end', stopReason: 'refusal', note: expect.stringContaining('forbidden term') }],
      ['SPII', { type: 'end', stopReason: 'refusal', note: expect.stringContaining('personal data') }],
      ['OTHER', { type: 'end', stopReason: 'end', note: expect.stringContaining('OTHER') }],
      ['A_NEW_REASON', { type: 'end', stopReason: 'end', note: expect.stringContaining('A_NEW_REASON') }],
      ['MALFORMED_FUNCTION_CALL', { type: 'error', failure: { code: 'protocol', retryable: true } }],
      [
        'MISSING_THOUGHT_SIGNATURE',
        { type: 'error', failure: { code: 'invalid-request', retryable: false } },
      ],
    ])('ends with %s as people and the loop need it', async (finishReason, expected) => {
      const reply = googleReply({
        chunks: [[{ text: 'so far' }]],
        finishReason,
        finishMessage: 'see policy',
      });
      expect((await ask(reply)).at(-1)).toMatchObject(expected);
    });

    it('says that a prompt was blocked, and that an answer was empty', async () => {
      const blocked = await ask(
        eventStream([sse({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })]),
      );
      expect(blocked).toMatchObject([
        { type: 'end', stopReason: 'refusal', note: expect.stringContaining('refused the request') },
      ]);
      const empty = await ask(googleReply({ chunks: [] }));
      expect(empty).toMatchObject([
        { type: 'end', stopReason: 'end', note: expect.stringContaining('empty') },
      ]);
      const nothing = await ask(googleReply({ chunks: [], finishReason: 'OTHER' }));
      expect(nothing).toMatchObject([{ type: 'error', failure: { retryable: true } }]);
    });

    it('is the same however the bytes are cut', async () => {
      const answer = {
        chunks: [
          [{ text: 'Grüße 👩‍👩‍👧 ', thought: true }],
          [{ text: 'naïve 日本語' }],
          [{ functionCall: { id: 'x', name: 'Read', args: { path: '🦊' } }, thoughtSignature: 'cw==' }],
        ],
      };
      const whole = await ask(googleReply(answer));
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (chunkBytes) => {
          expect(await ask(googleReply(answer, { chunkBytes }))).toEqual(whole);
        }),
        { numRuns: 12 },
      );
    });
  });

  describe('failures', () => {
    it.each([
      [googleError(400, 'API key not valid. Please pass a valid API key.'), 'auth', false],
      [googleError(403, 'no', 'PERMISSION_DENIED'), 'auth', false],
      [googleError(404, 'models/x is not found', 'NOT_FOUND'), 'model-not-found', false],
      [
        googleError(
          400,
          'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
        ),
        'context-overflow',
        false,
      ],
      [googleError(503, 'The model is overloaded.', 'UNAVAILABLE'), 'overloaded', true],
      [googleError(500, 'An internal error has occurred.', 'INTERNAL'), 'server', true],
      [
        googleError(
          429,
          'You exceeded your current quota, please check your plan and billing details.',
          'RESOURCE_EXHAUSTED',
        ),
        'quota',
        false,
      ],
    ])('of the server become the last event: %#', async (reply, code, retryable) => {
      expect(await ask(reply)).toMatchObject([{ type: 'error', failure: { code, retryable } }]);
    });

    it('by a limit per minute wait as long as Google says', async () => {
      const text =
        'You exceeded your current quota, please check your plan and billing details. Please retry in 28.4s.';
      const [event] = await ask(googleError(429, text, 'RESOURCE_EXHAUSTED'));
      expect(event).toMatchObject({
        type: 'error',
        failure: { code: 'rate-limit', retryable: true, retryAfterMs: 28_400 },
      });
    });

    it('in the middle of a stream keep what came before', async () => {
      const [first] = googleChunks({ chunks: [[{ text: 'half' }]], finishReason: null });
      const error = sse({ error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } });
      const events = await ask(eventStream([first!, error]));
      expect(events.map((event) => event.type)).toEqual(['text-start', 'text-delta', 'text-end', 'error']);
      expect(events.at(-1)).toMatchObject({ failure: { code: 'overloaded' }, usage: { input: 10 } });
    });

    it('are noticed when the stream breaks off, not when only the connection does', async () => {
      const cut = await ask(googleReply({ chunks: [[{ text: 'half' }]], finishReason: null }));
      expect(cut.at(-1)).toMatchObject({ type: 'error', failure: { code: 'network', retryable: true } });
      const reset = await ask(eventStream([...googleChunks('whole'), { reset: true }]));
      expect(reset.at(-1)).toMatchObject({ type: 'end', stopReason: 'end' });
      const garbage = await ask(eventStream([sse('{"candidates": [')]));
      expect(garbage.at(-1)).toMatchObject({ type: 'error', failure: { code: 'protocol' } });
    });

    it('after the finish reason do not cost the answer', async () => {
      const error = { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } };
      for (const rest of [sse('{"usageMetadata": {'), sse('<html>'), sse(error)]) {
        const events = await ask(eventStream([...googleChunks('whole'), rest]));
        expect(contentOf(events)).toEqual([{ type: 'text', text: 'whole' }]);
        expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: 'end', usage: { output: 5 } });
      }
    });

    it('are not events without an object', async () => {
      const [first, last] = googleChunks('whole');
      const others = ['', ' ', 'null', '7', '"text"', '[{"error":{"code":500}}]'].map((data) => sse(data));
      const events = await ask(eventStream([...others, first!, ...others, last!, ...others]));
      expect(contentOf(events)).toEqual([{ type: 'text', text: 'whole' }]);
      expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: 'end' });
    });

    it('do not include an interruption: that ends as aborted', async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 30);
      const [first] = googleChunks({ chunks: [[{ text: 'half' }]], finishReason: null });
      const events = await ask(eventStream([first!, { hang: true }]), { signal: controller.signal });
      expect(events.at(-1)).toMatchObject({ type: 'error', failure: { code: 'aborted', retryable: false } });
    });
  });
}

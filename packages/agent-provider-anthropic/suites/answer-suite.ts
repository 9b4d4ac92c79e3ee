import {
  type AnthropicAnswer,
  anthropicChunks,
  anthropicReply,
  eventStream,
  sse,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnthropicHarness, everything } from './anthropic-harness.ts';

/** Everything that an answer of the Messages API may hold. */
export function answerSuite({ eventsOf, answer }: AnthropicHarness): void {
  describe('an answer', () => {
    it('streams every kind of block, then the end with usage and stop reason', async () => {
      proves('P-48', 'P-49', 'R-38', 'R-39');
      const events = await answer(everything);
      expect(events.filter(({ type }) => type !== 'tool-call-delta')).toEqual([
        { type: 'thinking-start', index: 0 },
        { type: 'thinking-delta', index: 0, text: 'Let me ' },
        { type: 'thinking-delta', index: 0, text: 'see… 🤔' },
        { type: 'thinking-end', index: 0, vendorData: { signature: 'c2lnbmF0dXJl/+==' } },
        { type: 'thinking-start', index: 1 },
        { type: 'thinking-end', index: 1, redacted: true, vendorData: { data: 'b3BhcXVl' } },
        {
          type: 'server-tool',
          index: 2,
          content: {
            type: 'server-tool',
            phase: 'call',
            id: 'srvtoolu_1',
            name: 'web_search',
            summary: 'weather in Zürich',
            vendorData: {
              type: 'server_tool_use',
              id: 'srvtoolu_1',
              name: 'web_search',
              input: { query: 'weather in Zürich' },
            },
          },
        },
        {
          type: 'server-tool',
          index: 3,
          content: expect.objectContaining({
            phase: 'result',
            id: 'srvtoolu_1',
            name: 'web_search',
            summary: '1 result',
          }),
        },
        { type: 'text-start', index: 4 },
        { type: 'text-delta', index: 4, text: 'Grüße ' },
        { type: 'text-delta', index: 4, text: '😀' },
        { type: 'text-delta', index: 4, text: ' from 漢字' },
        { type: 'text-end', index: 4, vendorData: { citations: everything.citations } },
        { type: 'tool-call-start', index: 5, id: 'toolu_a', name: 'Read' },
        { type: 'tool-call-end', index: 5, input: { file_path: '/ä.ts' } },
        { type: 'tool-call-start', index: 6, id: 'toolu_b', name: 'TodoList' },
        { type: 'tool-call-end', index: 6, input: {} },
        {
          type: 'end',
          stopReason: 'tool-calls',
          usage: { input: 7, output: 30, cacheRead: 100, cacheWrite: 20 },
        },
      ]);
      const json = events.flatMap((event) => (event.type === 'tool-call-delta' ? [event.json] : []));
      expect(json.length).toBeGreaterThan(1);
      expect(json.join('')).toBe('{"file_path":"/ä.ts"}');
    });

    it('stream-025 R-39 one byte per chunk gives identical events', async () => {
      const whole = await answer(everything);
      expect(await eventsOf(anthropicReply(everything, { chunkBytes: 1 }))).toEqual(whole);
    });

    it('stream-023 any chunking gives identical events', async () => {
      const whole = await answer(everything);
      const bytes = Buffer.from(anthropicChunks(everything).join(''));
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (places) => {
          const ends = [...places, bytes.length].sort((a, b) => a - b);
          const chunks = ends
            .map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
            .filter(({ length }) => length > 0);
          expect(await eventsOf(eventStream(chunks))).toEqual(whole);
        }),
        { numRuns: 25 },
      );
    });

    it.each([
      ['end_turn', 'end'],
      ['stop_sequence', 'end'],
      ['max_tokens', 'length'],
      ['pause_turn', 'pause'],
    ])('stops for %s as %s', async (stopReason, expected) => {
      proves('P-49');
      expect((await answer({ text: 'x', stopReason })).at(-1)).toEqual({
        type: 'end',
        stopReason: expected,
        usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 },
      });
    });

    it('explains a full window and a refusal', async () => {
      proves('P-49');
      expect((await answer({ text: 'x', stopReason: 'model_context_window_exceeded' })).at(-1)).toMatchObject(
        {
          stopReason: 'length',
          note: expect.stringContaining('window of claude-test is full'),
        },
      );
      const details = { type: 'refusal', category: 'cyber', explanation: 'This looks harmful.' };
      expect((await answer({ stopReason: 'refusal', stopDetails: details })).at(-1)).toMatchObject({
        stopReason: 'refusal',
        note: 'claude-test declined to answer: This looks harmful.',
      });
      expect((await answer({ stopReason: 'refusal' })).at(-1)).toMatchObject({
        note: 'claude-test declined to answer.',
      });
    });

    it('stream-027 takes an unknown stop reason for the end, with a note', async () => {
      for (const stopReason of ['new_reason', 'constructor']) {
        expect((await answer({ text: 'x', stopReason })).at(-1)).toMatchObject({
          type: 'end',
          stopReason: 'end',
          note: expect.stringContaining(stopReason),
        });
      }
    });

    it('stream-029 reports arguments that are no JSON object instead of guessing', async () => {
      const bad = ['{"command": }', '{"a":1', '[1]', '"x"', '{}{}'];
      const events = await answer({ toolCalls: bad.map((rawJson) => ({ name: 'Bash', rawJson })) });
      const ends = events.filter((event) => event.type === 'tool-call-end');
      expect(ends).toHaveLength(bad.length);
      for (const [index, end] of ends.entries()) {
        expect(end).toMatchObject({ input: {}, invalid: expect.stringContaining(bad[index] ?? '') });
      }
    });

    it('counts totals once, however often they are repeated', async () => {
      const [start, ...rest] = anthropicChunks({ text: 'x', usage: { input: 50, cacheRead: 9, output: 40 } });
      const middle = sse({
        type: 'message_delta',
        delta: {},
        usage: {
          input_tokens: 80,
          output_tokens: 20,
          cache_read_input_tokens: 9,
          output_tokens_details: { thinking_tokens: 12 },
        },
      });
      const events = await eventsOf(eventStream([start ?? '', middle, ...rest]));
      expect(events.at(-1)).toMatchObject({
        usage: { input: 80, output: 40, cacheRead: 9, cacheWrite: 0, reasoning: 12 },
      });
    });

    it('says in a line what a search asked and found', async () => {
      proves('R-38');
      const summaries = async (serverSearch: AnthropicAnswer['serverSearch']) =>
        (await answer({ ...(serverSearch ? { serverSearch } : {}) })).flatMap((event) =>
          event.type === 'server-tool' ? [event.content.summary] : [],
        );
      const results = [1, 2, 3, 4, 5].map((n) => ({ title: `${n}`, url: `https://${n}.test` }));
      expect(await summaries({ query: 'a\nb', results })).toEqual(['a b', '5 results']);
      expect(await summaries({ query: 'c', errorCode: 'max_uses_exceeded' })).toEqual([
        'c',
        'error: max_uses_exceeded',
      ]);
    });

    it('passes over what it does not know, and keeps unknown blocks to give them back', async () => {
      const [start, ping, ...rest] = anthropicChunks({ text: 'fine' });
      const unknown = { type: 'mcp_tool_use', id: 'mcp_1', name: 'x', input: { a: 1 }, server_name: 's' };
      const events = await eventsOf(
        eventStream([
          start ?? '',
          ping ?? '',
          sse({ type: 'brand_new_event', x: 1 }, 'brand_new_event'),
          sse('not json at all', 'telemetry'),
          sse({ type: 'content_block_start', index: 7, content_block: unknown }),
          sse({ type: 'content_block_stop', index: 7 }),
          sse({ type: 'content_block_start', index: 8, content_block: { type: 'hologram' } }),
          sse({ type: 'content_block_delta', index: 8, delta: { type: 'hologram_delta', light: 1 } }),
          sse({ type: 'content_block_stop', index: 8 }),
          sse({ type: 'content_block_delta', index: 99, delta: { type: 'text_delta', text: 'lost' } }),
          sse({ type: 'content_block_stop', index: 99 }),
          ...rest,
        ]),
      );
      expect(events).toEqual([
        {
          type: 'server-tool',
          index: 0,
          content: expect.objectContaining({ id: 'mcp_1', phase: 'call', vendorData: unknown }),
        },
        { type: 'text-start', index: 2 },
        { type: 'text-delta', index: 2, text: 'fine' },
        { type: 'text-end', index: 2 },
        expect.objectContaining({ type: 'end', stopReason: 'end' }),
      ]);
    });

    it('understands compatible servers: no event names, whole arguments at the start, end_turn with calls', async () => {
      const call = { type: 'tool_use', id: 'c1', name: 'Read', input: { file_path: 'a' } };
      const events = await eventsOf(
        eventStream([
          sse({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } }),
          sse({ type: 'content_block_stop', index: 0 }),
          sse({ type: 'content_block_start', index: 1, content_block: call }),
          sse({
            type: 'message_delta',
            delta: { stop_reason: 'end_turn' },
            usage: { input_tokens: 3, output_tokens: 4 },
          }),
          sse({ type: 'message_stop' }),
          sse('[DONE]'),
        ]),
      );
      expect(events).toEqual([
        { type: 'text-start', index: 0 },
        { type: 'text-delta', index: 0, text: 'Hi' },
        { type: 'text-end', index: 0 },
        { type: 'tool-call-start', index: 1, id: 'c1', name: 'Read' },
        { type: 'tool-call-end', index: 1, input: { file_path: 'a' } },
        {
          type: 'end',
          stopReason: 'tool-calls',
          usage: { input: 3, output: 4, cacheRead: 0, cacheWrite: 0 },
        },
      ]);
    });
  });
}

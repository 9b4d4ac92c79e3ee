import { eventsOf, type ModelEvent, type ModelRequest } from '@robota-sdk/agent-core';
import {
  type Chunk,
  collectEvents,
  contentOf,
  eventStream,
  type OpenWire,
  openaiError,
  openaiResponsesChunks,
  openaiResponsesEvent,
  openaiResponsesReply,
  type ProviderWire,
  serveWire,
  testModel,
  testRequest,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenAIResponsesProvider } from '../src/responses/responses-provider.ts';

/** Answers of the Responses API, over the vendor's own server or a cloud's. */
export function responsesSuite(wire: ProviderWire): void {
  let open: OpenWire;
  beforeAll(async () => {
    open = await serveWire(wire);
  });
  afterAll(() => open.way.close());

  describe('items', () => {
    it('streams thinking, text, calls and the end with usage', async () => {
      proves('P-48');
      const events = await answer(
        openaiResponsesChunks({
          reasoning: ['Let me ', 'see.'],
          encrypted: 'AAA',
          text: ['Hel', 'lo'],
          phase: 'commentary',
          calls: [
            { id: 'call_a', name: 'Bash', input: { command: 'ls' } },
            { id: 'call_b', name: 'Now', input: {} },
          ],
          usage: { input: 100, output: 20, cached: 60, reasoning: 5 },
        }),
      );
      expect(contentOf(events)).toEqual([
        {
          type: 'thinking',
          text: 'Let me see.',
          vendorData: {
            type: 'reasoning',
            summary: [{ type: 'summary_text', text: 'Let me see.' }],
            encrypted_content: 'AAA',
          },
        },
        { type: 'text', text: 'Hello', vendorData: { phase: 'commentary' } },
        { type: 'tool-call', id: 'call_a', name: 'Bash', input: { command: 'ls' } },
        { type: 'tool-call', id: 'call_b', name: 'Now', input: {} },
      ]);
      expect(events.filter(({ type }) => type === 'text-delta')).toHaveLength(2);
      expect(events.filter(({ type }) => type === 'tool-call-delta')).toHaveLength(4);
      expect(events.at(-1)).toEqual({
        type: 'end',
        stopReason: 'tool-calls',
        usage: { input: 40, output: 20, cacheRead: 60, cacheWrite: 0, reasoning: 5 },
      });
    });

    it('keeps encrypted reasoning that has nothing to show', async () => {
      const events = await answer(openaiResponsesChunks({ encrypted: 'AAA', text: 'Hi' }));
      expect(contentOf(events)[0]).toEqual({
        type: 'thinking',
        text: '',
        redacted: true,
        vendorData: { type: 'reasoning', summary: [], encrypted_content: 'AAA' },
      });
    });

    it('separates the parts of a summary and shows reasoning that comes in plain text', async () => {
      const part = (summary_index: number, delta: string) => [
        event('response.reasoning_summary_part.added', { output_index: 0, summary_index }),
        event('response.reasoning_summary_text.delta', { output_index: 0, summary_index, delta }),
      ];
      const events = await answer([
        event('response.output_item.added', { output_index: 0, item: { type: 'reasoning' } }),
        ...part(0, 'First'),
        ...part(1, 'Second'),
        event('response.reasoning_text.delta', { output_index: 1, delta: 'raw' }),
        event('response.completed', { response: {} }),
      ]);
      expect(contentOf(events)).toEqual([
        { type: 'thinking', text: 'First\n\nSecond' },
        { type: 'thinking', text: 'raw' },
      ]);
    });

    it('makes up from finished items what deltas left out, and passes unknown events over', async () => {
      const events = await answer([
        event('response.something_new', { output_index: 0 }),
        event('response.output_item.done', {
          output_index: 0,
          item: { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] },
        }),
        event('response.output_item.added', { output_index: 1, item: functionCall('') }),
        event('response.output_item.done', { output_index: 1, item: functionCall('{"path":"x"}') }),
        event('response.output_item.done', { output_index: 2, item: { type: 'some_new_item' } }),
        event('response.completed', { response: { output: [functionCall('{"path":"x"}')] } }),
      ]);
      expect(contentOf(events)).toEqual([
        { type: 'text', text: 'Hello' },
        { type: 'tool-call', id: 'c1', name: 'Read', input: { path: 'x' } },
      ]);
      expect(events.at(-1)).toMatchObject({ stopReason: 'tool-calls' });
    });

    it('takes items from the final response when none ended on its own, and each once', async () => {
      const events = await answer([
        event('response.output_text.delta', { item_id: 'm1', delta: 'Hel' }),
        event('response.completed', {
          response: {
            output: [
              { type: 'message', id: 'm1', content: [{ type: 'output_text', text: 'Hello' }] },
              functionCall('{"path":"x"}'),
            ],
          },
        }),
      ]);
      expect(contentOf(events)).toEqual([
        { type: 'text', text: 'Hello' },
        { type: 'tool-call', id: 'c1', name: 'Read', input: { path: 'x' } },
      ]);
    });

    it('marks arguments that are no JSON as invalid', async () => {
      const events = await answer(
        openaiResponsesChunks({ calls: [{ name: 'Bash', input: '{"command": }' }] }),
      );
      expect(contentOf(events)).toMatchObject([
        { input: {}, invalid: expect.stringContaining('not valid JSON') },
      ]);
    });

    it('keeps a web search of the vendor without its id', async () => {
      const action = { type: 'search', query: 'robots' };
      const events = await answer([
        event('response.output_item.done', {
          output_index: 0,
          item: { id: 'ws_1', type: 'web_search_call', status: 'completed', action },
        }),
        event('response.completed', { response: {} }),
      ]);
      expect(contentOf(events)).toEqual([
        {
          type: 'server-tool',
          phase: 'call',
          id: 'ws_1',
          name: 'web_search',
          summary: 'robots',
          vendorData: { type: 'web_search_call', status: 'completed', action },
        },
      ]);
    });
  });

  describe('ends', () => {
    it.each([
      [undefined, 'end'],
      ['max_output_tokens', 'length'],
      ['content_filter', 'refusal'],
    ])('maps an answer incomplete for %s to %s', async (stop, stopReason) => {
      proves('P-49');
      const events = await answer(
        openaiResponsesChunks({ text: 'x', ...(stop === undefined ? {} : { stop }) }),
      );
      expect(events.at(-1)).toEqual({ type: 'end', stopReason, usage: expect.anything() });
    });

    it('takes an unknown reason as the end and says so', async () => {
      proves('P-49');
      const events = await answer(openaiResponsesChunks({ text: 'x', stop: 'new_reason' }));
      expect(events.at(-1)).toMatchObject({
        stopReason: 'end',
        note: expect.stringContaining('"new_reason"'),
      });
    });

    it('reports a refusal as one', async () => {
      const events = await answer([
        event('response.refusal.delta', { output_index: 0, delta: 'I will not.' }),
        event('response.completed', { response: {} }),
      ]);
      expect(contentOf(events)).toEqual([{ type: 'text', text: 'I will not.' }]);
      expect(events.at(-1)).toMatchObject({ stopReason: 'refusal' });
    });

    it.each([
      ['response.failed', { response: { error: { code: 'server_error', message: 'Oh no' } } }, 'server'],
      [
        'response.failed',
        { response: { error: { code: 'context_length_exceeded', message: 'Too long' } } },
        'context-overflow',
      ],
      ['response.failed', { response: {} }, 'server'],
      ['error', { code: 'rate_limit_exceeded', message: 'Slow down, try again in 20ms' }, 'rate-limit'],
      ['error', { error: { type: 'insufficient_quota', message: 'No money' } }, 'quota'],
    ])('reports %s %j as a failure', async (type, fields, code) => {
      proves('P-49');
      const [first, second] = openaiResponsesChunks({ text: 'x' });
      const events = await answer([first ?? '', second ?? '', event(type, fields)]);
      expect(events.at(-1)).toMatchObject({
        type: 'error',
        failure: { code, message: expect.stringContaining('acme') },
      });
    });

    it('says what a failed answer used', async () => {
      const response = { error: { code: 'server_error' }, usage: { input_tokens: 10, output_tokens: 2 } };
      const events = await answer([event('response.failed', { response })]);
      expect(events.at(-1)).toMatchObject({ type: 'error', usage: { input: 10, output: 2 } });
    });

    it('ends with a retryable error when the stream stops before the final event', async () => {
      const chunks = openaiResponsesChunks({ text: ['par', 'tial'] });
      const events = await answer(chunks.slice(0, 6));
      expect(contentOf(events)).toEqual([{ type: 'text', text: 'partial' }]);
      expect(events.at(-1)).toMatchObject({ type: 'error', failure: { code: 'network', retryable: true } });
    });

    it('keeps a whole answer when the connection breaks after the final event', async () => {
      const events = await answer([...openaiResponsesChunks({ text: 'x' }), { reset: true }]);
      expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: 'end' });
    });

    it('reports an HTTP error in words', async () => {
      open.server.reply(openaiError(404, 'The model does not exist', { 'x-request-id': 'r1' }));
      expect(await collectEvents(ask())).toMatchObject([
        {
          type: 'error',
          failure: { code: 'model-not-found', message: expect.stringContaining('test-model') },
        },
      ]);
    });

    it('passes an interruption on to the request', async () => {
      proves('P-50');
      const controller = new AbortController();
      open.server.reply(
        eventStream([event('response.output_text.delta', { output_index: 0, delta: 'par' }), { hang: true }]),
      );
      const events: ModelEvent[] = [];
      for await (const received of eventsOf(ask({ signal: controller.signal }))) {
        events.push(received);
        if (received.type === 'text-delta') controller.abort();
      }
      expect(events.at(-1)).toMatchObject({ type: 'error', failure: { code: 'aborted', retryable: false } });
    });
  });

  it('gives the same answer however its bytes are cut', async () => {
    const reply = openaiResponsesReply({
      reasoning: ['Grüße ', '🙂'],
      encrypted: 'AAA',
      text: ['日本', '語 🧑‍🚀'],
      calls: [{ name: 'Write', input: { text: 'ä"\\\n🙂' }, pieces: 4 }],
      usage: { input: 9, output: 3 },
    });
    const whole = summary(await answer(reply.chunks));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (chunkBytes) => {
        open.server.reply({ ...reply, chunkBytes });
        expect(summary(await collectEvents(ask()))).toEqual(whole);
      }),
      { numRuns: 10, examples: [[1], [2], [3]] },
    );
  });

  function summary(events: readonly ModelEvent[]) {
    return { content: contentOf(events), end: events.at(-1) };
  }

  function ask(extra: Partial<ModelRequest> = {}) {
    const { server, way } = open;
    const provider = createOpenAIResponsesProvider({
      vendor: 'acme',
      baseUrl: `${server.url}/v1`,
      ...way.connection,
    });
    const model = testModel({ vendor: 'acme', api: 'openai-responses', thinking: 'effort' });
    return provider.stream(testRequest({ model, ...extra }));
  }

  function answer(chunks: readonly Chunk[]): Promise<readonly ModelEvent[]> {
    open.server.reply(eventStream(chunks));
    return collectEvents(ask());
  }
}

function event(type: string, fields: Readonly<Record<string, unknown>>): string {
  return openaiResponsesEvent({ type, ...fields });
}

function functionCall(text: string) {
  return { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'Read', arguments: text };
}

import {
  type AssistantMessage,
  type Connection,
  createMessage,
  eventsOf as eachEvent,
  MessageAssembler,
  type Model,
  type ModelEvent,
  type ModelRequest,
  noUsage,
  toolEnd,
} from '@robota-sdk/agent-core';
import {
  type AnthropicAnswer,
  anthropicChunks,
  anthropicError,
  anthropicReply,
  eventStream,
  type ModelServer,
  type Reply,
  sse,
  startModelServer,
  testModel,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAnthropicProvider } from './anthropic-provider.ts';

const model: Model = testModel({ vendor: 'anthropic', id: 'claude-test', api: 'anthropic' });

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

function connect(extra: Partial<Connection> = {}) {
  return createAnthropicProvider({ vendor: 'anthropic', baseUrl: server.url, apiKey: 'secret', ...extra });
}

function requestOf(extra: Partial<ModelRequest> = {}): ModelRequest {
  const hello = createMessage({ role: 'user', content: [{ type: 'text', text: 'hello' }] } as const, null);
  return {
    model,
    system: 'Be brief.',
    messages: [hello],
    tools: [],
    thinking: 'off',
    signal: new AbortController().signal,
    ...extra,
  };
}

async function eventsOf(reply: Reply, extra: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  server.reply(reply);
  const events: ModelEvent[] = [];
  for await (const event of eachEvent(connect().stream(requestOf(extra)))) events.push(event);
  return events;
}

function answer(description: AnthropicAnswer): Promise<ModelEvent[]> {
  return eventsOf(anthropicReply(description));
}

const everything: AnthropicAnswer = {
  thinking: { text: ['Let me ', 'see… 🤔'], signature: 'c2lnbmF0dXJl/+==' },
  redactedThinking: 'b3BhcXVl',
  serverSearch: { query: 'weather in Zürich', results: [{ title: 'Wetter', url: 'https://w.test/' }] },
  text: ['Grüße ', '😀', ' from 漢字'],
  citations: [
    { type: 'web_search_result_location', url: 'https://w.test/', encrypted_index: 'x', cited_text: 'y' },
  ],
  toolCalls: [
    { id: 'toolu_a', name: 'Read', input: { file_path: '/ä.ts' } },
    { id: 'toolu_b', name: 'TodoList' },
  ],
  usage: { input: 7, output: 30, cacheRead: 100, cacheWrite: 20 },
};

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
    expect((await answer({ text: 'x', stopReason: 'model_context_window_exceeded' })).at(-1)).toMatchObject({
      stopReason: 'length',
      note: expect.stringContaining('window of claude-test is full'),
    });
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
      { type: 'end', stopReason: 'tool-calls', usage: { input: 3, output: 4, cacheRead: 0, cacheWrite: 0 } },
    ]);
  });
});

describe('a request over the wire', () => {
  it('goes to the messages path with version and key', async () => {
    await eventsOf(anthropicReply({ text: 'x' }));
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/messages' });
    expect(server.requests[0]?.headers).toMatchObject({
      'x-api-key': 'secret',
      'anthropic-version': '2023-06-01',
    });
    expect(server.requests[0]?.body).toMatchObject({ model: 'claude-test', stream: true });
  });

  it('accepts a base URL that ends in the version, and no key', async () => {
    server.reply(anthropicReply({ text: 'x' }));
    const provider = createAnthropicProvider({ vendor: 'local', baseUrl: `${server.url}/proxy/v1/` });
    expect(provider.vendor).toBe('local');
    for await (const _ of provider.stream(requestOf()));
    expect(server.requests[0]?.path).toBe('/proxy/v1/messages');
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('lets budget models think between tools, beside the betas a user asked for', async () => {
    server.reply(anthropicReply({ text: 'x' }));
    const tools = [{ name: 'Read', description: 'd', input: {} }];
    const budget = { ...model, thinking: 'budget' as const, maxOutput: 64_000 };
    const provider = connect({ headers: { 'anthropic-beta': 'mine-2026-01-01' } });
    for await (const _ of provider.stream(requestOf({ tools, model: budget, thinking: 'low' })));
    expect(server.requests[0]?.headers['anthropic-beta']).toBe(
      'mine-2026-01-01,interleaved-thinking-2025-05-14',
    );
  });

  it('ends with an error at once when it is interrupted', async () => {
    proves('P-50');
    const chunks = anthropicChunks({ text: ['one', 'two'] }).slice(0, 4);
    server.reply(eventStream([...chunks, { hang: true }]));
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of eachEvent(connect().stream(requestOf({ signal: controller.signal })))) {
      events.push(event);
      if (event.type === 'text-delta') controller.abort();
    }
    expect(events.slice(-2)).toEqual([
      { type: 'text-end', index: 0 },
      {
        type: 'error',
        failure: expect.objectContaining({ code: 'aborted', retryable: false }),
        usage: { input: 10, output: 1, cacheRead: 0, cacheWrite: 0 },
      },
    ]);
  });
});

describe('an answer in the next request', () => {
  it('stream-035 R-37 goes back over the wire block for block as it came, dropped parts only when the model changed', async () => {
    const adaptive: Model = { ...model, thinking: 'adaptive' };
    const assembler = new MessageAssembler();
    for (const event of await answer(everything)) assembler.add(event);
    const asked = requestOf().messages;
    const { vendor, id, api } = model;
    const answered = createMessage(
      {
        role: 'assistant',
        content: assembler.content(),
        model: { vendor, id, api },
        usage: noUsage,
        cost: 0,
        stopReason: 'tool-calls',
      } as const,
      null,
    );
    const results = ['toolu_a', 'toolu_b'].map((toolCallId) =>
      createMessage(
        { role: 'tool', toolCallId, toolName: 'x', content: [], ...toolEnd('success') } as const,
        null,
      ),
    );
    const messages = [...asked, answered, ...results];
    const sentFor = async (used: Model) => {
      await eventsOf(anthropicReply({ text: 'ok' }), { model: used, thinking: 'high', messages });
      const body = server.requests.at(-1)?.body as { messages: { content: { type: string }[] }[] };
      return body.messages[1]?.content;
    };
    expect(await sentFor(adaptive)).toEqual([
      { type: 'thinking', thinking: 'Let me see… 🤔', signature: 'c2lnbmF0dXJl/+==' },
      { type: 'redacted_thinking', data: 'b3BhcXVl' },
      {
        type: 'server_tool_use',
        id: 'srvtoolu_1',
        name: 'web_search',
        input: { query: 'weather in Zürich' },
      },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [expect.objectContaining({ title: 'Wetter', encrypted_content: 'aHR0cHM6Ly93LnRlc3Qv' })],
      },
      { type: 'text', text: 'Grüße 😀 from 漢字', citations: everything.citations },
      { type: 'tool_use', id: 'toolu_a', name: 'Read', input: { file_path: '/ä.ts' } },
      { type: 'tool_use', id: 'toolu_b', name: 'TodoList', input: {} },
    ]);
    const other = await sentFor({ ...adaptive, id: 'claude-next' });
    expect(other?.map(({ type }) => type)).toEqual(['text', 'tool_use', 'tool_use']);
  });
});

describe('thinking the API no longer accepts', () => {
  async function thoughtful(id: string): Promise<AssistantMessage> {
    const assembler = new MessageAssembler();
    for (const event of await answer({ thinking: { text: id, signature: `sig-${id}` }, text: id }))
      assembler.add(event);
    const { vendor, api } = model;
    return createMessage(
      {
        role: 'assistant',
        content: assembler.content(),
        model: { vendor, id: model.id, api },
        usage: noUsage,
        cost: 0,
        stopReason: 'end',
      } as const,
      null,
    );
  }

  const user = (text: string) =>
    createMessage({ role: 'user', content: [{ type: 'text', text }] } as const, null);

  it('is left out in a second try, and from then on, while newer thinking is kept', async () => {
    const adaptive: Model = { ...model, thinking: 'adaptive' };
    const old = await thoughtful('old');
    const provider = connect();
    const refusal =
      'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.';
    server.reply(anthropicError(400, refusal), anthropicReply({ text: 'again' }));
    const events: ModelEvent[] = [];
    const history = [user('a'), old, user('b')];
    for await (const event of eachEvent(
      provider.stream(requestOf({ model: adaptive, thinking: 'high', messages: history })),
    )) {
      events.push(event);
    }
    expect(events.at(-1)).toMatchObject({ type: 'end' });
    expect(server.requests.at(-2)?.text).toContain('sig-old');
    expect(server.requests.at(-1)?.text).not.toContain('sig-old');

    const fresh = await thoughtful('fresh');
    server.reply(anthropicReply({ text: 'ok' }));
    const longer = [...history, fresh, user('c')];
    for await (const _ of provider.stream(
      requestOf({ model: adaptive, thinking: 'high', messages: longer }),
    ));
    expect(server.requests.at(-1)?.text).not.toContain('sig-old');
    expect(server.requests.at(-1)?.text).toContain('sig-fresh');
  });

  it('is tried once only, and other refusals not at all', async () => {
    const adaptive: Model = { ...model, thinking: 'adaptive' };
    const messages = [user('a'), await thoughtful('old'), user('b')];
    const before = server.requests.length;
    server.handle(() => anthropicError(400, '`thinking` blocks cannot be modified'));
    const run = async () => {
      const events: ModelEvent[] = [];
      for await (const event of eachEvent(
        connect().stream(requestOf({ model: adaptive, thinking: 'high', messages })),
      ))
        events.push(event);
      return events;
    };
    expect(await run()).toEqual([
      expect.objectContaining({
        type: 'error',
        failure: expect.objectContaining({ code: 'invalid-request' }),
      }),
    ]);
    expect(server.requests.length - before).toBe(2);
    server.handle(() => anthropicError(400, 'messages: something else'));
    await run();
    expect(server.requests.length - before).toBe(3);
  });
});

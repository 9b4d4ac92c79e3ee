import {
  type AssistantContent,
  type Compat,
  type Connection,
  createMessage,
  eventsOf,
  MessageAssembler,
  type ModelEvent,
  type ModelRequest,
  type ModelStream,
} from '@robota-sdk/agent-core';
import {
  type Chunk,
  eventStream,
  type ModelServer,
  openaiChatChunk,
  openaiChatChunks,
  openaiChatReply,
  openaiError,
  sse,
  startModelServer,
  testModel,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenAIChatProvider } from './chat-provider.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

describe('text and thinking', () => {
  it('streams thinking, text, calls and the end with usage', async () => {
    proves('P-48');
    server.reply(
      openaiChatReply({
        reasoning: ['Let me ', 'see.'],
        text: ['Hel', 'lo'],
        calls: [{ id: 'call_a', name: 'Bash', input: { command: 'ls' } }],
        usage: { input: 100, output: 20, cached: 60, reasoning: 5 },
      }),
    );
    const events = await collect(ask());
    expect(events.map(({ type }) => type)).toEqual([
      ...['thinking-start', 'thinking-delta', 'thinking-delta', 'thinking-end'],
      ...['text-start', 'text-delta', 'text-delta', 'text-end'],
      ...['tool-call-start', 'tool-call-delta', 'tool-call-delta', 'tool-call-end', 'end'],
    ]);
    expect(contentOf(events)).toEqual([
      { type: 'thinking', text: 'Let me see.' },
      { type: 'text', text: 'Hello' },
      { type: 'tool-call', id: 'call_a', name: 'Bash', input: { command: 'ls' } },
    ]);
    expect(events.at(-1)).toEqual({
      type: 'end',
      stopReason: 'tool-calls',
      usage: { input: 40, output: 20, cacheRead: 60, cacheWrite: 0, reasoning: 5 },
    });
  });

  it.each(['reasoning_content', 'reasoning', 'reasoning_text'])('reads thinking from %s', async (field) => {
    const events = await answer([delta({ [field]: 'hmm' }), delta({ content: 'yes' }), stop()]);
    expect(contentOf(events)).toEqual([
      { type: 'thinking', text: 'hmm' },
      { type: 'text', text: 'yes' },
    ]);
  });

  it('shows thinking once when a server sends it in two fields', async () => {
    const events = await answer([delta({ reasoning_content: 'hmm', reasoning: 'hmm' }), stop()]);
    expect(contentOf(events)).toEqual([{ type: 'thinking', text: 'hmm' }]);
  });

  it('reads content that comes as typed parts', async () => {
    const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'hmm' }] };
    const events = await answer([
      delta({ content: [thought] }),
      delta({ content: [{ type: 'text', text: 'yes' }] }),
      stop(),
    ]);
    expect(contentOf(events)).toEqual([
      { type: 'thinking', text: 'hmm' },
      { type: 'text', text: 'yes' },
    ]);
  });

  it('takes thinking out of <think> tags only for models that use them', async () => {
    const chunks = [
      delta({ content: '<thi' }),
      delta({ content: 'nk>hm</th' }),
      delta({ content: 'ink>\n\nyes' }),
      stop(),
    ];
    expect(contentOf(await answer(chunks, { thinkingFormat: 'think-tags' }))).toEqual([
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'yes' },
    ]);
    expect(contentOf(await answer(chunks))).toEqual([{ type: 'text', text: '<think>hm</think>\n\nyes' }]);
  });

  it('keeps reasoning details, joined, also those that come after the text', async () => {
    const text = (part: string) => ({ type: 'reasoning.text', index: 0, text: part, format: 'x' });
    const secret = { type: 'reasoning.encrypted', id: 'call_a', data: 'AAA', index: 1 };
    const events = await answer(
      [
        delta({ reasoning: 'a', reasoning_details: [text('a')] }),
        delta({ reasoning: 'b', reasoning_details: [{ ...text('b'), signature: 'sig' }] }),
        delta({ content: 'yes' }),
        delta({ reasoning_details: [secret] }),
        stop(),
      ],
      { thinkingFormat: 'openrouter' },
    );
    expect(contentOf(events)).toEqual([
      {
        type: 'thinking',
        text: 'ab',
        vendorData: {
          reasoning_details: [
            { type: 'reasoning.text', index: 0, text: 'ab', format: 'x', signature: 'sig' },
          ],
        },
      },
      { type: 'text', text: 'yes' },
      { type: 'thinking', text: '', redacted: true, vendorData: { reasoning_details: [secret] } },
    ]);
  });
});

describe('tool calls', () => {
  it('merges interleaved deltas by index, also without ids', async () => {
    proves('E-28');
    const events = await answer([
      call({ index: 1, id: 'call_b', function: { name: 'Grep', arguments: '{"a' } }),
      call({ index: 0, function: { name: 'Read', arguments: '{"b' } }),
      call({ index: 1, function: { arguments: '":1}' } }),
      call({ index: 0, function: { arguments: '":2}' } }),
      stop('tool_calls'),
    ]);
    const calls = contentOf(events);
    expect(calls).toMatchObject([
      { id: 'call_b', name: 'Grep', input: { a: 1 } },
      { name: 'Read', input: { b: 2 } },
    ]);
    expect(calls[1]).toHaveProperty('id', expect.stringMatching(/^[a-z0-9]{9}$/));
  });

  it('accepts arguments before name and id', async () => {
    proves('E-28');
    const events = await answer([
      call({ index: 0, function: { arguments: '{"path":' } }),
      call({ index: 0, function: { name: 'Read', arguments: '"x"' } }),
      call({ index: 0, id: 'late', function: { arguments: '}' } }),
      stop('tool_calls'),
    ]);
    expect(contentOf(events)).toMatchObject([{ id: 'late', name: 'Read', input: { path: 'x' } }]);
  });

  it('does not double an id or name that every delta repeats', async () => {
    proves('E-28');
    const part = (text: string) => call({ index: 0, id: 'c1', function: { name: 'Read', arguments: text } });
    const events = await answer([part('{"path"'), part(':"x"'), part('}'), stop('tool_calls')]);
    expect(contentOf(events)).toEqual([{ type: 'tool-call', id: 'c1', name: 'Read', input: { path: 'x' } }]);
  });

  it('begins a new call when an index comes with a new id', async () => {
    proves('E-28');
    const events = await answer([
      call({ index: 0, id: 'c1', function: { name: 'Read', arguments: '{"path":"x"}' } }),
      call({ index: 0, id: 'c2', function: { name: 'Read', arguments: '{"path":"y"}' } }),
      stop('tool_calls'),
    ]);
    expect(contentOf(events)).toMatchObject([
      { id: 'c1', input: { path: 'x' } },
      { id: 'c2', input: { path: 'y' } },
    ]);
  });

  it('takes whole calls without index or id, arguments as objects, and a wrong finish reason', async () => {
    proves('E-28');
    const whole = (path: string) => ({ function: { name: 'Read', arguments: { path } } });
    const events = await answer([
      delta({ tool_calls: [whole('x'), whole('y')] }),
      call(whole('z')),
      delta({ tool_calls: [{ id: 'c4', function: { name: 'Now' } }] }),
      stop('stop'),
    ]);
    expect(contentOf(events)).toMatchObject([
      { name: 'Read', input: { path: 'x' } },
      { name: 'Read', input: { path: 'y' } },
      { name: 'Read', input: { path: 'z' } },
      { id: 'c4', name: 'Now', input: {} },
    ]);
    expect(new Set(contentOf(events).map((block) => 'id' in block && block.id)).size).toBe(4);
    expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: 'tool-calls' });
  });

  it('continues a call by its id where there is no index', async () => {
    const events = await answer([
      call({ id: 'a', function: { name: 'Read', arguments: '{"path":' } }),
      call({ id: 'b', function: { name: 'Read', arguments: '{"path":' } }),
      call({ id: 'a', function: { arguments: '"x"}' } }),
      call({ id: 'b', function: { arguments: '"y"}' } }),
      stop('tool_calls'),
    ]);
    expect(contentOf(events)).toMatchObject([
      { id: 'a', input: { path: 'x' } },
      { id: 'b', input: { path: 'y' } },
    ]);
  });

  it('reads the old function_call form', async () => {
    const events = await answer([
      delta({ function_call: { name: 'Read', arguments: '{"path":' } }),
      delta({ function_call: { arguments: '"x"}' } }),
      stop('function_call'),
    ]);
    expect(contentOf(events)).toMatchObject([{ name: 'Read', input: { path: 'x' } }]);
    expect(events.at(-1)).toMatchObject({ stopReason: 'tool-calls' });
  });

  it('marks arguments that are no JSON object as invalid instead of guessing', async () => {
    server.reply(
      openaiChatReply({
        calls: [
          { name: 'Bash', input: '{"command": }' },
          { name: 'Bash', input: '[1]' },
          { name: 'Bash', input: JSON.stringify('{"command":"ls"}') },
        ],
      }),
    );
    const [broken, list, twice] = contentOf(await collect(ask()));
    expect(broken).toMatchObject({ input: {}, invalid: expect.stringContaining('not valid JSON') });
    expect(list).toMatchObject({ input: {}, invalid: expect.stringContaining('an array') });
    expect(twice).toMatchObject({ input: { command: 'ls' } });
  });

  it('never lets a call without a name run', async () => {
    const events = await answer([
      call({ index: 0, id: 'c', function: { arguments: '{"a":1}' } }),
      stop('tool_calls'),
    ]);
    expect(contentOf(events)).toMatchObject([{ name: 'unknown', invalid: expect.stringContaining('name') }]);
  });
});

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
    expect(events.at(-1)).toMatchObject({ stopReason: 'end', note: expect.stringContaining('"new_reason"') });
  });

  it('reports a refusal as one', async () => {
    const events = await answer([delta({ refusal: 'I will not.' }), stop()]);
    expect(contentOf(events)).toEqual([{ type: 'text', text: 'I will not.' }]);
    expect(events.at(-1)).toMatchObject({ stopReason: 'refusal' });
  });

  it('reports a vendor that gave up as a failure that may be retried', async () => {
    proves('P-49');
    const events = await answer([delta({ content: 'x' }), stop('insufficient_system_resource')]);
    expect(events.at(-1)).toMatchObject({ type: 'error', failure: { code: 'overloaded', retryable: true } });
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
    server.reply(openaiError(401, 'Incorrect API key provided'));
    const [refused] = await collect(ask());
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
    server.reply(eventStream([delta({ content: 'par' }), { hang: true }]));
    const events: ModelEvent[] = [];
    for await (const event of eventsOf(ask({ signal: controller.signal }))) {
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
      server.reply(eventStream(chunks, { chunkBytes }));
      expect(summary(await collect(ask()))).toEqual(whole);
    }),
    { numRuns: 12, examples: [[1], [2], [3]] },
  );
});

function summary(events: readonly ModelEvent[]) {
  return { content: contentOf(events), end: events.at(-1) };
}

function ask(extra: Partial<ModelRequest> = {}, connection: Partial<Connection> = {}) {
  const provider = createOpenAIChatProvider({ vendor: 'acme', baseUrl: `${server.url}/v1`, ...connection });
  return provider.stream({
    model: testModel({ vendor: 'acme', api: 'openai' }),
    system: 'Be brief.',
    messages: [createMessage({ role: 'user', content: [{ type: 'text', text: 'Hi' }] }, null)],
    tools: [],
    thinking: 'off',
    signal: new AbortController().signal,
    ...extra,
  });
}

async function answer(chunks: readonly Chunk[], compat: Compat = {}): Promise<readonly ModelEvent[]> {
  server.reply(eventStream(chunks));
  return collect(ask({ model: testModel({ vendor: 'acme', api: 'openai', compat }) }));
}

async function collect(stream: ModelStream): Promise<readonly ModelEvent[]> {
  const collected: ModelEvent[] = [];
  for await (const event of eventsOf(stream)) collected.push(event);
  return collected;
}

function contentOf(events: readonly ModelEvent[]): readonly AssistantContent[] {
  const assembler = new MessageAssembler();
  for (const event of events) assembler.add(event);
  return assembler.content();
}

function delta(fields: Readonly<Record<string, unknown>>): string {
  return openaiChatChunk({ delta: fields });
}

function call(fields: Readonly<Record<string, unknown>>): string {
  return delta({ tool_calls: [fields] });
}

function stop(reason = 'stop'): string {
  return openaiChatChunk({ delta: {}, finish_reason: reason });
}

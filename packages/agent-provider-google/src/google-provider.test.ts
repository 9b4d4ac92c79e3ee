import {
  type AssistantContent,
  createMessage,
  eventsOf,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
  noUsage,
  type ToolMessage,
  toolEnd,
  type UserContent,
} from '@robota-sdk/agent-core';
import {
  eventStream,
  googleChunks,
  googleError,
  googleReply,
  type ModelServer,
  type Reply,
  sse,
  startModelServer,
} from '@robota-sdk/agent-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGoogleProvider } from './google-provider.ts';

const gemini3: Model = {
  vendor: 'google',
  id: 'gemini-3-flash-preview',
  api: 'google',
  name: 'Gemini 3 Flash',
  contextWindow: 1_048_576,
  maxOutput: 65_536,
  images: true,
  thinking: 'effort',
};
const gemini25: Model = { ...gemini3, id: 'gemini-2.5-pro', name: 'Gemini 2.5 Pro', thinking: 'budget' };
const png = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

async function ask(reply: Reply, request: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  server.reply(reply);
  const provider = createGoogleProvider({ vendor: 'google', baseUrl: server.url, apiKey: 'secret-key' });
  const events: ModelEvent[] = [];
  const stream = provider.stream({
    model: gemini3,
    system: 'Be brief.',
    messages: [user('hi')],
    tools: [],
    thinking: 'off',
    signal: new AbortController().signal,
    ...request,
  });
  for await (const event of eventsOf(stream)) events.push(event);
  return events;
}

interface Body {
  readonly generationConfig: { readonly thinkingConfig?: unknown };
  readonly tools?: unknown;
  readonly contents: readonly { readonly role: string; readonly parts: readonly Record<string, unknown>[] }[];
}

const lastBody = () => server.requests.at(-1)?.body as Body;

function user(...content: (string | UserContent)[]): Message {
  const blocks = content.map((part) =>
    typeof part === 'string' ? { type: 'text' as const, text: part } : part,
  );
  return createMessage({ role: 'user', content: blocks }, null);
}

function assistant(content: readonly AssistantContent[], model: Model = gemini3): Message {
  return createMessage(
    { role: 'assistant', content, model, usage: noUsage, cost: 0, stopReason: 'tool-calls' },
    null,
  );
}

function result(toolCallId: string, text: string, extra: Partial<ToolMessage> = {}): Message {
  const draft = {
    role: 'tool',
    toolCallId,
    toolName: 'Read',
    content: [{ type: 'text', text }],
    ...toolEnd('success'),
  } as const;
  return createMessage({ ...draft, ...extra }, null);
}

/** The blocks of an assistant message that the events describe. */
function blocksOf(events: readonly ModelEvent[]): AssistantContent[] {
  const blocks: AssistantContent[] = [];
  for (const event of events) {
    const vendorData =
      'vendorData' in event && event.vendorData !== undefined ? { vendorData: event.vendorData } : {};
    if (event.type === 'text-start') blocks[event.index] = { type: 'text', text: '' };
    if (event.type === 'thinking-start') blocks[event.index] = { type: 'thinking', text: '' };
    if (event.type === 'tool-call-start') {
      blocks[event.index] = { type: 'tool-call', id: event.id, name: event.name, input: {} };
    }
    if (event.type === 'text-delta' || event.type === 'thinking-delta') {
      const block = blocks[event.index] as { text: string };
      block.text += event.text;
    }
    if (event.type === 'tool-call-end') Object.assign(blocks[event.index]!, { input: event.input });
    if (event.type.endsWith('-end') && 'index' in event) Object.assign(blocks[event.index]!, vendorData);
  }
  return blocks;
}

describe('the request', () => {
  it('goes to the streaming method with key, system instruction and limits', async () => {
    await ask(googleReply('ok'));
    const request = server.requests.at(-1)!;
    expect(request.path).toBe('/v1beta/models/gemini-3-flash-preview:streamGenerateContent?alt=sse');
    expect(request.headers['x-goog-api-key']).toBe('secret-key');
    expect(request.text).not.toContain('secret-key');
    expect(request.body).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      generationConfig: { maxOutputTokens: 65_536, thinkingConfig: { thinkingLevel: 'LOW' } },
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    });
  });

  it('keeps the version that a base URL already names', async () => {
    server.reply(googleReply('ok'));
    const provider = createGoogleProvider({ vendor: 'google', baseUrl: `${server.url}/v1beta/` });
    const request = {
      model: { ...gemini3, id: 'models/gemini-x' },
      system: '',
      messages: [user('hi')],
      tools: [],
    };
    const { signal } = new AbortController();
    for await (const event of provider.stream({ ...request, thinking: 'off', signal })) void event;
    expect(server.requests.at(-1)?.path).toBe('/v1beta/models/gemini-x:streamGenerateContent?alt=sse');
    expect(server.requests.at(-1)?.headers).not.toHaveProperty('x-goog-api-key');
  });

  it.each([
    [gemini3, 'off', { thinkingLevel: 'LOW' }],
    [gemini3, 'medium', { thinkingLevel: 'MEDIUM', includeThoughts: true }],
    [gemini3, 'xhigh', { thinkingLevel: 'HIGH', includeThoughts: true }],
    [
      { ...gemini3, compat: { reasoningEffortMap: { minimal: 'MINIMAL' } } },
      'minimal',
      { thinkingLevel: 'MINIMAL', includeThoughts: true },
    ],
    [gemini25, 'off', { thinkingBudget: 128 }],
    [gemini25, 'xhigh', { thinkingBudget: 32_768, includeThoughts: true }],
    [{ ...gemini25, id: 'gemini-2.5-flash' }, 'off', { thinkingBudget: 0 }],
    [{ ...gemini25, id: 'gemini-2.5-flash' }, 'xhigh', { thinkingBudget: 24_576, includeThoughts: true }],
    [{ ...gemini25, thinking: 'none' as const }, 'high', undefined],
  ] as const)('asks $0.id for thinking $1', async (model, thinking, expected) => {
    await ask(googleReply('ok'), { model, thinking });
    expect(lastBody().generationConfig.thinkingConfig).toEqual(expected);
  });

  it('offers tools by JSON Schema, in the words Google knows', async () => {
    const input = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        const: { type: 'string', default: '$schema' },
        mode: { oneOf: [{ const: 'a' }, { type: 'null' }] },
      },
      required: ['const'],
      additionalProperties: false,
    };
    const tools = [
      { name: 'Read', description: 'Reads.', input },
      { name: 'Now', description: 'No input.', input: { type: 'object', properties: {} } },
    ];
    await ask(googleReply('ok'), { tools });
    expect(lastBody().tools).toEqual([
      {
        functionDeclarations: [
          {
            name: 'Read',
            description: 'Reads.',
            parametersJsonSchema: {
              type: 'object',
              properties: {
                const: { type: 'string', default: '$schema' },
                mode: { anyOf: [{ enum: ['a'] }, { type: 'null' }] },
              },
              required: ['const'],
              additionalProperties: false,
            },
          },
          { name: 'Now', description: 'No input.' },
        ],
      },
    ]);
  });

  it('is a byte prefix of the next one while the conversation only grows', async () => {
    const first = [user('hi')];
    const more = [...first, assistant([{ type: 'text', text: 'hello' }]), user('more')];
    await ask(googleReply('ok'), { messages: first });
    const before = server.requests.at(-1)!.text.replace(/\]\}$/, '');
    await ask(googleReply('ok'), { messages: more });
    expect(server.requests.at(-1)!.text.startsWith(before)).toBe(true);
  });
});

describe('the conversation', () => {
  const call = (id: string, name = 'Read'): AssistantContent => ({
    type: 'tool-call',
    id,
    name,
    input: { path: id },
  });

  it('groups the results of parallel calls in the order of the calls', async () => {
    const messages = [
      user('hi'),
      assistant([call('a'), call('b')], gemini25),
      result('b', 'second', toolEnd('error')),
      result('a', 'first'),
      user('steer'),
    ];
    await ask(googleReply('ok'), { messages, model: gemini25 });
    expect(lastBody().contents).toEqual([
      { role: 'user', parts: [{ text: 'hi' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'Read', args: { path: 'a' } } },
          { functionCall: { name: 'Read', args: { path: 'b' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'Read', response: { output: 'first' } } },
          { functionResponse: { name: 'Read', response: { error: 'second' } } },
          { text: 'steer' },
        ],
      },
    ]);
  });

  it('puts images into user messages and results, beside the result for models before Gemini 3', async () => {
    const content = [{ type: 'text' as const, text: 'a picture' }, png];
    const messages = [user('look', png), assistant([call('a')]), result('a', '', { content })];
    const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
    await ask(googleReply('ok'), { messages });
    expect(lastBody().contents[0]).toEqual({ role: 'user', parts: [{ text: 'look' }, image] });
    expect(lastBody().contents[2]?.parts).toEqual([
      { functionResponse: { name: 'Read', response: { output: 'a picture' }, parts: [image] } },
    ]);
    await ask(googleReply('ok'), { messages, model: gemini25 });
    expect(lastBody().contents[2]?.parts).toEqual([
      { functionResponse: { name: 'Read', response: { output: 'a picture' } } },
      image,
    ]);
    await ask(googleReply('ok'), { messages, model: { ...gemini25, images: false } });
    expect(JSON.stringify(lastBody().contents)).not.toContain('inlineData');
  });

  it('answers a call without a result and keeps a result without a call as text', async () => {
    const messages = [
      result('lost', 'orphan text'),
      user('hi'),
      assistant([call('a')]),
      user('next'),
      result('b', 'late'),
      assistant([]),
    ];
    await ask(googleReply('ok'), { messages, model: gemini25 });
    expect(lastBody().contents).toEqual([
      { role: 'user', parts: [{ text: 'Result of Read:' }, { text: 'orphan text' }, { text: 'hi' }] },
      { role: 'model', parts: [{ functionCall: { name: 'Read', args: { path: 'a' } } }] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'Read', response: { error: expect.stringContaining('interrupted') } } },
          { text: 'next' },
          { text: 'Result of Read:' },
          { text: 'late' },
        ],
      },
    ]);
  });

  it('always begins with the user and alternates, whatever the history', async () => {
    const message = fc.oneof(
      fc.string().map((text) => user(text)),
      fc
        .array(fc.constantFrom(call('a'), call('b'), { type: 'text', text: 'x' } as AssistantContent))
        .map((content) => assistant(content)),
      fc.constantFrom('a', 'b', 'c').map((id) => result(id, 'r')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 8 }), async (messages) => {
        await ask(googleReply('ok'), { messages });
        const { contents } = lastBody();
        for (const [index, content] of contents.entries()) {
          expect(content.role).toBe(index % 2 === 0 ? 'user' : 'model');
          const count = (key: string, parts = content.parts) => parts.filter((part) => key in part).length;
          if (content.role === 'model') {
            expect(count('functionResponse', contents[index + 1]?.parts ?? [])).toBe(count('functionCall'));
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('returns signatures and call ids exactly to the same model, to others not at all', async () => {
    const parts = [
      { text: 'I look.', thought: true },
      { text: 'Reading ', thoughtSignature: 'c2lnLXRleHQ=' },
      { text: 'both.' },
      { functionCall: { id: 'g-1', name: 'Read', args: { path: 'x' } }, thoughtSignature: 'c2lnLWNhbGw=' },
      { functionCall: { name: 'Read', args: { path: 'y' } } },
      { text: '', thoughtSignature: 'c2lnLWVuZA==' },
    ];
    const content = blocksOf(await ask(googleReply({ chunks: parts.map((part) => [part]) })));
    const ids = content.flatMap((block) => (block.type === 'tool-call' ? [block.id] : []));
    const results = ids.map((id) => result(id, 'text'));
    const messages = [user('hi'), assistant(content), ...results];
    await ask(googleReply('ok'), { messages });
    expect(lastBody().contents[1]?.parts).toEqual(parts.slice(1));
    expect(lastBody().contents[2]?.parts).toEqual([
      { functionResponse: { id: 'g-1', name: 'Read', response: { output: 'text' } } },
      { functionResponse: { name: 'Read', response: { output: 'text' } } },
    ]);
    await ask(googleReply('ok'), { messages, model: { ...gemini3, id: 'gemini-3.5-flash' } });
    const other = JSON.stringify(lastBody().contents);
    expect(other).not.toMatch(/c2ln|g-1/);
    expect(other.match(/skip_thought_signature_validator/g)).toHaveLength(1);
    await ask(googleReply('ok'), { messages, model: gemini25 });
    expect(JSON.stringify(lastBody().contents)).not.toContain('thoughtSignature');
  });
});

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
      { partialArgs: [{ jsonPath: '$.path', stringValue: 'src/', willContinue: true }], willContinue: true },
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
    ['MISSING_THOUGHT_SIGNATURE', { type: 'error', failure: { code: 'invalid-request', retryable: false } }],
  ])('ends with %s as people and the loop need it', async (finishReason, expected) => {
    const reply = googleReply({ chunks: [[{ text: 'so far' }]], finishReason, finishMessage: 'see policy' });
    expect((await ask(reply)).at(-1)).toMatchObject(expected);
  });

  it('says that a prompt was blocked, and that an answer was empty', async () => {
    const blocked = await ask(eventStream([sse({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })]));
    expect(blocked).toMatchObject([
      { type: 'end', stopReason: 'refusal', note: expect.stringContaining('refused the request') },
    ]);
    const empty = await ask(googleReply({ chunks: [] }));
    expect(empty).toMatchObject([{ type: 'end', stopReason: 'end', note: expect.stringContaining('empty') }]);
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

  it('do not include an interruption: that ends as aborted', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    const [first] = googleChunks({ chunks: [[{ text: 'half' }]], finishReason: null });
    const events = await ask(eventStream([first!, { hang: true }]), { signal: controller.signal });
    expect(events.at(-1)).toMatchObject({ type: 'error', failure: { code: 'aborted', retryable: false } });
  });
});

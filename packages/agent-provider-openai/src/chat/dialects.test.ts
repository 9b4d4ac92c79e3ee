import { eventsOf, type ModelEvent, type ModelRequest } from '@robota-sdk/agent-core';
import {
  type Chunk,
  collectEvents,
  contentOf,
  eventStream,
  jsonReply,
  openaiChatChunk,
  sse,
  testModel,
  testRequest,
} from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { describe, expect, it } from 'vitest';
import { createOpenAIChatProvider } from './chat-provider.ts';

const server = modelServerPerTest();
const read = { name: 'Read', description: 'Reads.', input: { type: 'object' } } as const;
const readMore = { name: 'ReadMcpResource', description: 'Reads.', input: { type: 'object' } } as const;

const provider = () => createOpenAIChatProvider({ vendor: 'acme', baseUrl: `${server.url}/v1` });
const ask = (extra: Partial<ModelRequest> = {}, from = provider()) =>
  collectEvents(from.stream(testRequest({ model: testModel({ vendor: 'acme', api: 'openai' }), ...extra })));
const said = (fields: object) => openaiChatChunk({ delta: fields });
const stop = openaiChatChunk({ delta: {}, finish_reason: 'stop' });
const yes = eventStream([said({ content: 'yes' }), stop]);
const failureOf = (events: readonly ModelEvent[]) => {
  const last = events.at(-1);
  return last?.type === 'error' ? last.failure : undefined;
};

describe('a field that a server refuses', () => {
  it.each([
    ['OpenAI', { error: { message: "Unrecognized request argument supplied: 'stream_options'" } }],
    [
      'FastAPI',
      {
        detail: [
          { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
        ],
      },
    ],
    ['Go', { error: 'json: unknown field "stream_options"' }],
    ['serde', { message: 'unknown field `stream_options`, expected one of `model`, `messages`, `tools`' }],
    ['part', { error: { message: 'stream_options.include_usage is not supported' } }],
  ])('is left out and remembered (%s)', async (_, refusal) => {
    server.handle(({ body }) => ('stream_options' in (body as object) ? jsonReply(400, refusal) : yes));
    const from = provider();
    for (let turn = 0; turn < 2; turn++)
      expect(contentOf(await ask({}, from))).toEqual([{ type: 'text', text: 'yes' }]);
    expect(server.requests).toHaveLength(3);
  });

  it('may be one of several, and max_tokens gets its other name', async () => {
    server.handle(({ body }) => {
      const sent = body as Record<string, unknown>;
      if ('stream_options' in sent)
        return jsonReply(422, { error: { message: 'stream_options: unexpected' } });
      return 'max_tokens' in sent
        ? jsonReply(400, {
            error: { message: "'max_tokens' is not supported. Use 'max_completion_tokens'." },
          })
        : yes;
    });
    expect(contentOf(await ask({ maxOutput: 50 }))).toEqual([{ type: 'text', text: 'yes' }]);
    expect(server.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 50 });
  });

  it('is told where the request cannot do without it, after one attempt', async () => {
    server.handle(() => jsonReply(400, { error: { message: "Unsupported parameter: 'messages'" } }));
    expect(failureOf(await ask())).toMatchObject({ code: 'invalid-request' });
    expect(server.requests).toHaveLength(1);
  });

  it('is never left out of the schemas of tools or of arguments', async () => {
    const input = { type: 'object', properties: { strict: { type: 'string' } } };
    server.handle(({ text }) =>
      text.includes('"strict":true')
        ? jsonReply(400, { error: { message: 'strict is not supported' } })
        : yes,
    );
    const model = testModel({ vendor: 'acme', api: 'openai', compat: { enforcesTools: true } });
    await ask({ model, tools: [{ ...read, input }] });
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.body).toMatchObject({ tools: [{ function: { parameters: input } }] });
  });
});

describe('an answer with status 200', () => {
  it.each([
    [{ error: { message: 'overloaded', code: 529 } }, { code: 'overloaded', retryable: true }],
    [{ error: { message: 'Rate limit reached', code: 429 } }, { code: 'rate-limit', retryable: true }],
    [{ error: 'model not loaded' }, { code: 'invalid-request', retryable: false }],
    [{ error: { message: 'bad key', code: 401 } }, { code: 'auth', retryable: false }],
    [{ detail: 'No such route' }, { code: 'invalid-request', retryable: false }],
  ])('that is the error %j fails in its words', async (body, expected) => {
    server.reply(jsonReply(200, body));
    const failure = failureOf(await ask());
    expect(failure).toMatchObject(expected);
    expect(failure?.message).not.toContain('event stream');
  });

  const whole = {
    choices: [
      {
        message: {
          content: 'I look.',
          tool_calls: [{ id: 'c1', function: { name: 'Read', arguments: '{"a":1}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 4 },
  };
  it.each(['application/json', 'text/event-stream', 'text/plain'])(
    'that is plain JSON is used, sent as %s',
    async (type) => {
      server.reply({
        headers: { 'content-type': type },
        chunks: [JSON.stringify(whole, null, 2)],
        chunkBytes: 1,
      });
      const events = await ask({ tools: [read] });
      expect(contentOf(events)).toMatchObject([
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', id: 'c1', name: 'Read', input: { a: 1 } },
      ]);
      expect(events.at(-1)).toMatchObject({ type: 'end', usage: { input: 3, output: 4 } });
    },
  );

  it.each(['application/octet-stream', 'text/plain', ''])('that streams as %j is read', async (type) => {
    server.reply({ ...yes, headers: { 'content-type': type }, chunkBytes: 2 });
    expect(contentOf(await ask())).toEqual([{ type: 'text', text: 'yes' }]);
  });

  it('with one line end between its events is read', async () => {
    const chunks = [said({ content: 'y' }), said({ content: 'es' }), stop, 'data: [DONE]\n\n'];
    server.reply(eventStream([chunks.map((chunk) => chunk.replaceAll('\n\n', '\n')).join('')]));
    expect(contentOf(await ask())).toEqual([{ type: 'text', text: 'yes' }]);
  });

  it('that is a web page names the wrong address', async () => {
    server.reply({ headers: { 'content-type': 'text/html' }, chunks: ['<html><body>Log in</body></html>'] });
    expect(failureOf(await ask())).toMatchObject({ code: 'not-event-stream' });
  });
});

describe('thinking in the text', () => {
  const inside = (...pieces: string[]) => eventStream([...pieces.map((content) => said({ content })), stop]);

  it('that the template opened is recognized, and streams from the second answer on', async () => {
    const from = provider();
    server.reply(inside('hidd', 'en\n</th', 'ink>\n\nDO', 'NE'), inside('again\n', '</think>\n\nTWO'));
    expect(contentOf(await ask({}, from))).toEqual([
      { type: 'thinking', text: 'hidden\n' },
      { type: 'text', text: 'DONE' },
    ]);
    expect(contentOf(await ask({}, from))).toEqual([
      { type: 'thinking', text: 'again\n' },
      { type: 'text', text: 'TWO' },
    ]);
  });

  it('keeps what was held back of an answer that breaks off', async () => {
    server.reply(eventStream([said({ content: 'half' })] satisfies Chunk[]));
    expect(contentOf(await ask())).toEqual([{ type: 'text', text: 'half' }]);
  });

  it('is not held back once an answer had none', async () => {
    const from = provider();
    server.reply(inside('Plain.'), eventStream([said({ content: 'seen' }), { hang: true }]));
    await ask({}, from);
    const controller = new AbortController();
    const model = testModel({ vendor: 'acme', api: 'openai' });
    for await (const event of eventsOf(from.stream(testRequest({ model, signal: controller.signal }))))
      if (event.type === 'text-delta') controller.abort();
    expect(controller.signal.aborted).toBe(true);
  });
});

describe('tool calls', () => {
  it('carry what Google wants back with them', async () => {
    const extra_content = { google: { thought_signature: 'c2ln' } };
    const call = { index: 0, id: 'c1', extra_content, function: { name: 'Read', arguments: '{}' } };
    server.reply(eventStream([said({ tool_calls: [call] }), stop]), yes);
    const events = await ask({ tools: [read] });
    const content = contentOf(events);
    expect(content).toMatchObject([{ type: 'tool-call', vendorData: { extra_content } }]);
    const model = testModel({ vendor: 'acme', api: 'openai' });
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const place = { id: 'm', parentId: null, timestamp: 0 };
    const answer = {
      ...place,
      role: 'assistant',
      content,
      model,
      usage,
      cost: 0,
      stopReason: 'tool-calls',
    } as const;
    await ask({ messages: [answer as ModelRequest['messages'][number]], tools: [read] });
    expect(server.requests[1]?.body).toMatchObject({
      messages: expect.arrayContaining([
        expect.objectContaining({ tool_calls: [expect.objectContaining({ extra_content })] }),
      ]),
    });
  });

  it.each([
    [['Re', 'ad'], 'Read'],
    [['Read', 'Mcp', 'Resource'], 'ReadMcpResource'],
    [['Read'], 'Read'],
    [['Read', 'Read'], 'Read'],
  ])('may have their name in the pieces %j', async (names, name) => {
    const pieces = names.map((piece, index) =>
      said({ tool_calls: [{ index: 0, ...(index === 0 ? { id: 'c1' } : {}), function: { name: piece } }] }),
    );
    const last = said({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] });
    server.reply(eventStream([...pieces, last, stop]));
    expect(contentOf(await ask({ tools: [read, readMore] }))).toMatchObject([{ name, input: { a: 1 } }]);
  });

  it.each([
    '<tool_call>\n{"name": "Read", "arguments": {"a": 1}}\n</tool_call>',
    'I look.\n<tool_call>\n<function=Read>\n<parameter=a>1</parameter>\n</function>\n</tool_call>',
    '[TOOL_CALLS][{"name": "Read", "arguments": {}}]',
  ])('that are text name the cure: %j', async (content) => {
    server.reply(eventStream([said({ content }), stop]));
    expect(failureOf(await ask({ tools: [read] }))?.message).toContain('"toolProtocol": "xnl"');
  });

  it('in a text about them are no calls', async () => {
    const content = 'Such a model writes\n<tool_call>{"name": "Read"}</tool_call>\nfor it.';
    server.reply(eventStream([said({ content }), stop]));
    expect(contentOf(await ask({ tools: [read] }))).toEqual([{ type: 'text', text: content }]);
  });

  it.each([
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    'registry.ollama.ai/library/m does not support tools',
    'tools param requires --jinja flag',
  ])('that a server does not take name the cure: %s', async (message) => {
    server.reply(jsonReply(400, { error: { message } }));
    expect(failureOf(await ask({ tools: [read] }))?.message).toContain('"toolProtocol": "xnl"');
  });
});

describe('an answer without a word', () => {
  it.each([
    ['is empty', stop],
    ['is empty', said({ content: '\n' }) + stop],
    ['has thinking and no text', said({ reasoning_content: 'hm' }) + stop],
  ])('is a failure: it %s', async (what, chunks) => {
    server.reply(eventStream([chunks]));
    expect(failureOf(await ask())?.message).toContain(what);
  });
});

it('reads server-sent events that are split anywhere', async () => {
  const text = [said({ content: 'yes' }), stop, sse('[DONE]')].join('');
  for (const chunkBytes of [1, 3, 7]) {
    server.reply({ ...eventStream([text]), chunkBytes });
    expect(contentOf(await ask())).toEqual([{ type: 'text', text: 'yes' }]);
  }
});

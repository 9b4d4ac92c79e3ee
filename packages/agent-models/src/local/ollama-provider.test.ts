import {
  createMessage,
  eventsOf,
  type Model,
  type ModelEvent,
  type ModelRequest,
} from '@robota-sdk/agent-core';
import { type FakeOllama, startFakeOllama } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOllamaProvider } from './ollama-provider.ts';

const model: Model = {
  vendor: 'ollama',
  id: 'tiny:1b',
  api: 'ollama',
  name: 'tiny:1b',
  contextWindow: 32_768,
  maxOutput: 8192,
  images: false,
  thinking: 'none',
};

/** As long as the prompt of a session with its tools: more than Ollama's default window. */
const system = `You are careful. ${'Rule. '.repeat(4_000)}`;
const readTool = {
  name: 'Read',
  description: 'Reads a file.',
  input: { type: 'object', properties: { path: { type: 'string' } } },
};

let server: FakeOllama;

beforeEach(async () => {
  server = await startFakeOllama({
    models: [
      { name: 'tiny:1b' },
      { name: 'deep:8b', capabilities: ['completion', 'tools', 'thinking', 'vision'] },
    ],
    answer: ({ tools, text, model: name }) => {
      if (text.includes('(no output)')) return { text: 'Done it is.' };
      if (name === 'deep:8b') return { thinking: 'I wonder.', text: 'Yes.' };
      // A model that sees neither its tools nor its rules says anything.
      return tools.includes('Read') && text.includes('You are careful')
        ? { text: 'I look. ', calls: [{ name: 'Read', input: { path: 'a.txt' } }] }
        : { text: 'What do you mean?' };
    },
  });
});

afterEach(() => server.close());

async function ask(request: Partial<ModelRequest> = {}): Promise<readonly ModelEvent[]> {
  const provider = createOllamaProvider({ vendor: 'ollama', baseUrl: `${server.url}/v1` });
  const stream = provider.stream({
    model,
    system,
    messages: [createMessage({ role: 'user', content: [{ type: 'text', text: 'Read a.txt.' }] }, null)],
    tools: [readTool],
    thinking: 'off',
    signal: new AbortController().signal,
    ...request,
  });
  return collect(eventsOf(stream));
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

describe('createOllamaProvider', () => {
  it('asks for a window that fits, so that the model sees its tools and calls one', async () => {
    const events = await ask();
    expect(events).toMatchObject([
      { type: 'text-start', index: 0 },
      { type: 'text-delta', text: 'I ' },
      { type: 'text-delta', text: 'look. ' },
      { type: 'text-end', index: 0 },
      { type: 'tool-call-start', index: 1, name: 'Read' },
      { type: 'tool-call-delta', index: 1 },
      { type: 'tool-call-end', index: 1, input: { path: 'a.txt' } },
      { type: 'end', stopReason: 'tool-calls', usage: { input: 20, output: 5 } },
    ]);
    expect(server.loaded.get('tiny:1b')).toEqual({ numCtx: 32_768, keepAlive: '30m' });
  });

  it('would not be understood with the default window, which is why the compatible endpoint is not used', async () => {
    const { createOpenAIChatProvider } = await import('@robota-sdk/agent-provider-openai');
    const provider = createOpenAIChatProvider({ vendor: 'ollama', baseUrl: `${server.url}/v1` });
    const messages = [
      createMessage({ role: 'user', content: [{ type: 'text', text: 'Read a.txt.' }] }, null),
    ];
    const signal = new AbortController().signal;
    const stream = provider.stream({ model, system, messages, tools: [readTool], thinking: 'off', signal });
    const events = await collect(eventsOf(stream));
    expect(events.some(({ type }) => type === 'tool-call-start')).toBe(false);
  });

  it('fails where a conversation does not fit, instead of losing its beginning', async () => {
    const events = await ask({ model: { ...model, contextWindow: 2048 } });
    expect(events).toMatchObject([
      { type: 'error', failure: { code: 'context-overflow', retryable: false } },
    ]);
    expect(server.seen).toEqual([]);
  });

  it('sends calls, results, images and thinking back as Ollama wants them', async () => {
    const deep = { ...model, id: 'deep:8b', images: true, thinking: 'adaptive' } as const;
    const user = createMessage(
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', mimeType: 'image/png', data: 'aGk=' },
        ],
      },
      null,
    );
    const answer = createMessage(
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'Hm.' },
          { type: 'tool-call', id: 'c1', name: 'Read', input: { path: 'a.txt' } },
        ],
        model: deep,
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        cost: 0,
        stopReason: 'tool-calls',
      },
      user.id,
    );
    const result = createMessage(
      {
        role: 'tool',
        toolCallId: 'c1',
        toolName: 'Read',
        content: [],
        status: 'success',
        isError: false,
      },
      answer.id,
    );
    const events = await ask({ model: deep, system: '', messages: [user, answer, result], thinking: 'high' });
    expect(events.at(-1)).toMatchObject({ type: 'end', stopReason: 'end' });
    expect(server.requests.at(-1)?.body).toMatchObject({
      think: true,
      truncate: false,
      messages: [
        { role: 'user', content: 'Look.', images: ['aGk='] },
        {
          role: 'assistant',
          content: '',
          thinking: 'Hm.',
          tool_calls: [{ id: 'c1', function: { name: 'Read', arguments: { path: 'a.txt' } } }],
        },
        { role: 'tool', tool_name: 'Read', tool_call_id: 'c1', content: '(no output)' },
      ],
    });
  });

  it('reads thinking apart from the answer', async () => {
    const events = await ask({ model: { ...model, id: 'deep:8b', thinking: 'adaptive' }, thinking: 'low' });
    expect(events.map(({ type }) => type)).toEqual([
      'thinking-start',
      'thinking-delta',
      'thinking-delta',
      'thinking-end',
      'text-start',
      'text-delta',
      'text-end',
      'end',
    ]);
  });

  it('says what is wrong: no such model, no tools, an error in the middle, an answer cut off', async () => {
    expect(await ask({ model: { ...model, id: 'gone' } })).toMatchObject([
      {
        type: 'error',
        failure: {
          code: 'model-not-found',
          message: expect.stringMatching(/model 'gone' not found\. .*`ollama pull gone`/),
        },
      },
    ]);
    const ndjson = { headers: { 'content-type': 'application/x-ndjson' } };
    server.reply({
      ...ndjson,
      chunks: ['{"message":{"content":"Hal', 'f"},"done":false}\n{"error":"ran out of memory"}\n'],
    });
    expect(await ask()).toMatchObject([
      { type: 'text-start' },
      { type: 'text-delta', text: 'Half' },
      { type: 'text-end' },
      { type: 'error', failure: { message: expect.stringContaining('ran out of memory') } },
    ]);
    server.reply({ ...ndjson, chunks: ['{"message":{"content":"Half"},"done":false}\n'] });
    expect((await ask()).at(-1)).toMatchObject({
      type: 'error',
      failure: { code: 'network', retryable: true },
    });
    server.reply({ ...ndjson, chunks: ['<html>\n'] });
    expect(await ask()).toMatchObject([{ type: 'error', failure: { code: 'protocol' } }]);
  });

  it('skips blank lines and lines that hold no object', async () => {
    const said = '{"message":{"content":"Hello"},"done":false}';
    const end = '{"message":{"content":""},"done":true,"done_reason":"stop","eval_count":3}';
    const lines = ['', said, '  ', 'null', '7', '"text"', '[{"error":"no"}]', 'true', '\r', end];
    server.reply({ headers: { 'content-type': 'application/x-ndjson' }, chunks: [`${lines.join('\n')}\n`] });
    expect(await ask()).toMatchObject([
      { type: 'text-start' },
      { type: 'text-delta', text: 'Hello' },
      { type: 'text-end' },
      { type: 'end', stopReason: 'end', usage: { output: 3 } },
    ]);
  });

  it('keeps an answer that has ended, whatever follows its last line', async () => {
    const end = '{"message":{"content":"Hello"},"done":true,"done_reason":"stop"}';
    for (const rest of ['{"mess', '<html>', '{"error":"ran out of memory"}']) {
      server.reply({ headers: { 'content-type': 'application/x-ndjson' }, chunks: [`${end}\n${rest}\n`] });
      const events = await ask();
      expect(events.filter(({ type }) => type === 'end' || type === 'error')).toMatchObject([
        { type: 'end', stopReason: 'end' },
      ]);
    }
  });
});

import { createMessage, eventsOf, type JsonObject, type ModelRequest } from '@robota-sdk/agent-core';
import {
  type FakeStructuredOptions,
  startFakeLlama,
  startFakeStructured,
  testModel,
} from '@robota-sdk/agent-testing';
import { expect, it, onTestFinished } from 'vitest';
import { describeServed } from '../servers/served-model.ts';
import { enforcingSchema } from './answer-schema.ts';

const tool = { name: 'Read', description: 'Reads a file.', input: { type: 'object' } };

/** The answer of a llama.cpp model that would rather talk, and the requests that its server got. */
async function answerTo(answerSchema: JsonObject | undefined) {
  const server = await startFakeLlama({ window: 8192, answer: () => ['Sure!', '"no"', '{"ok":true}'] });
  const { createOpenAIChatProvider } = await import('@robota-sdk/agent-provider-openai');
  const connection = { vendor: 'llama.cpp', baseUrl: `${server.url}/v1` };
  const stream = enforcingSchema(createOpenAIChatProvider(connection)).stream({
    model: testModel({ compat: { server: 'llama.cpp' } }),
    system: 'Be brief.',
    messages: [createMessage({ role: 'user', content: [{ type: 'text', text: 'Is it?' }] }, null)],
    tools: [tool],
    thinking: 'off',
    signal: new AbortController().signal,
    ...(answerSchema === undefined ? {} : { answerSchema }),
  });
  let text = '';
  for await (const event of eventsOf(stream)) if (event.type === 'text-delta') text += event.text;
  await server.close();
  return { text, bodies: server.requests.map(({ body }) => body as JsonObject) };
}

it('a server that enforces a schema lets nothing else through, and is offered no tools', async () => {
  const { text, bodies } = await answerTo({ type: 'object', required: ['ok'] });
  expect(text).toBe('{"ok":true}');
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).not.toHaveProperty('tools');
});

it('a schema that the server cannot use is left out, and the tools stay', async () => {
  const { text, bodies } = await answerTo({ $ref: 'https://example.com/schema.json' });
  expect(text).toBe('Sure!');
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toMatchObject({ tools: [{ function: { name: 'Read' } }] });
  expect(bodies[1]).not.toHaveProperty('response_format');
});

it('without a schema a request stays as it is', async () => {
  const { text, bodies } = await answerTo(undefined);
  expect(text).toBe('Sure!');
  expect(bodies).toMatchObject([{ tools: [{ function: { name: 'Read' } }] }]);
});

const strictTool = {
  name: 'Read',
  description: 'Reads a file.',
  input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

/** A model on vLLM or in LM Studio, as a session reaches it: found by its list, through its adapter. */
async function structured(options: FakeStructuredOptions) {
  const server = await startFakeStructured(options);
  onTestFinished(() => server.close());
  const address = { baseUrl: `${server.url}/v1`, api: 'openai' } as const;
  const served = await describeServed({ address, model: 'local', isOwn: true });
  const { createOpenAIChatProvider } = await import('@robota-sdk/agent-provider-openai');
  const provider = enforcingSchema(createOpenAIChatProvider({ vendor: 'openai', baseUrl: address.baseUrl }));
  const compat = served?.server === 'vllm' || served?.server === 'lmstudio' ? { server: served.server } : {};
  const ask = async (more: Partial<ModelRequest>) => {
    let text = '';
    let call = '';
    const stream = provider.stream({
      model: testModel({ compat }),
      system: 'Be brief.',
      messages: [createMessage({ role: 'user', content: [{ type: 'text', text: 'Is it?' }] }, null)],
      tools: [strictTool],
      thinking: 'off',
      signal: new AbortController().signal,
      ...more,
    });
    for await (const event of eventsOf(stream)) {
      if (event.type === 'text-delta') text += event.text;
      if (event.type === 'tool-call-delta') call += event.json;
    }
    return { text, call };
  };
  return { ask, served, bodies: () => server.requests.map(({ body }) => body as JsonObject) };
}

const wishes = () => ['Sure!', '{"ok":true}'];
const answerSchema = { type: 'object', required: ['ok'] };

it.each([
  ['vllm', 40_960],
  ['lmstudio', 20_480],
] as const)('%s is recognised, and keeps an answer within its schema', async (kind, tokens) => {
  const { ask, served } = await structured({ kind, answer: wishes });
  expect(served).toMatchObject({ server: kind, tokens });
  expect((await ask({ answerSchema })).text).toBe('{"ok":true}');
  expect((await ask({})).text).toBe('Sure!');
});

it('calls on vLLM conform to the schemas of their tools; a schema that it cannot compile is left out for good', async () => {
  const call = () => ['{"file":"a"', '{"path":"a"}'];
  const { ask, bodies } = await structured({ kind: 'vllm', answer: wishes, call });
  expect((await ask({})).call).toBe('{"path":"a"}');
  expect(bodies()).toMatchObject([{ tools: [{ function: { strict: true } }] }]);
  const tools = [{ ...strictTool, input: { $ref: 'https://example.com/schema.json' } }];
  await ask({ tools });
  await ask({ tools });
  const strict = bodies().map(({ tools: sent }) => JSON.stringify(sent).includes('"strict":true'));
  expect(strict).toEqual([true, true, false, false]);
});

it('an answer that a server took for thinking is asked for again without the schema', async () => {
  const { ask, bodies } = await structured({ kind: 'lmstudio', answer: wishes, confusesThinking: true });
  expect((await ask({ answerSchema })).text).toBe('Sure!');
  expect(bodies().map((body) => 'response_format' in body)).toEqual([true, false]);
});

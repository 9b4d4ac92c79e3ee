import { createMessage, eventsOf, type JsonObject } from '@robota-sdk/agent-core';
import { startFakeLlama, testModel } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { inSlots } from './llama-slots.ts';

const tool = { name: 'Read', description: 'Reads a file.', input: { type: 'object' } };

/** The answer of a llama.cpp model that would rather talk, and the requests that its server got. */
async function answerTo(answerSchema: JsonObject | undefined) {
  const server = await startFakeLlama({ window: 8192, answer: () => ['Sure!', '"no"', '{"ok":true}'] });
  const { createOpenAIChatProvider } = await import('@robota-sdk/agent-provider-openai');
  const connection = { vendor: 'llama.cpp', baseUrl: `${server.url}/v1` };
  const stream = inSlots(createOpenAIChatProvider(connection), connection).stream({
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

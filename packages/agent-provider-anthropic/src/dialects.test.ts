import type { ModelRequest } from '@robota-sdk/agent-core';
import {
  anthropicReply,
  collectEvents,
  contentOf,
  jsonReply,
  testModel,
  testRequest,
} from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { expect, it } from 'vitest';
import { createAnthropicProvider } from './anthropic-provider.ts';

const server = modelServerPerTest();
const model = testModel({ vendor: 'acme', api: 'anthropic' });
const tools = [{ name: 'Read', description: 'Reads.', input: { type: 'object' } }];
const ask = (extra: Partial<ModelRequest> = {}) =>
  collectEvents(
    createAnthropicProvider({ vendor: 'acme', baseUrl: server.url }).stream(
      testRequest({ model, system: 'Be brief.', tools, ...extra }),
    ),
  );
const yes = anthropicReply({ text: 'yes' });
const said = [{ type: 'text', text: 'yes' }];

it('reads an answer that is not streamed', async () => {
  const content = [
    { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
    { type: 'text', text: 'yes' },
    { type: 'tool_use', id: 't1', name: 'Read', input: { a: 1 } },
  ];
  const usage = { input_tokens: 3, output_tokens: 4 };
  server.reply(
    jsonReply(200, { type: 'message', role: 'assistant', content, stop_reason: 'tool_use', usage }),
  );
  const events = await ask();
  expect(contentOf(events)).toMatchObject([
    { type: 'thinking', text: 'hm', vendorData: { signature: 'c2ln' } },
    { type: 'text', text: 'yes' },
    { type: 'tool-call', id: 't1', name: 'Read', input: { a: 1 } },
  ]);
  expect(events.at(-1)).toMatchObject({
    type: 'end',
    stopReason: 'tool-calls',
    usage: { input: 3, output: 4 },
  });
});

it('fails with an error that has status 200 in its words, to be tried again', async () => {
  server.reply(jsonReply(200, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }));
  expect((await ask()).at(-1)).toMatchObject({
    type: 'error',
    failure: { code: 'overloaded', retryable: true },
  });
});

it('leaves out cache marks that a server refuses, and sends it the prompt as text', async () => {
  server.handle(({ text, body }) => {
    if (text.includes('cache_control'))
      return jsonReply(400, { error: { message: 'system.0.cache_control: Extra inputs are not permitted' } });
    return typeof (body as { system: unknown }).system === 'string'
      ? yes
      : jsonReply(422, { detail: [{ loc: ['body', 'system'], msg: 'Input should be a valid string' }] });
  });
  expect(contentOf(await ask())).toEqual(said);
  expect(server.requests).toHaveLength(3);
  expect(contentOf(await ask())).toEqual(said);
  expect(server.requests).toHaveLength(4);
  expect(server.requests.at(-1)?.body).toMatchObject({ system: 'Be brief.' });
});

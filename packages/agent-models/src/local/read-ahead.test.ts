import { createMessage, type ModelRequest } from '@robota-sdk/agent-core';
import { jsonReply, ollamaReply, testModel } from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { expect, it } from 'vitest';
import { createOllamaProvider } from './ollama-provider.ts';
import { readAhead } from './read-ahead.ts';

const server = modelServerPerTest();

const said = createMessage({ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }, null);

function promptOf(more: Partial<ModelRequest> = {}): ModelRequest {
  const { signal } = new AbortController();
  return {
    model: testModel(),
    system: 'Be brief.',
    messages: [],
    tools: [],
    thinking: 'off',
    signal,
    ...more,
  };
}

const opened = () => createOllamaProvider({ vendor: 'ollama', baseUrl: server.url });

it('the same prompt is read ahead once, another one again', async () => {
  server.handle(() => ollamaReply({ text: 'x' }));
  const provider = opened();
  await readAhead(provider, promptOf());
  await readAhead(provider, promptOf());
  expect(server.requests).toHaveLength(1);
  await readAhead(provider, promptOf({ messages: [said] }));
  await readAhead(provider, promptOf({ messages: [said], system: 'Be kind.' }));
  expect(server.requests).toHaveLength(3);
});

it('a server that refuses or cannot be reached does no harm', async () => {
  server.handle(() => jsonReply(500, { error: 'out of memory' }));
  await readAhead(opened(), promptOf());
  expect(server.requests).toHaveLength(1);
  const nowhere = createOllamaProvider({ vendor: 'ollama', baseUrl: 'http://127.0.0.1:9' });
  await readAhead(nowhere, promptOf());
});

it('it ends with its signal, and does not begin after it', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  server.handle(() => {
    controller.abort();
    return new Promise(() => {});
  });
  const provider = opened();
  await readAhead(provider, promptOf({ signal }));
  await readAhead(provider, promptOf({ signal, messages: [said] }));
  expect(server.requests).toHaveLength(1);
});

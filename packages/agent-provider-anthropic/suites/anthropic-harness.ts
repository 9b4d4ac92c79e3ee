import type { Connection, Model, ModelRequest } from '@robota-sdk/agent-core';
import {
  type AnthropicAnswer,
  anthropicReply,
  collectEvents,
  type OpenWire,
  type ProviderWire,
  type Reply,
  serveWire,
  testModel,
  testRequest,
} from '@robota-sdk/agent-testing';
import { afterEach, beforeEach } from 'vitest';
import { createAnthropicProvider } from '../src/anthropic-provider.ts';

export const claude: Model = testModel({ vendor: 'anthropic', id: 'claude-test', api: 'anthropic' });

/** An answer with every kind of block. */
export const everything: AnthropicAnswer = {
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

export type AnthropicHarness = ReturnType<typeof anthropicHarness>;

/** Starts a server and the way to it for each test. */
export function anthropicHarness(wire: ProviderWire) {
  let open: OpenWire;
  beforeEach(async () => {
    open = await serveWire(wire);
  });
  afterEach(() => open.way.close());
  const connect = (extra: Partial<Connection> = {}) =>
    createAnthropicProvider({
      vendor: 'anthropic',
      baseUrl: open.server.url,
      apiKey: 'secret',
      ...open.way.connection,
      ...extra,
    });
  const eventsOf = (reply: Reply, extra: Partial<ModelRequest> = {}) => {
    open.server.reply(reply);
    return collectEvents(connect().stream(requestOf(extra)));
  };
  return {
    wire,
    get server() {
      return open.server;
    },
    connect,
    eventsOf,
    answer: (description: AnthropicAnswer) => eventsOf(anthropicReply(description)),
  };
}

export function requestOf(extra: Partial<ModelRequest> = {}): ModelRequest {
  return testRequest({ model: claude, ...extra });
}

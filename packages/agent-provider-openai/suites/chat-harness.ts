import type { Compat, ModelEvent, ModelRequest } from '@robota-sdk/agent-core';
import {
  type Chunk,
  collectEvents,
  eventStream,
  type OpenWire,
  openaiChatChunk,
  type ProviderWire,
  serveWire,
  testModel,
  testRequest,
} from '@robota-sdk/agent-testing';
import { afterAll, beforeAll } from 'vitest';
import { createOpenAIChatProvider } from '../src/chat/chat-provider.ts';

export type ChatHarness = ReturnType<typeof chatHarness>;

/** Starts a server and the way to it, and asks the provider over it. */
export function chatHarness(wire: ProviderWire) {
  let open: OpenWire;
  beforeAll(async () => {
    open = await serveWire(wire);
  });
  afterAll(() => open.way.close());
  const ask = (extra: Partial<ModelRequest> = {}) => {
    const { server, way } = open;
    const provider = createOpenAIChatProvider({
      vendor: 'acme',
      baseUrl: `${server.url}/v1`,
      ...way.connection,
    });
    return provider.stream(testRequest({ model: testModel({ vendor: 'acme', api: 'openai' }), ...extra }));
  };
  return {
    wire,
    get server() {
      return open.server;
    },
    ask,
    answer(chunks: readonly Chunk[], compat: Compat = {}): Promise<readonly ModelEvent[]> {
      open.server.reply(eventStream(chunks));
      return collectEvents(ask({ model: testModel({ vendor: 'acme', api: 'openai', compat }) }));
    },
  };
}

export function delta(fields: Readonly<Record<string, unknown>>): string {
  return openaiChatChunk({ delta: fields });
}

export function call(fields: Readonly<Record<string, unknown>>): string {
  return delta({ tool_calls: [fields] });
}

export function stop(reason = 'stop'): string {
  return openaiChatChunk({ delta: {}, finish_reason: reason });
}

import {
  type AssistantContent,
  createMessage,
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
  collectEvents,
  type OpenWire,
  type ProviderWire,
  type Reply,
  serveWire,
  testRequest,
} from '@robota-sdk/agent-testing';
import { afterAll, beforeAll } from 'vitest';
import { createGoogleProvider } from '../src/google-provider.ts';

export const gemini3: Model = {
  vendor: 'google',
  id: 'gemini-3-flash-preview',
  api: 'google',
  name: 'Gemini 3 Flash',
  contextWindow: 1_048_576,
  maxOutput: 65_536,
  images: true,
  thinking: 'effort',
};
export const gemini25: Model = {
  ...gemini3,
  id: 'gemini-2.5-pro',
  name: 'Gemini 2.5 Pro',
  thinking: 'budget',
};

interface Body {
  readonly generationConfig: { readonly thinkingConfig?: unknown };
  readonly tools?: unknown;
  readonly contents: readonly {
    readonly role: string;
    readonly parts: readonly Record<string, unknown>[];
  }[];
}

export type GoogleHarness = ReturnType<typeof googleHarness>;

/** Starts a server and the way to it, and asks the provider over it. */
export function googleHarness(wire: ProviderWire) {
  let open: OpenWire;
  beforeAll(async () => {
    open = await serveWire(wire);
  });
  afterAll(() => open.way.close());
  return {
    wire,
    get server() {
      return open.server;
    },
    lastBody: () => open.server.requests.at(-1)?.body as Body,
    ask(reply: Reply, request: Partial<ModelRequest> = {}): Promise<readonly ModelEvent[]> {
      const { server, way } = open;
      server.reply(reply);
      // The account of a cloud is asked for other credentials once.
      if (!wire.isDirect && (reply.status === 401 || reply.status === 403)) server.reply(reply);
      const connection = { vendor: 'google', baseUrl: server.url, apiKey: 'secret-key', ...way.connection };
      const messages = [user('hi')];
      return collectEvents(
        createGoogleProvider(connection).stream(testRequest({ model: gemini3, messages, ...request })),
      );
    },
  };
}

export function user(...content: (string | UserContent)[]): Message {
  const blocks = content.map((part) =>
    typeof part === 'string' ? { type: 'text' as const, text: part } : part,
  );
  return createMessage({ role: 'user', content: blocks }, null);
}

export function assistant(content: readonly AssistantContent[], model: Model = gemini3): Message {
  return createMessage(
    { role: 'assistant', content, model, usage: noUsage, cost: 0, stopReason: 'tool-calls' },
    null,
  );
}

export function result(toolCallId: string, text: string, extra: Partial<ToolMessage> = {}): Message {
  const draft = {
    role: 'tool',
    toolCallId,
    toolName: 'Read',
    content: [{ type: 'text', text }],
    ...toolEnd('success'),
  } as const;
  return createMessage({ ...draft, ...extra }, null);
}

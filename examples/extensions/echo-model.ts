// A model adapter: answers `--model offline` itself, without a network.
import type { Extension, ModelEvent, ModelProvider, ModelRequest } from '@robota-sdk/agent-sdk';

const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

const provider: ModelProvider = {
  vendor: 'offline',
  // Never throws: a failure is the last event, `{ type: 'error', failure }`.
  async *stream({ messages }: ModelRequest): AsyncGenerator<ModelEvent> {
    const last = messages.findLast((message) => message.role === 'user' && message.origin === undefined);
    const said =
      last?.role === 'user' ? last.content.map((part) => (part.type === 'text' ? part.text : '')) : [];
    yield { type: 'text-start', index: 0 };
    yield { type: 'text-delta', index: 0, text: `You said: ${said.join(' ')}` };
    yield { type: 'text-end', index: 0 };
    yield { type: 'end', stopReason: 'end', usage: noUsage };
  },
};

const extension: Extension = {
  name: 'echo-model',
  setup: (host) => host.provider('offline', async () => provider),
};

export default extension;

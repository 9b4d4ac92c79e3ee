import type {
  Connection,
  ModelEvent,
  ModelProvider,
  ModelRequest,
  ProviderFactory,
} from '@robota-sdk/agent-core';

/** A provider whose code is loaded with its first request. */
export function lazyProvider(factory: ProviderFactory, connection: Connection): ModelProvider {
  let loading: Promise<ModelProvider> | undefined;
  const load = () => {
    loading ??= factory(connection);
    return loading;
  };
  return {
    vendor: connection.vendor,
    stream: (request) => ({ [Symbol.asyncIterator]: () => lazyIterator(load, request) }),
  };
}

/** Once the provider is there, its own iterator is handed through without another layer. */
function lazyIterator(load: () => Promise<ModelProvider>, request: ModelRequest): AsyncIterator<ModelEvent> {
  let inner: AsyncIterator<ModelEvent> | undefined;
  const open = async () => {
    inner = (await load()).stream(request)[Symbol.asyncIterator]();
    return inner.next();
  };
  return {
    next: () => (inner ? inner.next() : open()),
    return: async () => (await inner?.return?.()) ?? { done: true, value: undefined },
  };
}

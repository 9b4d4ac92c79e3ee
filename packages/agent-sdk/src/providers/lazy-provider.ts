import type {
  Connection,
  ModelEvent,
  ModelProvider,
  ModelRequest,
  ProviderFactory,
} from '@robota-sdk/agent-core';

/** Takes secrets out of a text. */
type Redact = (text: string) => string;

/** A provider whose code is loaded with its first request, and whose failures repeat no secret that a server echoed. */
export function lazyProvider(
  factory: ProviderFactory,
  connection: Connection,
  redact: Redact = (text) => text,
): ModelProvider {
  let loading: Promise<ModelProvider> | undefined;
  const load = () => {
    loading ??= factory(connection);
    return loading;
  };
  return {
    vendor: connection.vendor,
    stream: (request) => ({ [Symbol.asyncIterator]: () => lazyIterator(load, request, redact) }),
  };
}

function lazyIterator(
  load: () => Promise<ModelProvider>,
  request: ModelRequest,
  redact: Redact,
): AsyncIterator<ModelEvent> {
  let inner: AsyncIterator<ModelEvent> | undefined;
  const open = async () => {
    inner = (await load()).stream(request)[Symbol.asyncIterator]();
    return inner.next();
  };
  const clean = (result: IteratorResult<ModelEvent>) => withoutSecrets(result, redact);
  return {
    next: () => (inner ? inner.next() : open()).then(clean),
    return: async () => (await inner?.return?.()) ?? { done: true, value: undefined },
  };
}

function withoutSecrets(result: IteratorResult<ModelEvent>, redact: Redact): IteratorResult<ModelEvent> {
  if (result.done || result.value.type !== 'error') return result;
  const { failure } = result.value;
  return {
    done: false,
    value: { ...result.value, failure: { ...failure, message: redact(failure.message) } },
  };
}

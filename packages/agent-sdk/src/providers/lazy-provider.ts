import {
  batchOf,
  type Connection,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  type ProviderFactory,
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

type Said = ModelEvent | readonly ModelEvent[];

function lazyIterator(
  load: () => Promise<ModelProvider>,
  request: ModelRequest,
  redact: Redact,
): AsyncIterator<Said> {
  let inner: AsyncIterator<Said> | undefined;
  const open = async () => {
    inner = (await load()).stream(request)[Symbol.asyncIterator]();
    return inner.next();
  };
  const clean = (result: IteratorResult<Said>) => withoutSecrets(result, redact);
  return {
    next: () => (inner ? inner.next() : open()).then(clean),
    return: async () => (await inner?.return?.()) ?? { done: true, value: undefined },
  };
}

/** A failure is the last thing a provider says, so only the last event has to be looked at. */
function withoutSecrets(result: IteratorResult<Said>, redact: Redact): IteratorResult<Said> {
  if (result.done) return result;
  const events = batchOf(result.value);
  const last = events.at(-1);
  if (last?.type !== 'error') return result;
  const failure = { ...last.failure, message: redact(last.failure.message) };
  return { done: false, value: [...events.slice(0, -1), { ...last, failure }] };
}

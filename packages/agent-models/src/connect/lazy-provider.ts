import {
  batchOf,
  type Connection,
  type ModelEvent,
  type ModelFailure,
  type ModelProvider,
  type ModelRequest,
  type ProviderFactory,
} from '@robota-sdk/agent-core';

/**
 * Rewrites a failure for the user: without secrets that a server echoed, with facts only the caller knows.
 */
type Amend = (failure: ModelFailure) => ModelFailure;

/** A provider whose code is loaded with its first request. */
export function lazyProvider(factory: ProviderFactory, connection: Connection, amend: Amend): ModelProvider {
  let loading: Promise<ModelProvider> | undefined;
  const load = () => {
    loading ??= factory(connection);
    return loading;
  };
  return {
    vendor: connection.vendor,
    stream: (request) => ({ [Symbol.asyncIterator]: () => lazyIterator(load, request, amend) }),
  };
}

type Said = ModelEvent | readonly ModelEvent[];

function lazyIterator(
  load: () => Promise<ModelProvider>,
  request: ModelRequest,
  amend: Amend,
): AsyncIterator<Said> {
  let inner: AsyncIterator<Said> | undefined;
  const open = async () => {
    inner = (await load()).stream(request)[Symbol.asyncIterator]();
    return inner.next();
  };
  const amended = (result: IteratorResult<Said>) => amendLast(result, amend);
  return {
    next: () => (inner ? inner.next() : open()).then(amended),
    return: async () => (await inner?.return?.()) ?? { done: true, value: undefined },
  };
}

/** A failure is the last thing a provider says, so only the last event has to be looked at. */
function amendLast(result: IteratorResult<Said>, amend: Amend): IteratorResult<Said> {
  if (result.done) return result;
  const events = batchOf(result.value);
  const last = events.at(-1);
  if (last?.type !== 'error') return result;
  return { done: false, value: [...events.slice(0, -1), { ...last, failure: amend(last.failure) }] };
}

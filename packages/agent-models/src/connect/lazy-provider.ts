import {
  AgentError,
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

/** The way to a vendor, completed with the first request: a command may have to print the key. */
export interface LazyConnection {
  readonly vendor: string;
  /** Throws an `AgentError` if nothing can be sent; the next request tries again. */
  complete(): Promise<Connection>;
  /** Another value than before means another connection, such as a key that was stored meanwhile. */
  version?(): string | undefined;
}

/** A provider whose code is loaded with its first request. */
export function lazyProvider(
  factory: ProviderFactory,
  { vendor, complete, version }: LazyConnection,
  amend: Amend,
): ModelProvider {
  let loading: Promise<ModelProvider> | undefined;
  let loaded: string | undefined;
  const load = () => {
    const wanted = version?.();
    if (wanted !== loaded) loading = undefined;
    loaded = wanted;
    const own = loading ?? complete().then(factory);
    loading = own;
    own.catch(() => {
      if (loading === own) loading = undefined;
    });
    return own;
  };
  return {
    vendor,
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
    try {
      inner = (await load()).stream(request)[Symbol.asyncIterator]();
    } catch (thrown) {
      inner = failedStream(thrown);
    }
    return inner.next();
  };
  const amended = (result: IteratorResult<Said>) => amendLast(result, amend);
  return {
    next: () => (inner ? inner.next() : open()).then(amended),
    return: async () => (await inner?.return?.()) ?? { done: true, value: undefined },
  };
}

/** Reports an incomplete connection like a refused key, so that a fallback may take over. */
async function* failedStream(thrown: unknown): AsyncGenerator<Said, undefined> {
  if (!AgentError.is(thrown)) throw thrown;
  const { message } = thrown;
  yield { type: 'error', failure: { code: 'auth', message, retryable: false } };
  return undefined;
}

/** A failure is the last thing a provider says, so only the last event has to be looked at. */
function amendLast(result: IteratorResult<Said>, amend: Amend): IteratorResult<Said> {
  if (result.done) return result;
  const events = batchOf(result.value);
  const last = events.at(-1);
  if (last?.type !== 'error') return result;
  return { done: false, value: [...events.slice(0, -1), { ...last, failure: amend(last.failure) }] };
}

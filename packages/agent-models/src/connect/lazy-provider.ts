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
  /** Throws an `AgentError` if nothing can be sent, or the signal aborts; the next request tries again. */
  complete(signal: AbortSignal): Promise<Connection>;
  /** Another value than before means another connection, such as a key that was stored meanwhile. */
  version?(): string | undefined;
  /** Forgets what may have expired, before a request that the vendor refused is sent once more; absent where nothing can. */
  readonly renew?: (() => Promise<void>) | undefined;
}

/** A provider whose code is loaded with its first request. */
export function lazyProvider(
  factory: ProviderFactory,
  { vendor, complete, version, renew }: LazyConnection,
  amend: Amend,
): ModelProvider {
  let ready: ModelProvider | undefined;
  let loaded: string | undefined;
  // Each request completes the connection until one has: its interruption must not fail another's.
  const load = async (signal: AbortSignal) => {
    const wanted = version?.();
    if (wanted !== loaded) ready = undefined;
    loaded = wanted;
    if (ready) return ready;
    const made = await factory(await complete(signal));
    if (loaded === wanted) ready ??= made;
    return ready ?? made;
  };
  const reload = async (signal: AbortSignal) => {
    await renew?.();
    ready = undefined;
    return load(signal);
  };
  const loads = renew === undefined ? [load] : [load, reload];
  return {
    vendor,
    stream: (request) => ({ [Symbol.asyncIterator]: () => lazyIterator(loads, request, amend) }),
  };
}

type Said = ModelEvent | readonly ModelEvent[];

/** Opens the stream by the first way, and by the next one where the key is refused. */
function lazyIterator(
  loads: readonly ((signal: AbortSignal) => Promise<ModelProvider>)[],
  request: ModelRequest,
  amend: Amend,
): AsyncIterator<Said> {
  let inner: AsyncIterator<Said> | undefined;
  const open = async ([load, ...others]: typeof loads): Promise<IteratorResult<Said>> => {
    try {
      const provider = await load?.(request.signal);
      if (provider === undefined) return { done: true, value: undefined };
      inner = provider.stream(request)[Symbol.asyncIterator]();
    } catch (thrown) {
      inner = failedStream(thrown, request.signal);
      return inner.next();
    }
    const first = await inner.next();
    return others.length > 0 && isRefusedKey(first) ? open(others) : first;
  };
  const amended = (result: IteratorResult<Said>) => amendLast(result, amend);
  return {
    next: () => (inner ? inner.next() : open(loads)).then(amended),
    return: async () => (await inner?.return?.()) ?? { done: true, value: undefined },
  };
}

/** True if a stream begins with the refusal of its key. */
function isRefusedKey(result: IteratorResult<Said>): boolean {
  if (result.done) return false;
  const [first] = batchOf(result.value);
  return first?.type === 'error' && first.failure.code === 'auth';
}

/** Reports an incomplete connection like a refused key, so that a fallback may take over. */
async function* failedStream(thrown: unknown, { aborted }: AbortSignal): AsyncGenerator<Said, undefined> {
  if (!AgentError.is(thrown)) throw thrown;
  const { message } = thrown;
  yield { type: 'error', failure: { code: aborted ? 'aborted' : 'auth', message, retryable: false } };
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

import {
  AgentError,
  type ApiKind,
  type Catalogue,
  callback,
  checkArguments,
  createVendor,
  errorMessage,
  having,
  type JsonValue,
  list,
  type Model,
  type ModelEvent,
  type ModelFailure,
  type ModelProvider,
  type ModelRequest,
  modelDefaults,
  nonEmptyText,
  noUsage,
  numberWithin,
  orAborted,
  type Price,
  type StopReason,
  text,
  type Usage,
} from '@robota-sdk/agent-core';

/** A model that a provider serves. */
interface ProviderModel {
  readonly id: string;
  /** Tokens. */
  readonly contextWindow: number;
  readonly maxOutput?: number;
  readonly name?: string;
  readonly images?: boolean;
  /** US dollars per million tokens; without it cost limits cannot be enforced. */
  readonly price?: Price;
}

/** An event of a provider's answer. The last one is `end`; a failure is thrown. */
export type ProviderEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly text: string }
  | { readonly type: 'tool-call'; readonly id?: string; readonly name: string; readonly input: JsonValue }
  | { readonly type: 'end'; readonly stopReason?: StopReason; readonly usage?: Partial<Usage> };

/** A custom vendor: its models, and how to call them. */
export interface ProviderDefinition {
  readonly vendor: string;
  readonly models: readonly [ProviderModel, ...ProviderModel[]];
  stream(request: ModelRequest): AsyncIterable<ProviderEvent>;
}

/** A provider that sessions can use: `providers: [it]`, then `model: 'vendor/id'`; or `model: it`. */
export interface DefinedProvider extends ProviderDefinition {
  readonly provider: ModelProvider;
}

const providerDefinition = having({
  vendor: text,
  models: list(having({ id: nonEmptyText, contextWindow: numberWithin({ exclusiveMinimum: 0 }) })),
  stream: callback,
});

/** Adds a vendor. Retries, fallbacks and limits work as for every other one. */
export function defineProvider<P extends ProviderDefinition>(definition: P): P & DefinedProvider {
  checkArguments('defineProvider', { definition: [definition, providerDefinition] });
  const { vendor, models } = definition;
  if (!/^[a-z][a-z0-9-]*$/.test(vendor))
    throw new AgentError(
      'usage',
      `defineProvider: "${vendor}" is not a vendor name. Use lower-case letters.`,
    );
  if (models.length === 0)
    throw new AgentError('usage', `defineProvider: the vendor "${vendor}" has no models.`);
  return { ...definition, provider: { vendor, stream: (request) => numbered(definition, request) } };
}

/** The name by which the adapter of a defined provider is registered. */
export function apiOf({ vendor }: ProviderDefinition): ApiKind {
  return `program:${vendor}` as ApiKind;
}

/** A catalogue that includes the vendors of a program. */
export function withProviders(catalogue: Catalogue, providers: readonly ProviderDefinition[]): Catalogue {
  const own = new Set(providers.map(({ vendor }) => vendor));
  return {
    vendors: [...providers.map(vendorOf), ...catalogue.vendors.filter(({ id }) => !own.has(id))],
    models: [
      ...providers.flatMap((provider) => provider.models.map((model) => modelOf(provider, model))),
      ...catalogue.models.filter(({ vendor }) => !own.has(vendor)),
    ],
  };
}

function vendorOf(provider: ProviderDefinition) {
  const { vendor, models } = provider;
  // Never requested: the program itself reaches its models.
  const baseUrl = `https://${vendor}.invalid`;
  return createVendor({
    id: vendor,
    api: apiOf(provider),
    baseUrl,
    defaultModel: models[0].id,
    needsKey: false,
  });
}

function modelOf(provider: ProviderDefinition, model: ProviderModel): Model {
  const { id, contextWindow, maxOutput = modelDefaults.maxOutput, name = id, images = false, price } = model;
  const facts = { vendor: provider.vendor, id, api: apiOf(provider), name, contextWindow, maxOutput, images };
  return { ...facts, thinking: 'none', ...(price ? { price } : {}) };
}

/** Numbers the blocks, closes them, and turns an exception into the last event. */
async function* numbered(definition: ProviderDefinition, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const blocks = new Blocks();
  const events = definition.stream(request)[Symbol.asyncIterator]();
  try {
    for (;;) {
      // A stream that ignores the signal must not hold up an interrupt.
      const { done, value: event } = await orAborted(events.next(), request.signal);
      if (done) break;
      if (event.type !== 'end') {
        yield* blocks.take(event);
        continue;
      }
      yield* blocks.close();
      const stopReason = event.stopReason ?? (blocks.hasCalls ? 'tool-calls' : 'end');
      yield { type: 'end', stopReason, usage: { ...noUsage, ...event.usage } };
      return;
    }
    yield { type: 'error', failure: protocolFailure(definition.vendor) };
  } catch (thrown) {
    yield { type: 'error', failure: failureOf(thrown, request.signal) };
  } finally {
    void Promise.resolve(events.return?.()).catch(() => {});
  }
}

class Blocks {
  hasCalls = false;
  #index = 0;
  #open: 'text' | 'thinking' | undefined;

  *take(event: Exclude<ProviderEvent, { type: 'end' }>): Generator<ModelEvent> {
    if (event.type === 'tool-call') return yield* this.#call(event);
    const kind = event.type === 'text-delta' ? 'text' : 'thinking';
    if (this.#open !== kind) {
      yield* this.close();
      this.#open = kind;
      yield { type: `${kind}-start`, index: this.#index };
    }
    yield { type: event.type, index: this.#index, text: event.text };
  }

  *close(): Generator<ModelEvent> {
    if (this.#open === undefined) return;
    yield { type: `${this.#open}-end`, index: this.#index++ };
    this.#open = undefined;
  }

  *#call(event: ProviderEvent & { type: 'tool-call' }): Generator<ModelEvent> {
    yield* this.close();
    this.hasCalls = true;
    const index = this.#index++;
    const { name, input, id = `call_${index}_${Math.random().toString(36).slice(2, 10)}` } = event;
    yield { type: 'tool-call-start', index, id, name };
    yield { type: 'tool-call-delta', index, json: JSON.stringify(input) };
    yield { type: 'tool-call-end', index, input };
  }
}

function protocolFailure(vendor: string): ModelFailure {
  const message = `The provider "${vendor}" ended its stream without an "end" event.`;
  return { code: 'protocol', message, retryable: true };
}

function failureOf(thrown: unknown, signal: AbortSignal): ModelFailure {
  if (signal.aborted) return { code: 'aborted', message: 'Interrupted.', retryable: false };
  if (AgentError.is(thrown))
    return { code: thrown.code, message: thrown.message, retryable: thrown.retryable };
  const isNetwork = thrown instanceof TypeError && thrown.message === 'fetch failed';
  return { code: isNetwork ? 'network' : 'internal', message: errorMessage(thrown), retryable: isNetwork };
}

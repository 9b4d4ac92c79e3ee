import type { Config } from '@robota-sdk/agent-config';
import {
  AgentError,
  createMessage,
  eventsOf,
  isJsonObject,
  type Model,
  type ModelFailure,
  type ModelProvider,
  type Profile,
  resolveModel,
  secretHider,
  type ToolSpec,
} from '@robota-sdk/agent-core';
import { modelSources } from '../choose/choose-models.ts';
import { builtInRegistry } from '../connect/built-in-providers.ts';
import { connectModel } from '../connect/connect-model.ts';
import { servedConfig } from '../discover/served-config.ts';
import { serverOf } from '../servers/configured-servers.ts';
import { describeServed, type ServedModel } from '../servers/served-model.ts';

/** How a model answered a small question. */
export interface AnswerTrial {
  readonly firstTokenMs: number;
  /** Nothing where too little came to tell. */
  readonly tokensPerSecond?: number;
  /** It came in pieces. */
  readonly streams: boolean;
}

/** The result of a trial call: made, made in another form, answered as text, or refused by the server. */
export type CallTrial =
  | { readonly kind: 'called' }
  | { readonly kind: 'otherwise'; readonly call: string }
  | { readonly kind: 'words' }
  | { readonly kind: 'failed'; readonly message: string };

/** The tested abilities of a model and its server. */
export interface ModelProbe {
  readonly model: Model;
  readonly baseUrl: string;
  readonly profile?: Profile;
  readonly answer: AnswerTrial | { readonly failure: ModelFailure };
  /** Absent where the model did not answer at all. */
  readonly native?: CallTrial;
  /** Tried where native calls fail, or where the protocol is in use. */
  readonly xnl?: CallTrial;
  readonly served?: ServedModel;
}

/** A server on this machine may have to load the model first. */
const patienceMs = 120_000;

/** Tries a model by the way that sessions take: whether it answers, streams and calls tools, and how much fits it. */
export async function probeModel(name: string, loaded: Config): Promise<ModelProbe> {
  const config = await servedConfig({ config: loaded, model: name });
  const { vendor, profile } = found(name, config);
  const { address } = serverOf(vendor, config, profile);
  const secrets = [address.apiKey, address.headers?.authorization?.replace('Bearer ', '')];
  const { model, provider } = connect(
    name,
    config,
    secretHider(secrets.filter((each) => each !== undefined)),
  );
  const facts = { model, baseUrl: address.baseUrl, ...(profile ? { profile } : {}) };
  const answer = await tryAnswer({ model, provider });
  if ('failure' in answer) return { ...facts, answer };
  const native = await tryCall({ model, provider });
  if (vendor.cloud) return { ...facts, answer, native };
  const isOwn = !vendor.needsKey || address.baseUrl !== vendor.baseUrl;
  const served = await describeServed({ address, model: model.id, isOwn: isOwn && model.api === 'openai' });
  const tried = { ...facts, answer, native, ...(served ? { served } : {}) };
  if (native.kind === 'called' && model.toolProtocol !== 'xnl') return tried;
  const { xnlProvider } = await import('../xnl/xnl-provider.ts');
  return { ...tried, xnl: await tryCall({ model, provider: xnlProvider(provider) }) };
}

interface Tried {
  readonly model: Model;
  readonly provider: ModelProvider;
}

/** The adapter as it is, whatever protocol is in use, and the model as it is used. */
function connect(name: string, config: Config, redact: (text: string) => string): Tried {
  const sources = { ...modelSources({ config }, { providers: builtInRegistry() }), redact };
  const { model } = connectModel(name, sources);
  return { model, provider: connectModel(name, { ...sources, toolProtocol: 'native' }).provider };
}

function found(name: string, { catalogue, profiles, host }: Config) {
  const resolved = resolveModel(name, { catalogue, profiles, env: host.env });
  if (!resolved.ok) throw new AgentError('unknown-model', resolved.error);
  return resolved;
}

async function tryAnswer(tried: Tried): Promise<ModelProbe['answer']> {
  // An answer that may begin in thinking is held back, which says nothing about the server.
  const compat = {
    ...tried.model.compat,
    thinkingFormat: tried.model.compat?.thinkingFormat ?? 'openai',
  } as const;
  const plain = { ...tried, model: { ...tried.model, compat } };
  const began = performance.now();
  let first: number | undefined;
  let pieces = 0;
  for await (const event of eventsOf(ask(plain, { prompt: 'Count from 1 to 30 in digits.', tools: [] }))) {
    if (event.type === 'text-delta' || event.type === 'thinking-delta') {
      first ??= performance.now();
      pieces++;
    } else if (event.type === 'error') return { failure: event.failure };
    else if (event.type === 'end') {
      const seconds = (performance.now() - (first ?? began)) / 1000;
      const tokens = event.usage.output || pieces;
      return {
        firstTokenMs: Math.round((first ?? performance.now()) - began),
        streams: pieces > 1,
        ...(pieces > 1 && seconds > 0 ? { tokensPerSecond: Math.round((10 * tokens) / seconds) / 10 } : {}),
      };
    }
  }
  return { failure: { code: 'protocol', message: 'The server ended without an answer.', retryable: true } };
}

const report: ToolSpec = {
  name: 'report_number',
  description: 'Reports a number to the user.',
  input: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
};

const longestCall = 100;

async function tryCall(tried: Tried): Promise<CallTrial> {
  const prompt = 'Call the tool report_number with the number 7 now. Do not answer in words.';
  let other: string | undefined;
  let name = '';
  for await (const event of eventsOf(ask(tried, { prompt, tools: [report] }))) {
    if (event.type === 'error') return { kind: 'failed', message: event.failure.message };
    if (event.type === 'tool-call-start') name = event.name;
    if (event.type !== 'tool-call-end') continue;
    if (name === report.name && isJsonObject(event.input) && Number(event.input.number) === 7)
      return { kind: 'called' };
    other ??= `${name} ${JSON.stringify(event.input)}`.slice(0, longestCall);
  }
  return other === undefined ? { kind: 'words' } : { kind: 'otherwise', call: other };
}

function ask(
  { model, provider }: Tried,
  { prompt, tools }: { readonly prompt: string; readonly tools: readonly ToolSpec[] },
) {
  return provider.stream({
    model,
    system: 'You are tested. Do exactly what is asked.',
    messages: [createMessage({ role: 'user', content: [{ type: 'text', text: prompt }] }, null)],
    tools,
    thinking: 'off',
    maxOutput: Math.min(1024, model.maxOutput),
    signal: AbortSignal.timeout(patienceMs),
  });
}

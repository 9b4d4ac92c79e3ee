import {
  AgentError,
  type Catalogue,
  endpointOf,
  type ModelChoice,
  type Profile,
  type ProviderFactory,
  type Registry,
  resolveModel,
  type Vendor,
} from '@robota-sdk/agent-core';
import { findKey, type KeySources, resolveWritten } from '../credentials.ts';
import { lazyProvider } from './lazy-provider.ts';

/** Everything that decides how a model is reached. */
export interface ModelSources {
  readonly catalogue: Catalogue;
  readonly profiles: readonly Profile[];
  readonly providers: Registry<ProviderFactory>;
  readonly keys: KeySources;
  readonly baseUrls: Readonly<Record<string, string>>;
  /** From the command line: holds for the chosen model, whatever its vendor. */
  readonly baseUrl?: string | undefined;
  readonly allowInsecureHttp?: boolean | undefined;
  readonly idleTimeoutMs?: number | undefined;
  /** Takes the keys out of what servers say. */
  readonly redact?: ((text: string) => string) | undefined;
}

/** Finds a model by name and the way to it. Throws what a user can act on. */
export function connectModel(name: string, sources: ModelSources): ModelChoice {
  const resolved = resolveModel(name, { ...sources, env: sources.keys.env });
  if (!resolved.ok) throw new AgentError('unknown-model', resolved.error);
  const { vendor, profile } = resolved;
  const baseUrl = sources.baseUrl ?? profile?.baseUrl ?? sources.baseUrls[vendor.id];
  const endpoint = endpointOf(vendor, {
    modelApi: resolved.model.api,
    api: profile?.api,
    baseUrl,
    env: sources.keys.env,
  });
  const apiKey = findKey(vendor, { ...sources.keys, profile: profile?.apiKey });
  if (apiKey === undefined && vendor.needsKey && endpoint.baseUrl === vendor.baseUrl)
    throw missingKey(vendor);
  const factory = sources.providers.get(endpoint.api);
  if (!factory)
    throw new AgentError('config', `Nothing here speaks the API "${endpoint.api}" of ${vendor.name}.`);
  const connection = {
    vendor: vendor.id,
    baseUrl: endpoint.baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    headers: headersOf(vendor, apiKey, sources.keys.env),
    ...(sources.allowInsecureHttp ? { allowInsecureHttp: true } : {}),
    ...(sources.idleTimeoutMs === undefined ? {} : { idleTimeoutMs: sources.idleTimeoutMs }),
  };
  const provider = lazyProvider(factory, connection, sources.redact);
  return { model: { ...resolved.model, api: endpoint.api }, provider };
}

/** The model to use when none was named: of the first vendor there is a key for. */
export function defaultModelName(sources: ModelSources): string | undefined {
  const vendor = sources.catalogue.vendors.find(
    (candidate) => candidate.needsKey && findKey(candidate, sources.keys),
  );
  return vendor && `${vendor.id}/${vendor.defaultModel}`;
}

/** What to say when nothing is configured at all. */
export function noProvider(): AgentError {
  return new AgentError(
    'no-provider',
    [
      'No model is configured. Do one of these:',
      '  export ANTHROPIC_API_KEY=…   (or OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY, …)',
      '  robota --model ollama/MODEL  for a model on this machine',
      '  robota --model offline       to try Robota without a model (rules, not AI)',
      'or set "model" in ~/.robota/settings.json.',
    ].join('\n'),
  );
}

function missingKey(vendor: Vendor): AgentError {
  const [variable = 'its key'] = vendor.keyVariables;
  return new AgentError(
    'no-provider',
    `There is no key for ${vendor.name}. Set ${variable}, or store it in ~/.robota/auth.json as {"${vendor.id}": {"type": "api_key", "key": "…"}}. Without a key: --model offline.`,
  );
}

function headersOf(
  vendor: Vendor,
  apiKey: string | undefined,
  env: KeySources['env'],
): Record<string, string> {
  const written = Object.entries(vendor.headers ?? {});
  const headers = Object.fromEntries(
    written.map(([name, value]) => [name, resolveWritten(value, env) ?? value]),
  );
  return vendor.authHeader && apiKey !== undefined
    ? { ...headers, authorization: `Bearer ${apiKey}` }
    : headers;
}

import type { Config } from '@robota-sdk/agent-config';
import {
  batchOf,
  createMessage,
  type ModelFailure,
  secretHider,
  type UserMessage,
  type Vendor,
} from '@robota-sdk/agent-core';
import { builtInRegistry } from '../connect/built-in-providers.ts';
import { connectModel } from '../connect/connect-model.ts';

/** The result of a request with a key. `unsure`: another error, which proves nothing about the key. */
export interface KeyTrial {
  readonly verdict: 'accepted' | 'refused' | 'unsure';
  /** The vendor's message, without the key. */
  readonly message: string;
}

const patienceMs = 20_000;
/** As little as vendors take: some refuse to answer with fewer tokens. */
const answerTokens = 16;

/** A vendor and a key for it. */
interface OfferedKey {
  readonly vendor: Vendor;
  readonly key: string;
}

/** Asks a vendor for a few words with a key, by the same way that sessions take. */
export async function tryKey(offered: OfferedKey, config: Config, signal?: AbortSignal): Promise<KeyTrial> {
  const { key } = offered;
  const failure = await askOnce(offered, config, signal);
  if (!failure) return { verdict: 'accepted', message: '' };
  const hide = secretHider([key]);
  return { verdict: verdicts[failure.code] ?? 'unsure', message: hide(failure.message) };
}

/** A key that is known although the request failed is a good one. */
const verdicts: Partial<Record<ModelFailure['code'], KeyTrial['verdict']>> = {
  auth: 'refused',
  quota: 'accepted',
  'rate-limit': 'accepted',
  'model-not-found': 'accepted',
};

async function askOnce(
  { vendor, key }: OfferedKey,
  config: Config,
  signal?: AbortSignal,
): Promise<ModelFailure | undefined> {
  const timeout = AbortSignal.timeout(patienceMs);
  const { model, provider } = connect({ vendor, key }, config);
  const stream = provider.stream({
    model,
    system: '',
    messages: [question()],
    tools: [],
    thinking: 'off',
    maxOutput: answerTokens,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  for await (const said of stream) {
    const last = batchOf(said).at(-1);
    if (last?.type === 'error') return last.failure;
  }
  if (timeout.aborted) return { code: 'network', retryable: true, message: `${vendor.name} did not answer.` };
  return undefined;
}

function connect({ vendor, key }: OfferedKey, config: Config) {
  const { settings, catalogue, profiles, storedKeys, host } = config;
  const sources = {
    catalogue,
    profiles,
    providers: builtInRegistry(),
    keys: { env: host.env, stored: storedKeys, settings: settings.apiKeys },
    baseUrls: settings.baseUrls,
    cloudAccounts: settings.cloudAccounts,
    allowInsecureHttp: settings.allowInsecureHttp,
  };
  const withKey = { ...sources, keys: { ...sources.keys, flag: key } };
  return connectModel(`${vendor.id}/${vendor.defaultModel}`, withKey);
}

function question(): UserMessage {
  return createMessage({ role: 'user', content: [{ type: 'text', text: 'Say ok.' }] }, null);
}

import type { Config } from '@robota-sdk/agent-config';
import { findKey } from '@robota-sdk/agent-config';
import {
  type CloudAccount,
  type CloudName,
  endpointOf,
  errorMessage,
  type Vendor,
} from '@robota-sdk/agent-core';

/** Variables that describe the account. */
interface AccountSources {
  readonly keys: { readonly env: Readonly<Record<string, string | undefined>> };
  readonly cloudAccounts?: Readonly<Record<string, string>> | undefined;
}

interface Reached {
  readonly vendor: Vendor;
  readonly apiKey: string | undefined;
  readonly baseUrl: string;
}

/** Opens the account of a cloud, whose code is loaded for it. */
export async function openCloudAccount(
  cloud: CloudName,
  reached: Reached,
  sources: AccountSources,
): Promise<CloudAccount> {
  const { openAccount } = await import('@robota-sdk/agent-cloud');
  return openAccount(cloud, optionsOf(reached, sources));
}

function optionsOf({ vendor, apiKey, baseUrl }: Reached, { keys, cloudAccounts }: AccountSources) {
  const set = Object.entries(keys.env).filter(([, value]) => value !== undefined && value !== '');
  const env = { ...cloudAccounts, ...Object.fromEntries(set) };
  const home = keys.env.HOME || keys.env.USERPROFILE || '';
  return { env, home, apiKey, baseUrl: baseUrl === vendor.baseUrl ? undefined : baseUrl };
}

/** The credentials of a cloud account, or why there are none. */
export type AccountCheck =
  | { readonly ok: true; readonly source: string }
  | { readonly ok: false; readonly why: string };

const patienceMs = 30_000;

/** Looks for the credentials of a cloud account without asking a model. */
export async function checkAccount(vendor: Vendor, config: Config): Promise<AccountCheck> {
  const { settings, host, storedKeys } = config;
  const { cloud } = vendor;
  if (!cloud) return { ok: false, why: `${vendor.name} is not a cloud.` };
  const { baseUrl } = endpointOf(vendor, { baseUrl: settings.baseUrls[vendor.id], env: host.env });
  const apiKey = findKey(vendor, { env: host.env, stored: storedKeys, settings: settings.apiKeys });
  const sources = { keys: { env: host.env }, cloudAccounts: settings.cloudAccounts };
  const account = await openCloudAccount(cloud, { vendor, apiKey, baseUrl }, sources);
  try {
    return { ok: true, source: await account.describe(AbortSignal.timeout(patienceMs)) };
  } catch (thrown) {
    return { ok: false, why: errorMessage(thrown) };
  }
}

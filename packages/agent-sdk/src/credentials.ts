import { stat } from 'node:fs/promises';
import { isJsonObject, type Vendor } from '@robota-sdk/agent-core';
import { readJsonFile } from './config/read-json.ts';

/** Keys the user stored in `auth.json`, by vendor. */
export type StoredKeys = Readonly<Record<string, string>>;

/** Reads `auth.json`: `{"vendor": {"type": "api_key", "key": "…"}}`. Some write vendors with underscores. */
export async function loadStoredKeys(path: string, warnings: string[] = []): Promise<StoredKeys> {
  const file = await readJsonFile(path);
  if (!file) return {};
  const { mode } = await stat(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    warnings.push(`${path} holds keys and can be read by others. Run: chmod 600 ${path}`);
  const entries = Object.entries(file.value).flatMap(([vendor, entry]) => {
    const key = isJsonObject(entry) ? entry.key : entry;
    return typeof key === 'string' ? [[vendor.replaceAll('_', '-'), key] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Where a key may come from, the strongest first. */
export interface KeySources {
  readonly flag?: string | undefined;
  readonly profile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stored: StoredKeys;
  readonly settings: Readonly<Record<string, string>>;
}

/** The key for a vendor: flag, then environment, then `auth.json`, then settings, profile and `models.json`. */
export function findKey(vendor: Vendor, sources: KeySources): string | undefined {
  const fromEnvironment = vendor.keyVariables.map((name) => sources.env[name]).find((value) => value);
  const written = sources.profile ?? sources.settings[vendor.id] ?? vendor.apiKey;
  return sources.flag ?? fromEnvironment ?? sources.stored[vendor.id] ?? resolveWritten(written, sources.env);
}

/** A key in a file may be `$ENV:NAME`, the name of a variable, or the key itself. */
export function resolveWritten(
  written: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (written === undefined) return undefined;
  const name = written.startsWith('$ENV:') ? written.slice(5) : written;
  if (written.startsWith('$ENV:')) return env[name];
  return env[name] ?? written;
}

/** Every key that is in use, so that none of them is written down or handed on. */
export function knownSecrets(config: SecretSources, flag?: string): readonly string[] {
  const { host, storedKeys, catalogue, settings, profiles } = config;
  const written = [...catalogue.vendors, ...profiles].map(({ apiKey }) => resolveWritten(apiKey, host.env));
  const fromEnvironment = keyVariables(catalogue.vendors).map((name) => host.env[name]);
  const all = [
    flag,
    ...fromEnvironment,
    ...written,
    ...Object.values(storedKeys),
    ...Object.values(settings.apiKeys),
  ];
  return [...new Set(all.filter((key): key is string => key !== undefined && key !== ''))];
}

interface SecretSources {
  readonly host: { readonly env: KeySources['env'] };
  readonly storedKeys: StoredKeys;
  readonly catalogue: { readonly vendors: readonly Vendor[] };
  readonly settings: { readonly apiKeys: KeySources['settings'] };
  readonly profiles: readonly { readonly apiKey?: string }[];
}

/** The environment for children of the agent: without variables that hold a key, by their name or by their value. */
export function withoutSecrets(
  env: KeySources['env'],
  { vendors, secrets }: { vendors: readonly Vendor[]; secrets: readonly string[] },
): Record<string, string> {
  const names = new Set(keyVariables(vendors));
  const values = new Set(secrets.filter(({ length }) => length >= shortestSecret));
  const kept = Object.entries(env).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    return value !== undefined && !names.has(name) && !values.has(value);
  });
  return Object.fromEntries(kept);
}

/** A key as short as this is a placeholder, such as `x`, and may be the value of anything. */
const shortestSecret = 8;

function keyVariables(vendors: readonly Vendor[]): string[] {
  const ofVendors = vendors.flatMap((vendor) => vendor.keyVariables);
  return [...ofVendors, 'BRAVE_API_KEY', 'TAVILY_API_KEY', 'ANTHROPIC_AUTH_TOKEN'];
}

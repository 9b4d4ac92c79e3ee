import type { Vendor } from '@robota-sdk/agent-core';
import { readJsonFile } from './config/read-json.ts';

/** Keys the user stored in `auth.json`, by vendor. */
export type StoredKeys = Readonly<Record<string, string>>;

/** Reads `auth.json`: `{"vendor": {"type": "api_key", "key": "…"}}`. */
export async function loadStoredKeys(path: string): Promise<StoredKeys> {
  const file = await readJsonFile(path);
  const entries = Object.entries(file?.value ?? {}).flatMap(([vendor, entry]) => {
    if (typeof entry === 'string') return [[vendor, entry] as const];
    const key = typeof entry === 'object' && entry !== null && 'key' in entry ? entry.key : undefined;
    return typeof key === 'string' ? [[vendor, key] as const] : [];
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

/** Variables that hold secrets of ours: children of the agent never see them. */
export function withoutSecrets(
  env: Readonly<Record<string, string | undefined>>,
  vendors: readonly Vendor[],
): Record<string, string> {
  const secret = new Set(vendors.flatMap((vendor) => vendor.keyVariables));
  for (const name of ['BRAVE_API_KEY', 'TAVILY_API_KEY', 'ANTHROPIC_AUTH_TOKEN']) secret.add(name);
  const kept = Object.entries(env).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined && !secret.has(entry[0]);
  });
  return Object.fromEntries(kept);
}

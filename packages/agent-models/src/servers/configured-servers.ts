import type { Config } from '@robota-sdk/agent-config';
import { findKey, findToken, keyCommand } from '@robota-sdk/agent-config';
import {
  endpointOf,
  findVendor,
  isLoopback,
  loadCatalogue,
  type Model,
  type Problem,
  type Profile,
  problemOf,
  type Vendor,
} from '@robota-sdk/agent-core';
import { chooseModels, modelSources } from '../choose/choose-models.ts';
import { builtInRegistry } from '../connect/built-in-providers.ts';
import { keyOrigins } from './key-origins.ts';
import type { ServerAddress } from './list-models.ts';

/** The model a session would begin with, or why there is none. */
export type ModelInUse =
  | { readonly ok: true; readonly model: Model }
  | { readonly ok: false; readonly problem: Problem };

/** Finds the model that a session without further options would use. */
export function modelInUse(config: Config): ModelInUse {
  try {
    const sources = modelSources({ config }, { providers: builtInRegistry() });
    const [{ model }] = chooseModels({ config }, sources);
    return { ok: true, model };
  } catch (thrown) {
    return { ok: false, problem: problemOf(thrown) };
  }
}

/** A vendor that is configured, and how to reach it; `problem` where nothing may be sent there. */
export interface ConfiguredServer {
  readonly vendor: Vendor;
  readonly address: ServerAddress;
  /** The origin of its base URL, as text. */
  readonly origin: string;
  readonly problem?: string;
}

/** The vendors there are keys for, and that of the model in use. */
export function configuredServers(config: Config): readonly ConfiguredServer[] {
  const inUse = modelInUse(config);
  const used = inUse.ok ? findVendor(config.catalogue, inUse.model.vendor) : undefined;
  const withKey = keyOrigins(config).flatMap(({ vendor, origin }) => (origin === undefined ? [] : [vendor]));
  const vendors = [...new Set([...(used && used.api !== 'offline' ? [used] : []), ...withKey])];
  return vendors.map((vendor) => {
    const { profiles, activeProfile } = config;
    const isActive = ({ vendor: id, name }: Profile) => id === vendor.id && name === activeProfile;
    return serverOf(vendor, config, profiles.find(isActive));
  });
}

/** How a vendor is reached, by a profile where there is one. */
export function serverOf(vendor: Vendor, config: Config, profile: Profile | undefined): ConfiguredServer {
  const { settings, host, storedKeys } = config;
  const { baseUrl, api } = endpointOf(vendor, {
    baseUrl: profile?.baseUrl ?? settings.baseUrls[vendor.id],
    api: profile?.api,
    env: host.env,
  });
  const keys = { env: host.env, stored: storedKeys, settings: settings.apiKeys, profile: profile?.apiKey };
  const token = findToken(vendor, keys);
  const address =
    token === undefined
      ? {
          baseUrl,
          api,
          apiKey: findKey(vendor, keys),
          keyCommand: keyCommand(vendor, keys),
          headers: vendor.headers,
        }
      : { baseUrl, api, headers: { ...vendor.headers, authorization: `Bearer ${token}` } };
  const isOpen = URL.canParse(baseUrl) && isUnencrypted(new URL(baseUrl)) && !settings.allowInsecureHttp;
  const server = { vendor, address, origin: originOf(baseUrl, { vendor, config, profile }) };
  return isOpen
    ? { ...server, problem: `${new URL(baseUrl).host} would be sent the key unencrypted` }
    : server;
}

interface Reached {
  readonly vendor: Vendor;
  readonly config: Config;
  readonly profile: Profile | undefined;
}

/** Sources of a server's URL, in order of precedence. */
function originOf(baseUrl: string, { vendor, config, profile }: Reached): string {
  if (profile?.baseUrl !== undefined) return `it is set in the profile ${profile.name}`;
  if (config.settings.baseUrls[vendor.id] !== undefined) return 'robota config explain baseUrls';
  if (baseUrl !== vendor.baseUrl) return `it is set in ${vendor.baseUrlVariable}`;
  const usual = findVendor(loadCatalogue(), vendor.id)?.baseUrl;
  return baseUrl === usual ? `${baseUrl} is the usual one` : 'it is set in ~/.robota/models.json';
}

function isUnencrypted({ protocol, host }: URL): boolean {
  return protocol === 'http:' && !isLoopback(host);
}

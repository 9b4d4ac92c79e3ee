import { type Config, isKeyCommand } from '@robota-sdk/agent-config';
import {
  endpointOf,
  findVendor,
  isLoopback,
  loadCatalogue,
  type Model,
  type Profile,
  resolveModel,
  type Vendor,
} from '@robota-sdk/agent-core';
import { chosenName, type ModelSelection, resumedName } from '../choose/choose-models.ts';
import { serverOf } from '../servers/configured-servers.ts';
import type { ServerAddress } from '../servers/list-models.ts';

/** A server that the user runs or gave the address of, and a model on it. */
export interface OwnServer {
  readonly vendor: Vendor;
  readonly model: Model;
  readonly address: ServerAddress;
  /** The address is the usual one, not one that was given. */
  readonly isUsual: boolean;
}

/** The server of the model that a session begins with, if it is the user's own: only such servers are asked about models. */
export function chosenServer(request: ModelSelection): OwnServer | undefined {
  const { config, apiKey } = request;
  const { catalogue, profiles, host } = config;
  const name =
    (request.model === undefined ? resumedName(request, config) : undefined) ?? chosenName(request);
  const resolved =
    name === undefined ? undefined : resolveModel(name, { catalogue, profiles, env: host.env });
  if (!resolved?.ok) return undefined;
  const { vendor, profile, model } = resolved;
  const baseUrl = request.baseUrl ?? profile?.baseUrl ?? config.settings.baseUrls[vendor.id];
  const endpoint = endpointOf(vendor, { modelApi: model.api, api: profile?.api, baseUrl, env: host.env });
  if (!isOwn(vendor, endpoint)) return undefined;
  const { address } = serverOf(vendor, config, profile);
  const isUsual = endpoint.baseUrl === vendor.baseUrl;
  const known = { ...address, ...endpoint, ...(apiKey ? { apiKey, keyCommand: undefined } : {}) };
  return mayAsk(known, config) ? { vendor, model, isUsual, address: known } : undefined;
}

/** A command for a key may ask the user, so it waits for the first prompt; a key is never sent unencrypted. */
function mayAsk({ baseUrl, keyCommand, headers = {} }: ServerAddress, { settings }: Config): boolean {
  if (keyCommand !== undefined || Object.values(headers).some(isKeyCommand) || !URL.canParse(baseUrl))
    return false;
  const { protocol, host } = new URL(baseUrl);
  return protocol === 'https:' || isLoopback(host) || settings.allowInsecureHttp;
}

/** Servers that the user runs or gave the address of, each once. */
export function ownServers(config: Config): readonly Omit<OwnServer, 'model'>[] {
  const { catalogue, profiles } = config;
  const ways: readonly (readonly [Vendor, Profile | undefined])[] = [
    ...catalogue.vendors.map((vendor) => [vendor, undefined] as const),
    ...profiles.flatMap((profile) => {
      const resolved = resolveModel(profile.name, { catalogue, profiles, env: config.host.env });
      return resolved.ok && profile.baseUrl !== undefined ? [[resolved.vendor, profile] as const] : [];
    }),
  ];
  const found = new Map<string, Omit<OwnServer, 'model'>>();
  for (const [vendor, profile] of ways) {
    const { address } = serverOf(vendor, config, profile);
    if (!isOwn(vendor, address) || !mayAsk(address, config)) continue;
    found.set(`${vendor.id} ${address.baseUrl}`, {
      vendor,
      address,
      isUsual: address.baseUrl === vendor.baseUrl,
    });
  }
  return [...found.values()];
}

/** Vendors of the catalogue at their usual address are known; a model there is not asked about. */
function isOwn(vendor: Vendor, { baseUrl, api }: Pick<ServerAddress, 'baseUrl' | 'api'>): boolean {
  if (vendor.cloud || (api !== 'openai' && api !== 'ollama')) return false;
  if (URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).host)) return true;
  return !vendor.needsKey || baseUrl !== findVendor(loadCatalogue(), vendor.id)?.baseUrl;
}

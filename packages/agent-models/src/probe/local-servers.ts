import type { Config } from '@robota-sdk/agent-config';
import { endpointOf, type Vendor } from '@robota-sdk/agent-core';
import { listServerModels } from './list-models.ts';

/** A model server on this machine that answers. */
export interface LocalServer {
  readonly vendor: Vendor;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

/** A server on this machine answers at once, or there is none. */
const patienceMs = 600;

/** Finds the model servers that run on this machine, where they usually listen or where the environment says. */
export async function findLocalServers({
  catalogue,
  settings,
  host,
}: Config): Promise<readonly LocalServer[]> {
  const local = catalogue.vendors.filter(({ needsKey, api }) => !needsKey && api !== 'offline');
  const found = await Promise.all(
    local.map(async (vendor) => {
      const { baseUrl, api } = endpointOf(vendor, { baseUrl: settings.baseUrls[vendor.id], env: host.env });
      const listing = await listServerModels({ baseUrl, api }, patienceMs);
      return listing.ok ? [{ vendor, baseUrl, models: listing.models }] : [];
    }),
  );
  return found.flat();
}

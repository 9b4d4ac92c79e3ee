import type { Config } from '@robota-sdk/agent-config';
import { endpointOf, type Vendor } from '@robota-sdk/agent-core';
import { listServerModels } from './list-models.ts';

/** A model server on this machine that answers. */
export interface LocalServer {
  readonly vendor: Vendor;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

/** A server at a usual address answers at once, or there is none; one that the user named is waited for. */
const patienceMs = 600;
const namedPatienceMs = 5_000;

/** Finds the model servers that run on this machine, where they usually listen or where the environment says. */
export async function findLocalServers(
  { catalogue, settings, host }: Config,
  isWanted: (vendor: Vendor) => boolean = () => true,
): Promise<readonly LocalServer[]> {
  const local = catalogue.vendors.filter(
    (vendor) => !vendor.needsKey && vendor.api !== 'offline' && !vendor.cloud && isWanted(vendor),
  );
  const found = await Promise.all(
    local.map(async (vendor) => {
      const { baseUrl, api } = endpointOf(vendor, { baseUrl: settings.baseUrls[vendor.id], env: host.env });
      const isUsual = baseUrl === vendor.baseUrl;
      const places = isUsual ? [...(vendor.otherBaseUrls ?? []), baseUrl] : [baseUrl];
      const patience = isUsual ? patienceMs : namedPatienceMs;
      const listings = await Promise.all(
        places.map(async (place) => ({
          place,
          listing: await listServerModels({ baseUrl: place, api }, patience),
        })),
      );
      const answering = listings.flatMap(({ place, listing }) =>
        listing.ok ? [{ vendor, baseUrl: place, models: listing.models }] : [],
      );
      return answering.slice(0, 1);
    }),
  );
  return found.flat();
}

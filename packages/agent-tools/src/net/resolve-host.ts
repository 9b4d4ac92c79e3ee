import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { AgentError } from '@robota-sdk/agent-core';

/** The addresses of a host name; an address is its own. */
export async function resolveHost(host: string): Promise<readonly LookupAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const { lookup } = await import('node:dns/promises');
  try {
    return await lookup(host, { all: true });
  } catch (thrown) {
    throw new AgentError('tool', `Unknown host ${host}. Check the spelling and the network.`, {
      cause: thrown,
    });
  }
}

/**
 * The addresses of a host that a proxy will resolve, as far as this machine knows them: behind a proxy, it often cannot
 * resolve public names, which are left to the proxy and its rules. Undefined for an internal name without an address,
 * whose target is unknown.
 */
export async function knownAddresses(host: string): Promise<readonly LookupAddress[] | undefined> {
  try {
    return await resolveHost(host);
  } catch {
    return internalName.test(host) ? undefined : [];
  }
}

const internalName =
  /^[^.]*$|\.(?:local|localhost|localdomain|internal|intranet|private|corp|home|lan|arpa)\.?$/i;

import type { Config } from '@robota-sdk/agent-config';
import { unsetVariable, writtenKey } from '@robota-sdk/agent-config';
import type { Vendor } from '@robota-sdk/agent-core';

/** A vendor, and where the key for it comes from, if there is one. */
export interface KeyOrigin {
  readonly vendor: Vendor;
  /** Such as `ANTHROPIC_API_KEY` or the path of a file. */
  readonly origin?: string;
  /** Sources of a key that a stronger one hides. */
  readonly hidden: readonly string[];
}

/** The origins of the keys of all vendors, without the keys. */
export function keyOrigins(config: Config): readonly KeyOrigin[] {
  const { catalogue, host, storedKeys, keyFiles = {}, settings } = config;
  return catalogue.vendors
    .filter(({ needsKey }) => needsKey)
    .map((vendor) => {
      const variables = vendor.keyVariables.filter((name) => host.env[name]);
      const stored = storedKeys[vendor.id] === undefined ? [] : [keyFiles[vendor.id] ?? 'auth.json'];
      const written = writtenKey(vendor, { env: host.env, stored: {}, settings: settings.apiKeys });
      const isThere = written !== undefined && unsetVariable(written.text, host.env) === undefined;
      const [origin, ...hidden] = [...variables, ...stored, ...(isThere ? [written.place] : [])];
      return { vendor, hidden, ...(origin === undefined ? {} : { origin }) };
    });
}

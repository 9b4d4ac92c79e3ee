import { AgentError, isReservedName } from '@robota-sdk/agent-core';

const pattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

/** Whether a text can be the name of a plugin, a marketplace or a version: plain ASCII that is one safe part of a path. */
export function isPluginName(name: unknown): name is string {
  return typeof name === 'string' && pattern.test(name) && !name.includes('..') && !isReservedName(name);
}

/** Fails with words for people where a name can't be one. */
export function requireName(name: string, what: string): string {
  if (isPluginName(name)) return name;
  const rule =
    'letters, digits, ".", "_" and "-", ASCII only, at most 64, beginning and ending with a letter or digit';
  throw new AgentError('config', `${JSON.stringify(name)} can not be the name of a ${what}: ${rule}.`);
}

/** A plugin and where it comes from, as people write it. */
export interface PluginReference {
  readonly name: string;
  readonly marketplace?: string;
}

/** The marketplace of plugins that were installed without one. */
export const noMarketplace = 'direct';

/** Reads `name` or `name@marketplace`. */
export function parseReference(text: string): PluginReference {
  const [name = '', marketplace, ...rest] = text.split('@');
  if (rest.length > 0)
    throw new AgentError('usage', `"${text}" names no plugin; write NAME or NAME@MARKETPLACE.`);
  requireName(name, 'plugin');
  return marketplace === undefined
    ? { name }
    : { name, marketplace: requireName(marketplace, 'marketplace') };
}

/** The key of a plugin in registries and settings. */
export function referenceText({ name, marketplace = noMarketplace }: PluginReference): string {
  return `${name}@${marketplace}`;
}

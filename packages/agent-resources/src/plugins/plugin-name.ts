import { AgentError, isReservedName } from '@robota-sdk/agent-core';

const pattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

/**
 * True if a text can be the name of a plugin, a marketplace or a version: plain ASCII that is one safe part
 * of a path.
 */
export function isPluginName(name: unknown): name is string {
  return typeof name === 'string' && pattern.test(name) && !name.includes('..') && !isReservedName(name);
}

/** Throws if a name is invalid, with the reason. */
export function requireName(name: string, what: string): string {
  if (isPluginName(name)) return name;
  throw new AgentError(
    'config',
    `${JSON.stringify(name)} cannot be the name of a ${what}: ${nameRule(name)}.`,
  );
}

/** Why a text cannot be a name. */
export function nameRule(name: unknown): string {
  if (typeof name === 'string' && isReservedName(name)) return 'Windows reserves this name for a device';
  return 'it must be ASCII letters, digits, ".", "_" and "-", at most 64, beginning and ending with a letter or digit';
}

/** A plugin and its marketplace: `name@marketplace`. */
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

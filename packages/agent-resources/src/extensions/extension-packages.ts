import type { SettingsLayer } from '@robota-sdk/agent-config';
import type { NamedPackage } from '../source/named-package.ts';

/** The packages named in our settings files; other programs use the same key differently. */
export function packagesIn(layers: readonly SettingsLayer[]): NamedPackage[] {
  const named = layers.flatMap(({ dialect, fromProject, value }) => {
    if (dialect !== 'robota' || !Array.isArray(value.extensions)) return [];
    const names = value.extensions.filter((name): name is string => typeof name === 'string');
    return names.map((name) => ({ name, fromProject }));
  });
  // A package the user names is the one the user installed.
  const users = new Set(named.flatMap(({ name, fromProject }) => (fromProject ? [] : [name])));
  const kept = named.filter(({ name, fromProject }) => !fromProject || !users.has(name));
  return [...new Map(kept.map((each) => [each.name, each])).values()];
}

import type { SettingsLayer } from '@robota-sdk/agent-config';
import { isJsonObject } from '@robota-sdk/agent-core';
import { readInstalled } from './installed-plugins.ts';
import { isPluginName } from './plugin-name.ts';
import { type PluginPlace, pluginPaths } from './plugin-paths.ts';

/** One line for each settings file that switches on plugins which are not installed here. Nothing of them is used. */
export async function mentionedPlugins(
  layers: readonly SettingsLayer[],
  place: PluginPlace,
): Promise<readonly string[]> {
  const mentions = layers
    .map((layer) => ({ ...layer, ids: enabledIn(layer) }))
    .filter(({ ids }) => ids.length > 0);
  if (mentions.length === 0) return [];
  const scopes = ['user', 'project'] as const;
  const read = scopes.map((scope) => readInstalled(pluginPaths(scope, place)).catch(() => []));
  const known = new Set((await Promise.all(read)).flat().map(({ id }) => id));
  return mentions.flatMap(({ ids, source, fromProject, dialect }) => {
    const missing = ids.filter((id) => !known.has(id));
    for (const id of missing) known.add(id);
    const [first] = missing;
    if (first === undefined) return [];
    const user = dialect === 'claude' ? 'Claude Code uses' : `${source} names`;
    const plugins = missing.length === 1 ? 'the plugin' : 'the plugins';
    const are = missing.length === 1 ? 'which is' : 'which are';
    return [
      `${fromProject ? 'This project uses' : user} ${plugins} ${missing.join(', ')}, ${are} not installed here: robota plugin install ${first}`,
    ];
  });
}

/** The valid plugin names that a file enables. */
function enabledIn({ value }: SettingsLayer): readonly string[] {
  if (!isJsonObject(value.enabledPlugins)) return [];
  return Object.entries(value.enabledPlugins).flatMap(([id, isOn]) => {
    const parts = id.split('@');
    return isOn === true && parts.length === 2 && parts.every(isPluginName) ? [id] : [];
  });
}

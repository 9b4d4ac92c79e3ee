import type { SettingsLayer } from '@robota-sdk/agent-config';
import { isJsonObject, type Problem, sentence, warning } from '@robota-sdk/agent-core';
import { readInstalled } from './installed-plugins.ts';
import { isPluginName } from './plugin-name.ts';
import { type PluginEnvironment, pluginPaths } from './plugin-paths.ts';

/** A problem for each settings file that enables plugins which are not installed here. */
export async function mentionedPlugins(
  layers: readonly SettingsLayer[],
  place: PluginEnvironment,
): Promise<readonly Problem[]> {
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
    const user = fromProject ? 'This project' : dialect === 'claude' ? 'Claude Code' : 'Your settings file';
    const plugins = missing.length === 1 ? 'a plugin that is' : 'plugins that are';
    return [
      warning(
        'plugin.not-installed',
        sentence`${{ user }} uses ${{ plugins }} not installed here: ${{ missing: missing.join(', ') }}.`,
        {
          subject: first,
          source: { file: source },
          hint: {
            text: missing.length === 1 ? 'Install it with' : 'Install the first with',
            run: ['plugin', 'install', first],
          },
        },
      ),
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

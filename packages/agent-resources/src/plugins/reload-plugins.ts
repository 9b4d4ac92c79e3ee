import type { Problem } from '@robota-sdk/agent-core';
import type { LoadedConfig } from '../source/loaded-config.ts';
import { loadPlugins } from './load-plugins.ts';
import type { PluginEnvironment } from './plugin-paths.ts';

/** Settings with the currently installed plugins; everything else stays, including the trust decision. */
export async function reloadPlugins(config: LoadedConfig, place: PluginEnvironment): Promise<LoadedConfig> {
  const { trust, hooks = [], plugins: before = [] } = config;
  if (!trust) return config;
  const problems: Problem[] = [];
  const found = await loadPlugins({ ...place, problems });
  const plugins = found.settle(trust);
  const gone = new Set(before.flatMap((plugin) => plugin.hooks));
  return {
    ...config,
    plugins,
    hooks: [...plugins.flatMap((plugin) => plugin.hooks), ...hooks.filter((group) => !gone.has(group))],
    problems: [...config.problems, ...problems],
  };
}

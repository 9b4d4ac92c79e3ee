import { join } from 'node:path';
import { type HostEnvironment, robotaHome } from '@robota-sdk/agent-config';
import type { PluginScope } from '../source/plugin-scope.ts';

/** The folders that hold plugins. */
export interface PluginPaths {
  readonly root: string;
  readonly installed: string;
  readonly marketplacesFile: string;
  readonly marketplaces: string;
  readonly cache: string;
}

/** A directory and its user. */
export interface PluginEnvironment {
  readonly cwd: string;
  readonly host: HostEnvironment;
}

/** The files of a scope; marketplaces are always the user's. */
export function pluginPaths(scope: PluginScope, { cwd, host }: PluginEnvironment): PluginPaths {
  const own = scope === 'user' ? robotaHome(host) : join(cwd, '.robota');
  const root = join(own, 'plugins');
  const ofUser = join(robotaHome(host), 'plugins');
  return {
    root,
    installed: join(root, 'installed_plugins.json'),
    marketplacesFile: join(ofUser, 'known_marketplaces.json'),
    marketplaces: join(ofUser, 'marketplaces'),
    cache: join(root, 'cache'),
  };
}

/** The data folder of a plugin. It is outside the plugin, so that an update keeps it. */
export function pluginData(id: string, host: HostEnvironment): string {
  return join(robotaHome(host), 'plugins', 'data', id.replace(/[^\w.-]/g, '-'));
}

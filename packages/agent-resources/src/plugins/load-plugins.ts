import type { TrustDraft, TrustGate } from '@robota-sdk/agent-config';
import { readsFilesOf } from '@robota-sdk/agent-config';
import type { Problem } from '@robota-sdk/agent-core';
import { isMissing } from '@robota-sdk/agent-core';
import type { LoadedPlugin } from '../source/loaded-plugin.ts';
import type { PluginScope } from '../source/plugin-scope.ts';
import { type PluginEnvironment, pluginPaths } from './plugin-paths.ts';

/** Plugins found, before the trust decision about the project's. */
export interface FoundPlugins {
  /** The plugins that the repository supplies. */
  readonly drafts: readonly TrustDraft[];
  /** The plugins in force. */
  settle(gate: TrustGate): readonly LoadedPlugin[];
}

export interface LoadPluginsOptions extends PluginEnvironment {
  /** Folders of plugins that the user names for one session; each must be one. */
  readonly directories?: readonly string[] | undefined;
  readonly problems: Problem[];
}

/** Reads the installed plugins of a project and its user. A broken one is reported and skipped. */
export async function loadPlugins(options: LoadPluginsOptions): Promise<FoundPlugins> {
  const files = new Map<string, PluginScope>();
  for (const scope of ['project', 'user'] as const) {
    const { installed } = pluginPaths(scope, options);
    // In the home directory, the project's plugins are the user's own.
    if (readsFilesOf(options.host, scope) && !isMissing(installed)) files.set(installed, scope);
  }
  if (files.size === 0 && (options.directories ?? []).length === 0) return { drafts: [], settle: () => [] };
  const { readPlugins } = await import('./read-plugins.ts');
  return readPlugins([...files.values()], options);
}

import type { JsonObject } from '@robota-sdk/agent-core';
import { isMissing } from '../config/is-missing.ts';
import type { SettingsLayer } from '../config/settings.ts';
import { readsFilesOf } from '../dialects.ts';
import type { HookGroup } from '../hooks/hook-config.ts';
import type { PluginFolders } from '../resources/resource-folders.ts';
import type { TrustGate } from '../trust/trust-gate.ts';
import type { TrustDraft } from '../trust/trust-item.ts';
import { type PluginPlace, type PluginScope, pluginPaths } from './plugin-paths.ts';

/** What an installed plugin contributes to a session. */
export interface LoadedPlugin extends PluginFolders {
  /** `name@marketplace`. */
  readonly id: string;
  readonly version: string;
  readonly scope: PluginScope;
  /** With the plugin's folder in their environment and in the place of its name. */
  readonly hooks: readonly HookGroup[];
  /** Configurations of MCP servers by their names, for whoever connects to them. */
  readonly mcpServers: Readonly<Record<string, JsonObject>>;
  /** Its permission rules, as a file of settings. */
  readonly rules: SettingsLayer;
  readonly systemPrompt?: string;
}

/** Plugins that were found, before it was decided about those of the project. */
export interface FoundPlugins {
  /** What the repository supplies of them. */
  readonly drafts: readonly TrustDraft[];
  /** The plugins in force. */
  settle(gate: TrustGate): readonly LoadedPlugin[];
}

export interface LoadPluginsOptions extends PluginPlace {
  /** Folders of plugins that the user names for one session; each must be one. */
  readonly directories?: readonly string[] | undefined;
  readonly warnings: string[];
}

/** Reads the installed plugins of a project and its user. A broken one is named and costs itself alone. */
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

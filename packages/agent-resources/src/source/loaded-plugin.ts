import type { HookGroup, PluginFolders, SettingsLayer } from '@robota-sdk/agent-config';
import type { JsonObject } from '@robota-sdk/agent-core';
import type { PluginScope } from './plugin-scope.ts';
/** The contributions of an installed plugin to a session. */
export interface LoadedPlugin extends PluginFolders {
  /** `name@marketplace`. */
  readonly id: string;
  readonly version: string;
  readonly scope: PluginScope;
  /** With the plugin's folder in their environment and instead of its name. */
  readonly hooks: readonly HookGroup[];
  /** Configurations of MCP servers by name. */
  readonly mcpServers: Readonly<Record<string, JsonObject>>;
  /** Its permission rules, as a file of settings. */
  readonly rules: SettingsLayer;
  readonly systemPrompt?: string;
}

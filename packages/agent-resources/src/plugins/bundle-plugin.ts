import type { HookGroup, PluginFolders } from '@robota-sdk/agent-config';
import type { JsonObject, RuleLists } from '@robota-sdk/agent-core';
import type { PluginProblem } from './plugin-problem.ts';

/** The manifest of a plugin. */
export interface IBundleManifest {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly author?: string;
  readonly homepage?: string;
  readonly license?: string;
  readonly keywords: readonly string[];
}

/** A plugin as read from its folder; nothing of it has run. */
export interface IBundlePlugin extends PluginFolders {
  readonly manifest: IBundleManifest;
  readonly root: string;
  /** The file that describes it; it may not exist. */
  readonly manifestFile: string;
  readonly manifestText: string;
  /** Hooks as they are written. */
  readonly hooks: readonly HookGroup[];
  /** Configurations of MCP servers by their names, as they are written. */
  readonly mcpServers: Readonly<Record<string, JsonObject>>;
  readonly permissions: RuleLists;
  readonly systemPrompt?: string;
  /** Skipped components, with the reason. */
  readonly problems: readonly PluginProblem[];
}

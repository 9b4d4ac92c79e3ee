import type { Config } from '@robota-sdk/agent-config';
import type { LoadedPlugin } from './loaded-plugin.ts';
import type { NamedPackage } from './named-package.ts';
import type { McpServer } from './server-definition.ts';

/** The configuration of a directory together with the plugins, MCP servers and packages that it enables. */
export interface LoadedConfig extends Config {
  /** Packages with extensions that settings files name. */
  readonly extensionPackages?: readonly NamedPackage[];
  /** The installed plugins that are enabled and approved. */
  readonly plugins?: readonly LoadedPlugin[];
  /** The MCP servers that may be used. */
  readonly mcpServers?: readonly McpServer[];
}

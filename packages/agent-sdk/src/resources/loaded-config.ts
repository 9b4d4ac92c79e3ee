import type { Config } from '../config/config.ts';
import type { NamedPackage } from '../extensions/named-package.ts';
import type { McpServer } from '../mcp/server-definition.ts';
import type { LoadedPlugin } from '../plugins/loaded-plugin.ts';

/** The configuration of a directory together with the plugins, MCP servers and packages that it enables. */
export interface LoadedConfig extends Config {
  /** Packages with extensions that settings files name. */
  readonly extensionPackages?: readonly NamedPackage[];
  /** The installed plugins that are enabled and approved. */
  readonly plugins?: readonly LoadedPlugin[];
  /** The MCP servers that may be used. */
  readonly mcpServers?: readonly McpServer[];
}

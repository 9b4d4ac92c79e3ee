import type { SettingsLayer, TrustDraft, TrustGate } from '@robota-sdk/agent-config';
import type { JsonObject, Problem } from '@robota-sdk/agent-core';
import type { LoadedPlugin } from '../source/loaded-plugin.ts';
import type { McpServer } from '../source/server-definition.ts';
import type { DefinitionContext } from './resolve-server.ts';
import { serverFiles } from './server-files.ts';

/** Servers from a command line or a program. */
export interface ExtraServers {
  /** By their names, as a file has them. */
  readonly servers: Readonly<Record<string, JsonObject>>;
  /** A label of their origin. */
  readonly source: string;
}

export interface LoadServersOptions extends DefinitionContext {
  readonly given?: readonly ExtraServers[] | undefined;
  /** Uses only these servers. */
  readonly strict?: boolean | undefined;
  readonly problems: Problem[];
}

/** The gates that decide which servers are used. */
export interface ServerJudges {
  readonly gate: TrustGate;
  readonly plugins: readonly LoadedPlugin[];
  /** The settings files in force, which may disable servers. */
  readonly layers: readonly SettingsLayer[];
}

/** Servers found, before the trust decision about the project's. */
export interface FoundServers {
  /** The servers that the repository supplies. */
  readonly drafts: readonly TrustDraft[];
  /** The servers that may be used; those that are switched off say so. */
  settle(judges: ServerJudges): readonly McpServer[] | Promise<readonly McpServer[]>;
}

/** Finds the MCP servers of a project and its user; loads nothing if there are none. */
export async function loadServers(options: LoadServersOptions): Promise<FoundServers> {
  const files = options.strict ? [] : serverFiles(options);
  const { given = [] } = options;
  if (files.length > 0 || given.length > 0) {
    const { findServers } = await import('./find-servers.ts');
    return findServers(files, options);
  }
  return {
    drafts: [],
    settle: async (judges) => {
      const isNeeded = !options.strict && judges.plugins.some(hasServers);
      if (!isNeeded) return [];
      const { findServers } = await import('./find-servers.ts');
      return (await findServers([], options)).settle(judges);
    },
  };
}

function hasServers({ mcpServers }: LoadedPlugin): boolean {
  return Object.keys(mcpServers).length > 0;
}

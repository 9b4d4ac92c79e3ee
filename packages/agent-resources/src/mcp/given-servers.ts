import { jsonCopy, type Problem } from '@robota-sdk/agent-core';
import type { ExtraServers } from '../mcp-definitions/load-servers.ts';
import type { DefinitionContext } from '../mcp-definitions/resolve-server.ts';
import type { LoadedConfig } from '../source/loaded-config.ts';
import type { McpServerOptions } from '../source/server-definition.ts';

/** Servers of a program, in the format of files. */
export function givenServers(
  servers: Readonly<Record<string, McpServerOptions>> | undefined,
): readonly ExtraServers[] {
  if (!servers || Object.keys(servers).length === 0) return [];
  return [
    {
      servers: Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, jsonCopy(server)])),
      source: 'given for this session',
    },
  ];
}

/** Settings that were read before, with servers that were not. */
export async function withGivenServers(
  config: LoadedConfig,
  { given, ...place }: DefinitionContext & { readonly given: readonly ExtraServers[] },
): Promise<LoadedConfig> {
  const { findServers } = await import('../mcp-definitions/find-servers.ts');
  const problems: Problem[] = [];
  const found = await findServers([], {
    ...place,
    given,
    problems,
    allowInsecureHttp: config.settings.allowInsecureHttp,
  });
  const gate = { allows: () => false, isUnchanged: async () => false, agree: () => {}, withheld: [] };
  const added = await found.settle({ gate, plugins: [], layers: [] });
  const names = new Set(added.map(({ name }) => name));
  const before = (config.mcpServers ?? []).filter(({ name }) => !names.has(name));
  return { ...config, mcpServers: [...added, ...before], problems: [...config.problems, ...problems] };
}

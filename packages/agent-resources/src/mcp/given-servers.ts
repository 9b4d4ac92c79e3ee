import { jsonCopy } from '@robota-sdk/agent-core';
import type { ExtraServers } from '../mcp-definitions/load-servers.ts';
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

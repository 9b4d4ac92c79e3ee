import { join } from 'node:path';
import { errorMessage, isJsonObject } from '@robota-sdk/agent-core';
import { oneLine } from '../trust/one-line.ts';
import { readManifestFile } from './read-manifest-file.ts';

/** Says that the MCP servers of a project are not used yet, so that nobody waits for them. */
export async function unusedServers(cwd: string): Promise<string> {
  const file = join(cwd, '.mcp.json');
  try {
    const servers = (await readManifestFile(file))?.value.mcpServers;
    const names = isJsonObject(servers) ? Object.keys(servers).map(oneLine) : [];
    return `${file} is not used yet (no MCP client)${names.length === 0 ? '' : `: ${names.join(', ')}`}.`;
  } catch (thrown) {
    return `${errorMessage(thrown)} MCP servers are not used yet (no MCP client).`;
  }
}

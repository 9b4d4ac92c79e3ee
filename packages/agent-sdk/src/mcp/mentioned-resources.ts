import { namesTool, type UserContent } from '@robota-sdk/agent-core';
import type { ResourceHost } from '@robota-sdk/agent-resources';

/** A resource of an MCP server that a text names as `@server:uri`. */
export interface MentionedResource {
  readonly server: string;
  readonly uri: string;
}

/** The resource of a mention, if it starts with one of the session's servers. */
export function resourceIn(session: ResourceHost, name: string): MentionedResource | undefined {
  const found = session.mcp.configured.find((server) => name.startsWith(`${server.name}:`));
  return found && { server: found.name, uri: name.slice(found.name.length + 1) };
}

/** Reads a mentioned resource. It needs no question, but deny rules apply. */
export async function readMentioned(
  session: ResourceHost,
  { server, uri }: MentionedResource,
  signal: AbortSignal,
): Promise<readonly UserContent[]> {
  const servers = session.mcp.servers;
  if (!servers || uri === '') throw new Error('the server is missing, or no resource is named.');
  const tool = `mcp__${server.replaceAll(/[^A-Za-z0-9_-]/g, '_')}__read_resource`;
  const rule = session.permissions.rules.deny.find(
    (each) => each.specifier === undefined && namesTool(each, tool),
  );
  if (rule) throw new Error(`the rule ${rule.text} denies it.`);
  const content = await servers.readResource(server, uri, { signal });
  return [{ type: 'text', text: `@${server}:${uri}\n` }, ...content];
}

/** Resources that match the typed text, and servers that have some. */
export async function completeResources(
  session: ResourceHost,
  typed: string,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<readonly { readonly value: string; readonly description?: string }[]> {
  const servers = session.mcp.servers;
  if (!servers) return [];
  const named = resourceIn(session, typed);
  if (!named)
    return servers
      .states()
      .filter(({ name, hasResources }) => hasResources && typed !== '' && name.startsWith(typed))
      .map(({ name }) => ({ value: `@${name}:`, description: 'Resources of an MCP server' }));
  if (servers.state(named.server)?.status !== 'ready') return [];
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const list = await servers.listResources(named.server, { signal: inTime }).catch(() => []);
  return list
    .filter(
      ({ uri, name, isTemplate }) => !isTemplate && (uri.startsWith(named.uri) || name.startsWith(named.uri)),
    )
    .slice(0, 50)
    .map(({ uri, name, description }) => ({
      value: `@${named.server}:${uri}`,
      description: description ?? name,
    }));
}

import type { TrustItem } from '@robota-sdk/agent-config';
import { escapedLine } from '@robota-sdk/agent-config';
import { AgentError, didYouMean, type Problem, textRedactor } from '@robota-sdk/agent-core';
import type { LoadedConfig, McpServer } from '@robota-sdk/agent-resources';
import { loadConfig } from '@robota-sdk/agent-resources';
import type { McpRequestServices } from '../request/mcp-request.ts';

/** The servers in files, those that are not trusted yet, and the problems of others. */
export interface KnownServers {
  readonly config: LoadedConfig;
  readonly servers: readonly McpServer[];
  readonly untrusted: readonly TrustItem[];
  readonly problems: readonly Problem[];
}

/** Reads them again, or takes them from the given session. */
export async function knownServers({
  cwd,
  host,
  session,
  trustProject,
}: McpRequestServices): Promise<KnownServers> {
  const config =
    session?.config ?? (await loadConfig(cwd, { host, ...(trustProject ? { trustProject } : {}) }));
  return {
    config,
    servers: config.mcpServers ?? [],
    untrusted: (config.trust?.withheld ?? []).filter(({ kind }) => kind === 'mcp-server'),
    problems: config.problems.filter(({ code }) => code.startsWith('mcp.')),
  };
}

/** The server of a name; an error that says which there are. */
export function namedServer(name: string, { servers, untrusted, problems }: KnownServers): McpServer {
  const found = servers.find((server) => server.name === name);
  if (found) return found;
  const problem = problems.find(({ subject }) => subject === name);
  if (problem !== undefined) throw new AgentError('config', problem.message, problem);
  const waiting = untrusted.find((item) => item.name === name);
  if (waiting)
    throw new AgentError(
      'config',
      `The MCP server ${escapedLine(name)} comes with this project, and you have not approved it. It is ${mainLineOf(waiting)}.`,
      { subject: name, source: { file: waiting.source }, hint: { text: approveText, run: [] } },
    );
  const names = servers.map((server) => server.name);
  const all =
    names.length === 0
      ? { text: 'None is configured. Add one with', run: ['mcp', 'add', 'NAME', '…'] }
      : `Available: ${names.join(', ')}.`;
  const hint = didYouMean(name, names) ?? all;
  throw new AgentError('config', `Unknown MCP server "${name}".`, { subject: name, hint });
}

const approveText = 'Add --trust-project, or start a session here and answer its question';

/** A server that waits for trust, with the command or URL. */
export function describeUntrusted(item: TrustItem): string {
  const why = item.before
    ? 'changed since you approved it; not used until you approve it again'
    : 'not used until you approve it';
  return `${escapedLine(item.name)}: ${why}; start robota here and answer its question\n    ${mainLineOf(item)}\n    project, ${item.source}`;
}

function mainLineOf({ content }: TrustItem): string {
  return textRedactor()(escapedLine(content.split('\n')[0] ?? ''));
}

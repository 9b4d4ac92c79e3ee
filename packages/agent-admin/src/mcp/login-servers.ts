import type { Settings } from '@robota-sdk/agent-config';
import { OAuthStore } from '@robota-sdk/agent-config';
import { AgentError, isLoopback } from '@robota-sdk/agent-core';
import type { McpServer } from '@robota-sdk/agent-resources';
import {
  type McpAnswer,
  type McpRequest,
  type McpRequestServices,
  onlyName,
} from '../request/mcp-request.ts';
import { knownServers, namedServer } from './known-servers.ts';

/** `mcp login NAME`: in a browser. */
export async function loginServer(request: McpRequest, desk: McpRequestServices): Promise<McpAnswer> {
  const known = await knownServers(desk);
  const server = namedServer(onlyName(request, 'login'), known);
  assertEncrypted(server, known.config.settings);
  const { loginToServer } = await import('@robota-sdk/agent-resources');
  await loginToServer(server, { ...desk, noBrowser: request.has('no-browser') });
  const { name } = server;
  // A session that was refused tries again.
  await desk.session?.servers?.restart(name);
  return {
    isOk: true,
    text: `Logged in to ${name}. The tokens are stored where only you can read them.`,
    data: { name },
  };
}

/** A token that anybody on the way can read is no login. */
function assertEncrypted({ name, config: { transport } }: McpServer, { allowInsecureHttp }: Settings): void {
  if (!('url' in transport) || allowInsecureHttp) return;
  const { protocol, host } = new URL(transport.url);
  if (protocol === 'https:' || isLoopback(host)) return;
  throw new AgentError(
    'config',
    `The tokens of ${name} would go to ${host} unencrypted. Use https, or allow it: robota config set allowInsecureHttp true.`,
  );
}

/** `mcp logout NAME`: forgets the tokens. */
export async function logoutServer(request: McpRequest, desk: McpRequestServices): Promise<McpAnswer> {
  const { name, config } = namedServer(onlyName(request, 'logout'), await knownServers(desk));
  const { transport } = config;
  if (!('url' in transport))
    throw new AgentError('usage', `${name} is a program on this machine, which has no login.`);
  const isGone = await new OAuthStore(transport.url, desk.host).remove();
  if (isGone) await desk.session?.servers?.restart(name);
  const text = isGone ? `The tokens for ${name} were deleted.` : `There was no login to ${name}.`;
  return { isOk: true, text, data: { name, removed: isGone } };
}

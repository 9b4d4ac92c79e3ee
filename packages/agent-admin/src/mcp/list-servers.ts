import { escapedLine, OAuthStore } from '@robota-sdk/agent-config';
import {
  createRedactor,
  describeProblems,
  isJsonObject,
  problemData,
  secretHider,
} from '@robota-sdk/agent-core';
import { hasOwnToken, type McpServer, originText } from '@robota-sdk/agent-resources';
import {
  type McpAnswer,
  type McpRequest,
  type McpRequestServices,
  onlyName,
} from '../request/mcp-request.ts';
import { describeUntrusted, knownServers, namedServer } from './known-servers.ts';

/** `mcp list`: every server, where it is defined, and whether it is used. Starts none of them. */
export async function listServers(_request: McpRequest, desk: McpRequestServices): Promise<McpAnswer> {
  const { servers, untrusted, problems } = await knownServers(desk);
  const lines = servers.map((server) => {
    const state = server.disabledBy === undefined ? '' : `  disabled (${server.disabledBy})`;
    return `${server.name}: ${serverAddress(server)}${state}\n    ${server.origin.scope}, ${originText(server.origin)}`;
  });
  const waiting = untrusted.map(describeUntrusted);
  const all = [...lines, ...waiting, ...describeProblems(problems)];
  return {
    isOk: true,
    text: all.join('\n') || 'No MCP servers are configured. {robota}mcp add NAME COMMAND adds one.',
    data: {
      servers: servers.map(dataOf),
      untrusted: untrusted.map(({ name, source }) => ({ name, source })),
      problems: problems.map(problemData),
    },
  };
}

/** `mcp get NAME`: all there is to know of one, but for its secrets. */
export async function getServer(request: McpRequest, desk: McpRequestServices): Promise<McpAnswer> {
  const server = namedServer(onlyName(request, 'get'), await knownServers(desk));
  const { written, config, disabledBy } = server;
  const names = (key: 'env' | 'headers') => {
    const value = written[key];
    return isJsonObject(value) && Object.keys(value).length > 0
      ? [`  ${key}: ${Object.keys(value).join(', ')}`]
      : [];
  };
  const login = await loginState(server, desk);
  const text = [
    `${server.name}`,
    `  ${serverAddress(server)}`,
    `  defined in ${originText(server.origin)} (${server.origin.scope})`,
    ...(disabledBy === undefined ? [] : [`  disabled by ${disabledBy}`]),
    ...names('env'),
    ...names('headers'),
    ...(config.transport.kind === 'stdio' ? [`  starts in ${config.transport.cwd ?? desk.cwd}`] : []),
    ...(login === undefined ? [] : [`  ${login}`]),
    `  its tools are called ${prefixOf(server.name)}…, and rules for all of them are written ${prefixOf(server.name).slice(0, -2)}`,
  ];
  return { isOk: true, text: text.join('\n'), data: dataOf(server) };
}

/** The command or URL of a server as written: without values of variables and secrets. */
export function serverAddress({
  written,
  config,
  secrets = [],
}: Pick<McpServer, 'written' | 'config' | 'secrets'>): string {
  const hide = secretHider(secrets);
  const { command, args, url, httpUrl, serverUrl } = written;
  if (command === undefined)
    return escapedLine(hide(`${String(url ?? httpUrl ?? serverUrl)} (${config.transport.kind})`));
  const words = [command, ...(Array.isArray(args) ? args : [])].map((word) => String(word));
  const line = words.map((word) => (/\s/.test(word) ? JSON.stringify(word) : word)).join(' ');
  return escapedLine(hide(`${line} (stdio)`));
}

function prefixOf(name: string): string {
  return `mcp__${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}__`;
}

async function loginState(
  { config: { transport } }: McpServer,
  { host }: McpRequestServices,
): Promise<string | undefined> {
  if (!('url' in transport) || hasOwnToken(transport.headers)) return undefined;
  const { tokens } = await new OAuthStore(transport.url, host).read();
  return tokens ? 'logged in' : 'not logged in (not every server needs it)';
}

function dataOf({ name, origin, written, config, disabledBy, secrets = [] }: McpServer) {
  const { env, headers, oauth, bearerToken, ...shown } = written;
  return {
    name,
    scope: origin.scope,
    source: originText(origin),
    transport: config.transport.kind,
    definition: createRedactor(secrets)(shown),
    enabled: disabledBy === undefined,
    ...(disabledBy === undefined ? {} : { disabledBy }),
  };
}

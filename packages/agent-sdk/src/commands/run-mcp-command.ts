import type { McpAnswer, McpDesk } from '@robota-sdk/agent-admin';
import { describeStates, knownServers, namedServer, runMcpRequest } from '@robota-sdk/agent-admin';
import { oneLine } from '@robota-sdk/agent-config';
import { AgentError } from '@robota-sdk/agent-core';
import { askAboutChange, sessionMcp } from '@robota-sdk/agent-resources';
import type { McpCommandContext } from './mcp-command.ts';

type Live = (names: readonly string[], desk: McpDesk) => Promise<McpAnswer>;

/** What only a session can do; everything else is as with `robota mcp`. */
const live: Readonly<Record<string, Live>> = { list, tools, restart, approve };

/** Does what `/mcp …` asks for. */
export async function runMcpCommand(
  [verb = 'list', ...rest]: readonly string[],
  { session, ui, signal }: McpCommandContext,
): Promise<McpAnswer> {
  const { current } = session.getSession().state.get(sessionMcp);
  const { cwd, host } = session.place;
  const say = (text: string) => ui.notify({ level: 'info', text });
  const desk: McpDesk = { cwd, host, ui, signal, session: current, say };
  const own = Object.hasOwn(live, verb) ? live[verb] : undefined;
  return own ? own(rest, desk) : runMcpRequest([verb, ...rest], { ...desk, ownVerbs: Object.keys(live) });
}

async function list(_names: readonly string[], desk: McpDesk): Promise<McpAnswer> {
  const servers = desk.session?.servers;
  if (!servers) return runMcpRequest(['list'], desk);
  const { untrusted, problems } = await knownServers(desk);
  const states = servers.states();
  const waiting = untrusted.map(({ name, source }) => `${oneLine(name)}: not trusted (${source})`);
  return {
    isOk: true,
    text: [describeStates(states), ...waiting, ...problems].join('\n'),
    data: states.map(({ name, status, error, tools: offered, tokens }) => ({
      name,
      status,
      error,
      tools: offered.length,
      tokens,
    })),
  };
}

async function tools([name]: readonly string[], desk: McpDesk): Promise<McpAnswer> {
  const servers = serversOf(desk);
  if (name !== undefined) namedServer(name, await knownServers(desk));
  const states = servers.states().filter((state) => name === undefined || state.name === name);
  const lines = states.flatMap((state) => [
    describeStates([state]),
    ...state.tools.map(
      (tool) => `  ${oneLine(tool.name)}: ${oneLine(tool.description.split('\n')[0] ?? '')}`,
    ),
  ]);
  return {
    isOk: true,
    text: lines.join('\n'),
    data: states.map((state) => ({ name: state.name, tools: state.tools })),
  };
}

async function restart([name]: readonly string[], desk: McpDesk): Promise<McpAnswer> {
  const servers = serversOf(desk);
  if (name === undefined) throw new AgentError('usage', 'Use: /mcp restart NAME.');
  namedServer(name, await knownServers(desk));
  await servers.restart(name);
  const state = servers.state(name);
  return { isOk: state?.status === 'ready', text: describeStates(state ? [state] : []) };
}

/** Agrees to what a server says now, after it was shown. */
async function approve([name]: readonly string[], desk: McpDesk): Promise<McpAnswer> {
  serversOf(desk);
  const memory = desk.session?.memory;
  if (name === undefined) throw new AgentError('usage', 'Use: /mcp approve NAME.');
  const changed = memory?.changed.find(({ config }) => config.name === name);
  if (!memory || !changed) return { isOk: true, text: `${name} says what you have agreed to.` };
  if (!(await askAboutChange(changed, desk.ui)))
    return { isOk: false, text: `${name} stays as it is: not used.` };
  await memory.agree(name);
  return restart([name], desk);
}

function serversOf({ session }: McpDesk) {
  const servers = session?.servers;
  if (servers) return servers;
  throw new AgentError(
    'config',
    'No MCP server is configured. /mcp add NAME COMMAND adds one, then /reload.',
  );
}

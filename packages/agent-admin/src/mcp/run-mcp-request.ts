import { AgentError, nearest } from '@robota-sdk/agent-core';
import { type McpAnswer, type McpDesk, type McpRequest, readMcpRequest } from '../request/mcp-request.ts';

export type { McpAnswer, McpDesk } from '../request/mcp-request.ts';

interface Verb {
  /** How many words are read before the command of a server begins. */
  readonly words?: number;
  run(request: McpRequest, desk: McpDesk): Promise<McpAnswer>;
}

const verbs: Readonly<Record<string, Verb>> = {
  list: { run: async (...given) => (await import('./list-servers.ts')).listServers(...given) },
  get: { run: async (...given) => (await import('./list-servers.ts')).getServer(...given) },
  add: { words: 2, run: async (...given) => (await import('./change-servers.ts')).addServer(...given) },
  'add-json': { words: 2, run: async (...given) => (await import('./change-servers.ts')).addJson(...given) },
  remove: { run: async (...given) => (await import('./change-servers.ts')).removeServer(...given) },
  enable: { run: async (...given) => (await import('./switch-servers.ts')).enableServer(...given) },
  disable: { run: async (...given) => (await import('./switch-servers.ts')).disableServer(...given) },
  test: { run: async (...given) => (await import('./test-servers.ts')).testServers(...given) },
  login: { run: async (...given) => (await import('./login-servers.ts')).loginServer(...given) },
  logout: { run: async (...given) => (await import('./login-servers.ts')).logoutServer(...given) },
};

/** The verbs of `robota mcp`. */
export const mcpVerbs: readonly string[] = Object.keys(verbs);

const otherNames: Readonly<Record<string, string>> = {
  rm: 'remove',
  ls: 'list',
  show: 'get',
  status: 'list',
};

/** Does what `robota mcp …` asks for, and `/mcp …` as far as it is the same. */
export async function runMcpRequest(given: readonly string[], desk: McpDesk): Promise<McpAnswer> {
  const [first = 'list', ...rest] = given[0]?.startsWith('-') ? ['list', ...given] : given;
  const name = Object.hasOwn(otherNames, first) ? (otherNames[first] ?? first) : first;
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb) return verb.run(readMcpRequest(rest, verb.words), desk);
  const known = [...new Set([...mcpVerbs, ...(desk.ownVerbs ?? [])])];
  const [near] = nearest(first, known);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new AgentError('usage', `There is no mcp ${first}; there is ${known.join(', ')}.${hint}`);
}

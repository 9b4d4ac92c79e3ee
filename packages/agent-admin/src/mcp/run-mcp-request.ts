import { takeSubcommand } from '@robota-sdk/agent-config';
import { AgentError } from '@robota-sdk/agent-core';
import { mcpRow } from '../request/admin-rows.ts';
import {
  type McpAnswer,
  type McpRequest,
  type McpRequestServices,
  readMcpRequest,
} from '../request/mcp-request.ts';
import { namingCommands } from '../request/name-commands.ts';

export type { McpAnswer, McpRequestServices } from '../request/mcp-request.ts';

interface Verb {
  /** How many words are read before the command of a server begins. */
  readonly words?: number;
  run(request: McpRequest, desk: McpRequestServices): Promise<McpAnswer>;
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

/** Does what `robota mcp …` asks for, and `/mcp …` as far as it is the same. */
export function runMcpRequest(given: readonly string[], desk: McpRequestServices): Promise<McpAnswer> {
  return namingCommands(desk.prefix ?? 'robota ', () => answerTo(given, desk));
}

async function answerTo(given: readonly string[], desk: McpRequestServices): Promise<McpAnswer> {
  const { name, words } = takeSubcommand(mcpRow, given, 'shell');
  const verb = verbs[name];
  if (!verb) throw new AgentError('usage', `mcp ${name} is not available here.`);
  return verb.run(readMcpRequest(words, verb.words), desk);
}

import { editJson, readJsonFile, updatePrivateFile } from '@robota-sdk/agent-config';
import { AgentError, isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';
import type { McpServer } from '@robota-sdk/agent-resources';
import { ownServerFile } from '@robota-sdk/agent-resources';
import {
  type McpAnswer,
  type McpRequest,
  type McpRequestServices,
  onlyName,
} from '../request/mcp-request.ts';
import { type KnownServers, knownServers, namedServer } from './known-servers.ts';

/** `mcp enable NAME`: takes back what `mcp disable` did. */
export async function enableServer(request: McpRequest, desk: McpRequestServices): Promise<McpAnswer> {
  const known = await knownServers(desk);
  const server = namedServer(onlyName(request, 'enable'), known);
  const { name, disabledBy } = server;
  if (disabledBy === undefined) return { isOk: true, text: `${name} is already enabled.`, data: { name } };
  const file = ownServerFile('user', desk);
  const places = [['disabledServers'], projectPath(desk)];
  for (const path of places) await rewrite(file, path, (names) => names.filter((each) => each !== name));
  if (disabledBy !== file)
    throw new AgentError('config', `${name} is switched off by ${disabledBy}. Change that to use it.`);
  const { disabledBy: _, ...enabled } = server;
  return switched(enabled, known, desk);
}

/** `mcp disable NAME`: for this project, or everywhere with `--scope user`. */
export async function disableServer(request: McpRequest, desk: McpRequestServices): Promise<McpAnswer> {
  const known = await knownServers(desk);
  const server = namedServer(onlyName(request, 'disable'), known);
  const file = ownServerFile('user', desk);
  const scope = request.value('scope') ?? 'local';
  if (scope !== 'local' && scope !== 'user')
    throw new AgentError('usage', `--scope ${scope}: choose local (this project) or user (every project).`);
  const path = scope === 'user' ? ['disabledServers'] : projectPath(desk);
  const isNews = await rewrite(file, path, (names) => [...new Set([...names, server.name])]);
  if (!isNews && server.disabledBy !== undefined)
    return {
      isOk: true,
      text: `${server.name} is already disabled.`,
      data: { name: server.name, enabled: false },
    };
  return switched({ ...server, disabledBy: file }, known, desk);
}

/** In a session it holds at once. */
async function switched(
  server: McpServer,
  known: KnownServers,
  { session }: McpRequestServices,
): Promise<McpAnswer> {
  const { name, disabledBy } = server;
  const mcpServers = known.servers.map((each) => (each.name === name ? server : each));
  await session?.apply({ ...known.config, mcpServers });
  const what = disabledBy === undefined ? 'Enabled' : 'Disabled';
  const when = session ? '' : ', from the next session on';
  return { isOk: true, text: `${what} ${name}${when}.`, data: { name, enabled: disabledBy === undefined } };
}

function projectPath({ cwd }: McpRequestServices): string[] {
  return ['projects', cwd, 'disabledServers'];
}

/** Changes a list of names; says whether that made a difference. The list is read under the lock it is written with. */
async function rewrite(
  file: string,
  path: readonly string[],
  change: (names: readonly string[]) => readonly string[],
): Promise<boolean> {
  const isDifferent = (names: readonly string[]) => change(names).length !== names.length;
  if (!isDifferent(namesAt((await readJsonFile(file))?.value, path))) return false;
  let isNews = false;
  await updatePrivateFile(file, async (before = '') => {
    const names = namesAt(before.trim() === '' ? undefined : (await readJsonFile(file))?.value, path);
    isNews = isDifferent(names);
    if (!isNews) return before;
    const after = change(names);
    return editJson(before, { path, value: after.length === 0 ? undefined : [...after] });
  });
  return isNews;
}

function namesAt(value: JsonObject | undefined, path: readonly string[]): readonly string[] {
  let current: JsonValue | undefined = value;
  for (const key of path) current = isJsonObject(current) ? current[key] : undefined;
  return Array.isArray(current) ? current.filter((name): name is string => typeof name === 'string') : [];
}

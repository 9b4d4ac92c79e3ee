import {
  editJson,
  readJsonFile,
  rememberTrust,
  sealItem,
  updatePrivateFile,
  updateProjectFile,
} from '@robota-sdk/agent-config';
import {
  AgentError,
  decodeJson,
  describeProblem,
  describeProblems,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '@robota-sdk/agent-core';
import type { McpDefinition } from '@robota-sdk/agent-resources';
import {
  nameProblem,
  ownServerFile,
  readDefinition,
  resolveServer,
  serverDraft,
  serverSecrets,
  unsetVariableCode,
} from '@robota-sdk/agent-resources';
import {
  type McpAnswer,
  type McpRequest,
  type McpRequestServices,
  onlyName,
} from '../request/mcp-request.ts';
import { knownServers } from './known-servers.ts';
import { serverAddress } from './list-servers.ts';

type Scope = 'local' | 'project' | 'user';
const scopes: readonly Scope[] = ['local', 'project', 'user'];

/** `mcp add NAME COMMAND [ARGS]`, `mcp add NAME URL`. */
export async function addServer(request: McpRequest, desk: McpRequestServices): Promise<McpAnswer> {
  const [name, target, ...args] = request.words;
  if (name === undefined || target === undefined)
    throw new AgentError(
      'usage',
      'Use: {robota}mcp add NAME -- COMMAND [ARGS …], or {robota}mcp add --transport http NAME URL.',
    );
  return keep(name, definitionOf({ target, args }, request), { request, desk });
}

/** `mcp add-json NAME JSON`. */
export async function addJson(request: McpRequest, desk: McpRequestServices): Promise<McpAnswer> {
  const [name, text, ...rest] = request.words;
  if (name === undefined || text === undefined || rest.length > 0)
    throw new AgentError('usage', `Use: {robota}mcp add-json NAME '{"command": "…"}'.`);
  return keep(name, parsed(text), { request, desk });
}

/** `mcp remove NAME`: takes a server out of our own files. */
export async function removeServer(request: McpRequest, desk: McpRequestServices): Promise<McpAnswer> {
  const name = onlyName(request, 'remove');
  const wanted = request.value('scope');
  for (const scope of wanted === undefined ? scopes : [scopeOf(request)]) {
    const { file, path } = placeOf(scope, name, desk);
    if (!has((await readJsonFile(file))?.value, path)) continue;
    await updaterOf(scope)(file, (before) => editJson(before ?? '', { path, value: undefined }));
    return { isOk: true, text: `Removed ${name} from ${file}.`, data: { name, scope, file } };
  }
  for (const scope of scopes) {
    const { file, path } = placeOf(scope, name, desk);
    if (has((await readJsonFile(file))?.value, path))
      throw new AgentError(
        'usage',
        `${name} is ${scope}, not ${wanted}: drop --scope, or write --scope ${scope}.`,
      );
  }
  const { servers } = await knownServers({ ...desk, trustProject: true, session: undefined });
  const found = servers.find((server) => server.name === name);
  if (!found)
    throw new AgentError('config', `Unknown MCP server "${name}". List them with {robota}mcp list.`);
  const { source } = found.origin;
  throw new AgentError(
    'config',
    `${name} is defined in ${source}, which other programs share. Remove it there, or disable it: {robota}mcp disable ${name}.`,
  );
}

interface Keeping {
  readonly request: McpRequest;
  readonly desk: McpRequestServices;
}

async function keep(name: string, written: JsonObject, { request, desk }: Keeping): Promise<McpAnswer> {
  const wrong = /\s/.test(name) ? 'a name has no blanks' : nameProblem(name);
  if (wrong !== undefined)
    throw new AgentError('usage', `"${name}" cannot be the name of a server: ${wrong}.`);
  const scope = scopeOf(request);
  const { file, path } = placeOf(scope, name, desk);
  const definition: McpDefinition = { name, origin: { scope, source: file }, written };
  const { settings } = (await knownServers(desk)).config;
  const resolved = resolveServer(definition, { ...desk, allowInsecureHttp: settings.allowInsecureHttp });
  if (!resolved.ok && resolved.problem.code !== unsetVariableCode)
    throw new AgentError('usage', resolved.problem.message, resolved.problem);
  const slip = readDefinition(written).unknown.find(({ near }) => near !== undefined);
  if (slip)
    throw new AgentError(
      'usage',
      `Unknown server field "${slip.field}". Did you mean "${slip.near}"? Nothing was added.`,
    );
  if (has((await readJsonFile(file))?.value, path))
    throw new AgentError(
      'usage',
      `${file} already has a server ${name}. Remove it first: {robota}mcp remove ${name}.`,
    );
  await updaterOf(scope)(file, (before) => editJson(before ?? '', { path, value: written }));
  // Adding a server on the command line approves it, although the file may come from a repository.
  if (scope === 'project')
    await rememberTrust(
      desk.cwd,
      { trust: [await sealItem(serverDraft(definition, desk))], never: [] },
      desk.host,
    );
  if (!resolved.ok) {
    const text = `Added ${name}, in ${file}, but it cannot be used yet. ${describeProblem(resolved.problem)}`;
    return { isOk: true, text, data: { name, scope, file, problem: describeProblem(resolved.problem) } };
  }
  const { server, notes } = resolved;
  const summary = serverAddress({ ...server, secrets: serverSecrets(server, desk.host) });
  const text = [
    ...describeProblems(notes),
    `Added ${name}: ${summary}, in ${file}. It takes effect in the next session, or after /reload; {robota}mcp test ${name} tries it.`,
  ];
  return { isOk: true, text: text.join('\n'), data: { name, scope, file } };
}

function definitionOf(
  { target, args }: { readonly target: string; readonly args: readonly string[] },
  request: McpRequest,
): JsonObject {
  const looksLikeAddress = /^https?:\/\//i.test(target);
  const transport = request.value('transport') ?? (looksLikeAddress ? 'http' : 'stdio');
  const env = pairs(request.values('env'), /^([A-Za-z_]\w*)=([\s\S]*)$/, '--env KEY=value');
  const headers = pairs(request.values('header'), /^([^:\s]+)\s*:\s*([\s\S]*)$/, '--header "Name: value"');
  if (transport === 'stdio') {
    if (headers) throw new AgentError('usage', '--header is for servers that are reached by an address.');
    return {
      command: target,
      ...(args.length > 0 ? { args: [...args] } : {}),
      ...(env ? { env } : {}),
      ...elicitationOf(request),
    };
  }
  if (transport !== 'http' && transport !== 'sse')
    throw new AgentError('usage', `--transport ${transport}: choose stdio, http or sse.`);
  if (!looksLikeAddress)
    throw new AgentError(
      'usage',
      `--transport ${transport} needs a URL that starts with http, not "${target}".`,
    );
  if (args.length > 0) throw new AgentError('usage', `A URL takes no arguments, such as "${args[0]}".`);
  if (env) throw new AgentError('usage', '--env is for servers that are started; use --header for this one.');
  const oauth = oauthOf(request);
  return {
    type: transport,
    url: target,
    ...(headers ? { headers } : {}),
    ...(oauth ? { oauth } : {}),
    ...elicitationOf(request),
  };
}

function elicitationOf(request: McpRequest): JsonObject {
  const elicitation = request.value('elicitation');
  return elicitation === undefined ? {} : { elicitation };
}

function oauthOf(request: McpRequest): JsonObject | undefined {
  const port = request.value('callback-port');
  if (port !== undefined && !/^\d{1,5}$/.test(port))
    throw new AgentError('usage', `--callback-port ${port}: expected a port.`);
  const given = {
    clientId: request.value('client-id'),
    clientSecret: request.value('client-secret') ?? variable(request, 'client-secret-env'),
    callbackPort: port === undefined ? undefined : Number(port),
    clientMetadataUrl: request.value('client-metadata-url'),
    grant: request.value('grant'),
    privateKeyFile: request.value('private-key'),
    signingAlgorithm: request.value('signing-algorithm'),
    idpTokenEndpoint: request.value('idp-token-endpoint'),
    idpClientId: request.value('idp-client-id'),
    idToken: variable(request, 'id-token-env'),
  };
  const entries = Object.entries(given).filter(
    (entry): entry is [string, string | number] => entry[1] !== undefined,
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** A secret is kept as the name of its variable. */
function variable(request: McpRequest, option: string): string | undefined {
  const name = request.value(option);
  if (name === undefined) return undefined;
  if (/^[A-Za-z_]\w*$/.test(name)) return `\${${name}}`;
  throw new AgentError('usage', `--${option} ${name}: expected the name of a variable.`);
}

function pairs(texts: readonly string[], form: RegExp, usage: string): Record<string, string> | undefined {
  if (texts.length === 0) return undefined;
  return Object.fromEntries(
    texts.map((text) => {
      const [, key, value] = form.exec(text) ?? [];
      if (key === undefined || value === undefined)
        throw new AgentError('usage', `"${text.split(/[=:]/)[0]}": write ${usage}.`);
      return [key, value];
    }),
  );
}

function parsed(text: string): JsonObject {
  const read = decodeJson(text);
  if (!read.ok) throw new AgentError('usage', `This is not JSON: ${read.error}.`);
  if (isJsonObject(read.value)) return read.value;
  throw new AgentError('usage', 'Expected an object like {"command": "…"}.');
}

function scopeOf(request: McpRequest): Scope {
  const given = request.value('scope') ?? 'local';
  const scope = scopes.find((each) => each === given);
  if (scope) return scope;
  throw new AgentError('usage', `--scope ${given}: choose local (yours, for this project), project or user.`);
}

function updaterOf(scope: Scope): typeof updatePrivateFile {
  return scope === 'project' ? updateProjectFile : updatePrivateFile;
}

/** The file for servers of a scope. */
function placeOf(
  scope: Scope,
  name: string,
  desk: McpRequestServices,
): { readonly file: string; readonly path: string[] } {
  const file = ownServerFile(scope === 'project' ? 'project' : 'user', desk);
  const path = ['mcpServers', name];
  return { file, path: scope === 'local' ? ['projects', desk.cwd, ...path] : path };
}

function has(value: JsonValue | undefined, path: readonly string[]): boolean {
  let current: JsonValue | undefined = value;
  for (const key of path) {
    if (!isJsonObject(current) || !Object.hasOwn(current, key)) return false;
    current = current[key];
  }
  return current !== undefined;
}

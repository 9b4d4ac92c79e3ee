import {
  assertReadable,
  type JsonFile,
  parseJsonFile,
  projectRoot,
  subjectKey,
} from '@robota-sdk/agent-config';
import {
  addSentence,
  isJsonObject,
  type JsonObject,
  list,
  type Problem,
  problemOf,
  readRegularFile,
  repositoryOf,
  sentence,
  text,
  warning,
} from '@robota-sdk/agent-core';
import type { LoadedPlugin } from '../source/loaded-plugin.ts';
import {
  type McpDefinition,
  type McpScope,
  type McpServer,
  originText,
} from '../source/server-definition.ts';
import type { ExtraServers, FoundServers, LoadServersOptions, ServerJudges } from './load-servers.ts';
import { type FoundDefinitions, readDefinitions, skippedServer } from './read-definitions.ts';
import { resolveServer } from './resolve-server.ts';
import type { ServerFile } from './server-files.ts';
import { serverSecrets } from './server-secrets.ts';
import { serverDraft, serverSubject } from './server-subject.ts';

/** Reads the files with servers; a broken one is reported and skipped. */
export async function findServers(
  files: readonly ServerFile[],
  options: LoadServersOptions,
): Promise<FoundServers> {
  const { problems } = options;
  const read = await Promise.all(files.map((file) => readServerFile(file, options)));
  const given = (options.given ?? []).map(definitionsGiven);
  const found = [...given, ...inOrder(read)];
  problems.push(...found.flatMap((each) => each.problems));
  const definitions = found.flatMap((each) => each.definitions);
  const off = new Map(read.flatMap(({ off: names }) => names));
  const ofProject = definitions.filter((definition) => isWanted(definition, definitions));
  return {
    drafts: ofProject.map((definition) => serverDraft(definition, options)),
    settle: (judges) => settleServers(definitions, { ...judges, off, options }),
  };
}

/** No trust is needed for a server that a stronger definition of the user hides. */
function isWanted({ name, origin }: McpDefinition, definitions: readonly McpDefinition[]): boolean {
  const isStronger = ({ scope }: McpDefinition['origin']) => scope === 'command line' || scope === 'local';
  const isHidden = definitions.some((other) => other.name === name && isStronger(other.origin));
  return origin.scope === 'project' && !isHidden;
}

/** The servers of a file: shared ones, those for this project only, and disabled names. */
interface ReadServers {
  readonly shared: FoundDefinitions;
  readonly local: FoundDefinitions;
  readonly off: readonly (readonly [name: string, source: string])[];
}

const nothing: FoundDefinitions = { definitions: [], problems: [] };

/** Order: the user's for this project, then the project's, then global ones. */
function inOrder(read: readonly ReadServers[]): readonly FoundDefinitions[] {
  return [...read.map(({ local }) => local), ...read.map(({ shared }) => shared)];
}

async function readServerFile(file: ServerFile, options: LoadServersOptions): Promise<ReadServers> {
  const { path, isOfProject } = file;
  try {
    const content = await contentOf(file, options);
    if (!content) return { shared: nothing, local: nothing, off: [] };
    const { value, text } = content;
    const scope: McpScope = isOfProject ? 'project' : 'user';
    const record = isOfProject ? {} : projectRecord(value, options.cwd);
    return {
      shared: readDefinitions(value, { scope, source: path, text }),
      local: readDefinitions(record, { scope: 'local', source: path, text }),
      off: [...namesOff(value), ...namesOff(record)].map((name) => [name, path] as const),
    };
  } catch (thrown) {
    return { shared: { definitions: [], problems: [unreadable(path, thrown)] }, local: nothing, off: [] };
  }
}

function unreadable(path: string, thrown: unknown): Problem {
  const unreadable = { code: 'mcp.unreadable', severity: 'warning', isInactive: true } as const;
  const problem = { source: { file: path }, ...problemOf(thrown), ...unreadable };
  return addSentence(problem, 'None of its MCP servers are used.');
}

const largestFile = 4 * 1024 * 1024;

/** Claude Code's file has much other content, which is not parsed if it contains no servers. */
async function contentOf(
  { path, isOfProject, dialect }: ServerFile,
  { cwd }: LoadServersOptions,
): Promise<JsonFile | undefined> {
  if (isOfProject) assertReadable(path, projectRoot(cwd));
  const text = (await readRegularFile(path, isOfProject ? { largest: largestFile } : {})).toString();
  if (dialect === 'claude' && !isOfProject && !/"(?:mcpServers|disabled\w*)"\s*:\s*[{[]\s*"/.test(text))
    return undefined;
  return parseJsonFile(text, path);
}

/** A user file's entry for this project, by its path or that of its repository. */
function projectRecord({ projects }: JsonObject, cwd: string): JsonObject {
  if (!isJsonObject(projects)) return {};
  for (const path of [cwd, repositoryOf(cwd)]) {
    const record = path !== undefined && Object.hasOwn(projects, path) ? projects[path] : undefined;
    if (isJsonObject(record)) return record;
  }
  return {};
}

function namesOff({ disabledServers, disabledMcpServers, disabledMcpjsonServers }: JsonObject): string[] {
  const lists = [disabledServers, disabledMcpServers, disabledMcpjsonServers];
  return lists.flatMap((names) => list(text).parse(names) ?? []);
}

function definitionsGiven({ servers, source }: ExtraServers): FoundDefinitions {
  return readDefinitions({ mcpServers: servers }, { scope: 'command line', source, text: '' });
}

interface Settling extends ServerJudges {
  readonly off: ReadonlyMap<string, string>;
  readonly options: LoadServersOptions;
}

function settleServers(found: readonly McpDefinition[], settling: Settling): readonly McpServer[] {
  const { gate, plugins, options } = settling;
  const trusted = found.filter(
    (definition) => definition.origin.scope !== 'project' || gate.allows(serverSubject(definition)),
  );
  const ofPlugins = options.strict
    ? []
    : plugins.flatMap((plugin) => definitionsOf(plugin, options.problems));
  const kept = withoutClashes([...trusted, ...ofPlugins], options.problems);
  const allowInsecureHttp = options.allowInsecureHttp ?? allowsInsecureHttp(settling.layers);
  return kept.flatMap((definition) => {
    const resolved = resolveServer(definition, { ...options, allowInsecureHttp });
    if (!resolved.ok) {
      options.problems.push(resolved.problem);
      return [];
    }
    options.problems.push(...resolved.notes);
    const server = switchedOff(resolved.server, settling);
    return [{ ...server, secrets: serverSecrets(server, options.host) }];
  });
}

/** The last setting wins; project settings are ignored here. */
function allowsInsecureHttp(layers: Settling['layers']): boolean {
  return layers.map(({ value }) => value.allowInsecureHttp).findLast((said) => said !== undefined) === true;
}

/** Plugin servers are named after plugin and server, as in Claude Code, so that they hide no others. */
function definitionsOf(
  { name, id, mcpServers }: LoadedPlugin,
  problems: Problem[],
): readonly McpDefinition[] {
  const source = `plugin ${id}`;
  const servers = Object.entries(mcpServers);
  const blank = servers.filter(([, { url }]) => url === '').map(([server]) => server);
  if (blank.length > 0) {
    const message = sentence`No URL is given for these MCP servers: ${{ servers: blank.join(', ') }}.`;
    const hint = {
      text: 'If you use one, add it with',
      run: ['mcp', 'add', '--transport', 'http', 'NAME', 'URL'],
    };
    problems.push(warning('mcp.no-url', message, { subject: name, source: { file: source }, hint }));
  }
  const named = servers
    .filter(([server]) => !blank.includes(server))
    .map(([server, written]) => [`plugin_${name}_${server}`, written]);
  const value = { mcpServers: Object.fromEntries(named) };
  const found = readDefinitions(value, { scope: 'plugin', source, text: '' });
  problems.push(...found.problems);
  return found.definitions;
}

/** The first of a name wins, also among names that produce the same tool names. */
function withoutClashes(
  definitions: readonly McpDefinition[],
  problems: Problem[],
): readonly McpDefinition[] {
  const known = new Map<string, McpDefinition>();
  for (const definition of definitions) {
    const key = definition.name.replaceAll(/[^A-Za-z0-9_-]/g, '_').toLowerCase();
    const first = known.get(key);
    if (!first) known.set(key, definition);
    else if (subjectKey(serverSubject(first)) !== subjectKey(serverSubject(definition)))
      problems.push(
        skippedServer(definition, `${originText(first.origin)} already uses that name`, {
          code: 'mcp.clash',
        }),
      );
  }
  return [...known.values()];
}

/** Disabling in any place disables it, unless it was passed for this session. */
function switchedOff(server: McpServer, { off, layers }: Settling): McpServer {
  if (server.disabledBy !== undefined || server.origin.scope === 'command line') return server;
  const layer = layers.find(({ value }) => namesOff(value).includes(server.name));
  const disabledBy = off.get(server.name) ?? layer?.source;
  return disabledBy === undefined ? server : { ...server, disabledBy };
}

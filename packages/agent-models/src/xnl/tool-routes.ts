import {
  builtInToolNames,
  didYouMean,
  eidolonTools,
  type JsonObject,
  type JsonValue,
  type OwnCall,
  piTools,
  type ToolSpec,
  toOwnCall,
} from '@robota-sdk/agent-core';

const builtIn = 'SysBuiltIn';
const added = 'Ext';
const mcpName = /^mcp__(.+?)__(.+)$/s;
/** Calls the tools of servers that no request lists. */
const mcpCall = 'McpCall';
/** Ours, although rules know it by its server. */
const readResource = 'ReadMcpResource';
const ours: ReadonlySet<string> = new Set([...builtInToolNames, readResource]);
/** More names than these are a waste: they stand in the prompt. */
const mostNames = 12;

/** The tool a written name leads to and its arguments in that tool's own words, or a sentence about why there is none. */
export type ToolRoute = ({ readonly ok: true } & OwnCall) | { readonly ok: false; readonly error: string };

/** The name by which models call a tool: `SysBuiltIn.Read`, `Mcp.server.tool`, `Ext.other`. */
export function routeName(tool: string): string {
  const { namespace, name } = routeParts(tool);
  return `${namespace}.${name}`;
}

export function routeParts(tool: string): { readonly namespace: string; readonly name: string } {
  const [, server, name] = mcpName.exec(tool) ?? [];
  if (server !== undefined && name !== undefined) return { namespace: `Mcp.${server}`, name };
  return { namespace: ours.has(tool) ? builtIn : added, name: tool };
}

/** Knows the way from every written name to a tool: its own, and those that other programs taught models. */
export class ToolRoutes {
  readonly #tools: ReadonlyMap<string, string>;

  constructor(tools: readonly Pick<ToolSpec, 'name'>[]) {
    this.#tools = new Map([
      ...tools.map(({ name }) => [name, name] as const),
      ...tools.map(({ name }) => [routeName(name), name] as const),
    ]);
  }

  /** The tool for a name as it is written in a call. */
  find(path: string, input: JsonObject): ToolRoute {
    const own = this.#own(path);
    if (own !== undefined) return { ok: true, name: own, input };
    const foreign = foreignCall(path, input);
    if (foreign && this.#tools.has(foreign.name)) return { ok: true, ...foreign };
    const unlisted = this.#tools.has(mcpCall) ? unlistedName(path) : undefined;
    if (unlisted !== undefined)
      return { ok: true, name: mcpCall, input: { tool: unlisted, arguments: input } };
    return { ok: false, error: this.#unknown(path) };
  }

  /** The name alone is enough, and any namespace before it but that of a server: models mix them up. */
  #own(path: string): string | undefined {
    const exact = this.#tools.get(path);
    if (exact !== undefined || path.startsWith('Mcp.')) return exact;
    const name = path.slice(path.lastIndexOf('.') + 1);
    return this.#tools.get(name) ?? this.#ofServer(name);
  }

  /** The tool of a server by its name alone, where only one has it. */
  #ofServer(name: string): string | undefined {
    const found = new Set(
      [...this.#tools.values()].filter((tool) => mcpName.test(tool) && routeParts(tool).name === name),
    );
    const [only] = found;
    return found.size === 1 ? only : undefined;
  }

  #unknown(path: string): string {
    const meant = aliasesOf(path)[0]?.alias;
    if (meant && this.#tools.has(meant.name))
      return `The tool ${path} is there, but not with these arguments. ${meant.instead ?? 'Use its own arguments'}, or use ${routeName(meant.name)} instead.`;
    const names = [...new Set(this.#tools.values())].map(routeName);
    const all = names.length > mostNames ? 'All tools are in the list under "# Tools".' : listOf(names);
    return `The tool ${path} does not exist. ${didYouMean(path, names) ?? all}`;
  }
}

function listOf(names: readonly string[]): string {
  return `The tools are ${names.join(', ')}.`;
}

/** As servers' tools are called that are found by a search, or are not known yet. */
function unlistedName(path: string): string | undefined {
  const [, server, name] = /^Mcp\.([^.]+)\.(.+)$/.exec(path) ?? [];
  if (server !== undefined) return `mcp__${server}__${name}`;
  const last = path.slice(path.lastIndexOf('.') + 1);
  return mcpName.test(last) ? last : undefined;
}

function foreignCall(path: string, input: JsonValue): OwnCall | undefined {
  for (const { aliases, name } of aliasesOf(path)) {
    const call = toOwnCall(aliases, name, input);
    if (call.name !== name) return call;
  }
  return undefined;
}

/** Names of the tool in other agents: eidolon's with or without namespace, pi's without. */
function aliasesOf(path: string) {
  const dot = path.lastIndexOf('.');
  if (dot >= 0 && path.slice(0, dot) !== builtIn) return [];
  const name = path.slice(dot + 1);
  return (dot < 0 ? [piTools, eidolonTools] : [eidolonTools]).flatMap((aliases) => {
    const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return alias ? [{ aliases, name, alias }] : [];
  });
}

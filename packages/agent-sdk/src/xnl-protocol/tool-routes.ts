import {
  builtInToolNames,
  type JsonObject,
  type JsonValue,
  nearest,
  type ToolSpec,
} from '@robota-sdk/agent-core';
import { eidolonTools, type OwnCall, piTools, toOwnCall } from '@robota-sdk/agent-sessions';

const builtIn = 'SysBuiltIn';
const added = 'Ext';
const mcpName = /^mcp__(.+?)__(.+)$/;

/** The tool a written name leads to and its arguments in that tool's own words, or a sentence about why there is none. */
export type Route = ({ readonly ok: true } & OwnCall) | { readonly ok: false; readonly error: string };

/** The name by which models call a tool: `SysBuiltIn.Read`, `Mcp.server.tool`, `Ext.other`. */
export function routeName(tool: string): string {
  const { namespace, name } = routeParts(tool);
  return `${namespace}.${name}`;
}

export function routeParts(tool: string): { readonly namespace: string; readonly name: string } {
  const [, server, name] = mcpName.exec(tool) ?? [];
  if (server !== undefined && name !== undefined) return { namespace: `Mcp.${server}`, name };
  return { namespace: (builtInToolNames as readonly string[]).includes(tool) ? builtIn : added, name: tool };
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
  find(path: string, input: JsonObject): Route {
    const own = this.#own(path);
    if (own !== undefined) return { ok: true, name: own, input };
    const foreign = foreignCall(path, input);
    if (foreign && this.#tools.has(foreign.name)) return { ok: true, ...foreign };
    return { ok: false, error: this.#unknown(path) };
  }

  /** The name alone is enough, and any namespace before it but that of a server: models mix them up. */
  #own(path: string): string | undefined {
    const exact = this.#tools.get(path);
    if (exact !== undefined || path.startsWith('Mcp.')) return exact;
    return this.#tools.get(path.slice(path.lastIndexOf('.') + 1));
  }

  #unknown(path: string): string {
    const names = [...new Set(this.#tools.values())].map(routeName);
    const [near] = nearest(path, names);
    const hint = near === undefined ? `The tools are ${names.join(', ')}.` : `Did you mean ${near}?`;
    return `The tool ${path} does not exist, or not with these arguments. ${hint}`;
  }
}

/** Those of eidolon stand in its namespace, those of pi alone. */
function foreignCall(path: string, input: JsonValue): OwnCall | undefined {
  const dot = path.lastIndexOf('.');
  const [aliases, name] = dot < 0 ? [piTools, path] : [eidolonTools, path.slice(dot + 1)];
  if (dot >= 0 && path.slice(0, dot) !== builtIn) return undefined;
  const call = toOwnCall(aliases, name, input);
  return call.name === name ? undefined : call;
}

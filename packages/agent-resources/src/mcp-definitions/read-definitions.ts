import { escapedLine, lineOfPath } from '@robota-sdk/agent-config';
import {
  endSentence,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Problem,
  type ProblemHint,
  sentence,
  warning,
} from '@robota-sdk/agent-core';
import type { McpDefinition, McpScope } from '../source/server-definition.ts';
import { readDefinition } from './definition-shape.ts';

/** A text with servers in it, and whose it is. */
export interface DefinitionSource {
  readonly scope: McpScope;
  readonly source: string;
  readonly text: string;
}

/** The servers of a file, and its problems. */
export interface FoundDefinitions {
  readonly definitions: readonly McpDefinition[];
  readonly problems: readonly Problem[];
}

/**
 * Finds servers in an object: `mcpServers` by name, as most programs write them, or `servers`, by name or as a list in
 * which names may be missing. `settings` apply to all of them.
 */
export function readDefinitions(value: JsonObject, place: DefinitionSource): FoundDefinitions {
  const key = value.mcpServers === undefined ? 'servers' : 'mcpServers';
  const written = value[key];
  if (written === undefined || written === null) return { definitions: [], problems: [] };
  const shared = isJsonObject(value.settings) ? sharedSettings(value.settings) : {};
  if (isJsonObject(written)) return named(Object.entries(written), { ...place, key, shared });
  if (Array.isArray(written)) return named(entriesOfList(written), { ...place, key, shared });
  const source = { file: place.source, line: lineOfPath(place.text, [key]) };
  const message = `"${key}" must be an object like {"name": {"command": "…"}}. It is ignored.`;
  return { definitions: [], problems: [warning('mcp.invalid', message, { source, isInactive: true })] };
}

interface NamedSource extends DefinitionSource {
  readonly key: string;
  readonly shared: JsonObject;
}

function named(entries: readonly (readonly [string, JsonValue])[], place: NamedSource): FoundDefinitions {
  const { scope, source, text, key, shared } = place;
  const definitions: McpDefinition[] = [];
  const problems: Problem[] = [];
  for (const [name, written] of entries) {
    const line = lineOfPath(text, [key, name]);
    const origin = { scope, source, ...(line === undefined ? {} : { line }) };
    const why = isJsonObject(written) ? nameProblem(name) : 'it must be an object like {"command": "…"}';
    if (why !== undefined) problems.push(skippedServer({ name, origin }, why));
    else definitions.push({ name, origin, written: { ...shared, ...(written as JsonObject) } });
  }
  return { definitions, problems };
}

/** Reports a server that is not used. */
export function skippedServer(
  { name, origin }: Pick<McpDefinition, 'name' | 'origin'>,
  why: string,
  { code = 'mcp.invalid', hint }: { readonly code?: string; readonly hint?: ProblemHint | undefined } = {},
): Problem {
  const message = sentence`The MCP server "${{ server: escapedLine(name) }}" is skipped: ${{ reason: endSentence(why) }}`;
  const source = { file: origin.source, line: origin.line };
  return warning(code, message, { subject: name, source, hint, isInactive: true });
}

/** Tool names are cut after their server's name, which must be complete for rules that name it. */
const maxName = 48;

/** Rules name the tools of a server by its name, so one server's name must never read like another's tool. */
export function nameProblem(name: string): string | undefined {
  if (name === '' || name.length > maxName) return `a name has between 1 and ${maxName} characters`;
  if (!/^[\w. :@/-]+$/.test(name) || !/^[A-Za-z0-9]/.test(name))
    return 'a name starts with a letter or a digit and has letters, digits, "-", "_" and "." in it';
  const part = name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  if (part.includes('__') || part.endsWith('_'))
    return 'a name has no two "_" in a row and none at its end, since rules like mcp__server__tool are read by them';
  return undefined;
}

/** The older format is a list of commands and URLs, named after what they start or reach. */
function entriesOfList(list: readonly JsonValue[]): (readonly [string, JsonValue])[] {
  const taken = new Set<string>();
  return list.map((item, index) => {
    const base = (isJsonObject(item) ? nameOf(item) : undefined) ?? `server-${index + 1}`;
    let name = base;
    for (let next = 2; taken.has(name); next++) name = `${base}-${next}`;
    taken.add(name);
    return [name, item] as const;
  });
}

function nameOf(written: JsonObject): string | undefined {
  const { name, url, command: program = '', args: rest = [] } = readDefinition(written).fields;
  if (name !== undefined) return name;
  if (url !== undefined) return URL.canParse(url) ? plainName(new URL(url).hostname) : undefined;
  const isRunner = /(?:^|\/)(?:npx|uvx|bunx|node|python3?|deno|bun|docker|uv)$/.test(program);
  const named = isRunner ? rest.find((word) => !word.startsWith('-') && word !== 'run') : program;
  return named === undefined ? undefined : plainName(named);
}

/** The last part of a path or package, without its version and ending. */
function plainName(text: string): string | undefined {
  const last = text.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replace(/(?<=.)@.*$/s, '')
    .replace(/\.(?:[cm]?[jt]s|py|sh)$/, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return plain === '' ? undefined : plain.slice(0, 64);
}

/** Supported settings of pi's adapter for all servers. */
function sharedSettings({ excludeTools }: JsonObject): JsonObject {
  return Array.isArray(excludeTools) ? { excludeTools } : {};
}

import { isJsonObject, type JsonObject, type JsonValue, nearest } from '@robota-sdk/agent-core';

/** A place in the file system that a plugin may use. */
export interface FileGrant {
  /** As it is written: relative to the directory of the session, `~/…`, or absolute. */
  readonly path: string;
  readonly access: 'read' | 'write';
}

/** The permissions that a plugin requests. */
export interface Grants {
  readonly files: readonly FileGrant[];
  /** Hosts, such as `api.example.com`, `*.example.com` or `localhost:8080`. */
  readonly network: readonly string[];
  /** Variables of the environment. */
  readonly env: readonly string[];
}

/** Resource limits of one plugin. */
export interface PluginLimits {
  readonly memoryMegabytes: number;
  readonly seconds: number;
}

/** The file beside a component: what it asks for, its limits, and its own settings. */
export interface PluginManifest {
  readonly grants: Grants;
  readonly limits: PluginLimits;
  /** For the plugin itself. */
  readonly config: JsonObject;
}

const usualLimits: PluginLimits = { memoryMegabytes: 256, seconds: 30 };
const mostMegabytes = 1024;
const mostSeconds = 600;

/** The manifest of a plugin that has none. */
export const emptyManifest: PluginManifest = {
  grants: { files: [], network: [], env: [] },
  limits: usualLimits,
  config: {},
};

/** True if a plugin requests permissions that need approval. */
export function asksForGrants({ grants }: PluginManifest): boolean {
  return grants.files.length + grants.network.length + grants.env.length > 0;
}

/** The requested permissions, one line each. */
export function describeGrants({ files, network, env }: Grants): string[] {
  return [
    ...files.map(({ path, access }) => (access === 'write' ? `reads and writes ${path}` : `reads ${path}`)),
    ...network.map((host) => `connects to ${host}`),
    ...env.map((name) => `sees the variable ${name}`),
  ];
}

/** Reads a manifest. Throws what names the field that is wrong. */
export function parseManifest(text: string): PluginManifest {
  const value = parsed(text);
  known(value, ['grants', 'limits', 'config', '$schema'], '');
  const grants = objectIn(value, 'grants');
  known(grants, ['files', 'network', 'env'], 'grants.');
  const limits = objectIn(value, 'limits');
  known(limits, ['memory', 'time'], 'limits.');
  return {
    grants: {
      files: listIn(grants, 'files').map(fileGrant),
      network: listIn(grants, 'network').map((item) => textFor(item, 'grants.network', hostPattern)),
      env: listIn(grants, 'env').map((item) => textFor(item, 'grants.env', variablePattern)),
    },
    limits: {
      memoryMegabytes: limitIn(limits, 'memory', { usual: usualLimits.memoryMegabytes, most: mostMegabytes }),
      seconds: limitIn(limits, 'time', { usual: usualLimits.seconds, most: mostSeconds }),
    },
    config: objectIn(value, 'config'),
  };
}

const hostPattern = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i;
const variablePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
const pathPattern = /^\P{Cc}+$/u;

function parsed(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new Error(`it is no JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  if (!isJsonObject(value)) throw new Error('it is no JSON object');
  return value;
}

/** A grant that is spelt wrongly would be none, and a limit none at all. */
function known(value: JsonObject, names: readonly string[], prefix: string): void {
  const stray = Object.keys(value).find((key) => !names.includes(key));
  if (stray === undefined) return;
  const [near] = nearest(stray, names);
  const hint = near === undefined ? `There is ${names.join(', ')}.` : `Did you mean "${near}"?`;
  throw new Error(`there is no "${prefix}${stray}". ${hint}`);
}

function objectIn(value: JsonObject, key: string): JsonObject {
  const item = value[key];
  if (item === undefined) return {};
  if (!isJsonObject(item)) throw new Error(`"${key}" is no object`);
  return item;
}

function listIn(value: JsonObject, key: string): readonly JsonValue[] {
  const item = value[key];
  if (item === undefined) return [];
  if (!Array.isArray(item)) throw new Error(`"grants.${key}" is no list`);
  return item;
}

function textFor(item: JsonValue, field: string, pattern: RegExp): string {
  if (typeof item === 'string' && pattern.test(item)) return item;
  throw new Error(`"${field}" cannot hold ${JSON.stringify(item)}`);
}

/** A bare path is one to read. */
function fileGrant(item: JsonValue): FileGrant {
  const field = 'grants.files';
  if (!isJsonObject(item)) return { path: textFor(item, field, pathPattern), access: 'read' };
  known(item, ['path', 'access'], `${field}.`);
  const { access = 'read' } = item;
  if (access !== 'read' && access !== 'write')
    throw new Error(`"${field}.access" is ${JSON.stringify(access)}; write "read" or "write"`);
  return { path: textFor(item.path ?? null, field, pathPattern), access };
}

function limitIn(
  limits: JsonObject,
  key: string,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  const item = limits[key];
  if (item === undefined) return usual;
  if (typeof item === 'number' && item > 0 && item <= most) return item;
  throw new Error(`"limits.${key}" is ${JSON.stringify(item)}; write a number from 1 to ${most}`);
}

import { join } from 'node:path';
import {
  AgentError,
  activeProfile,
  applyUserModels,
  type Catalogue,
  defaultRetryPolicy,
  isJsonObject,
  isPermissionMode,
  type JsonObject,
  type JsonValue,
  loadCatalogue,
  type PermissionMode,
  type PermissionRules,
  type Profile,
  parseProfiles,
  parseRule,
  parseUserModels,
  permissionModes,
  type RetryPolicy,
  type Rule,
  type ThinkingLevel,
  thinkingLevels,
} from '@robota-sdk/agent-core';
import { loadStoredKeys, type StoredKeys } from '../credentials.ts';
import { dialects, type HostEnvironment, userFolder } from '../dialects.ts';
import { userPaths } from '../paths.ts';
import { lineOfString, readJsonFile } from './read-json.ts';
import { mergeDeep, type Settings, type SettingsLayer, substituteEnvironment } from './settings.ts';

/** What `loadConfig` found: settings, keys and models, the files they came from, and what was left out and why. */
export interface Config {
  readonly settings: Settings;
  readonly host: HostEnvironment;
  /** The built-in models and those of the user's `models.json`. */
  readonly catalogue: Catalogue;
  readonly profiles: readonly Profile[];
  /** The profile to use where no model is named. */
  readonly activeProfile?: string;
  readonly storedKeys: StoredKeys;
  /** Files that were read, the strongest first. */
  readonly sources: readonly string[];
  readonly warnings: readonly string[];
}

export interface LoadConfigOptions {
  readonly host?: HostEnvironment;
  /** The user vouches for the repository: its allow rules and added directories count. */
  readonly trustProject?: boolean;
}

/** Reads the settings files of a project and its user in the documented order and merges them. */
export async function loadConfig(cwd: string, options: LoadConfigOptions = {}): Promise<Config> {
  const host = options.host ?? (await processHost());
  const layers = await readLayers(cwd, host);
  const warnings: string[] = [];
  const narrowed = layers.map((layer) => narrowProjectLayer(layer, options.trustProject ?? false, warnings));
  const merged = narrowed.reduceRight<JsonObject>((under, layer) => mergeDeep(under, layer.value), {});
  const value = substituteEnvironment(merged, host.env);
  const settings = toSettings(isJsonObject(value) ? value : {}, joinRules(narrowed, warnings));
  const sources = layers.map((layer) => layer.source);
  return { settings, host, sources, warnings, ...(await loadModels(host, settings, warnings)) };
}

/** Keys, catalogue and profiles; what is wrong in one entry is reported and costs only that entry. */
async function loadModels(host: HostEnvironment, settings: Settings, warnings: string[]) {
  const paths = userPaths(host);
  const [storedKeys, modelsFile] = await Promise.all([
    loadStoredKeys(paths.auth),
    readJsonFile(paths.models),
  ]);
  const user = parseUserModels(modelsFile?.value ?? { providers: {} });
  const { catalogue, problems } = applyUserModels(loadCatalogue(), user);
  warnings.push(...problems.map((problem) => `${paths.models}: ${problem}`));
  const set = settings.models ? parseProfiles({ models: settings.models }) : { profiles: [], problems: [] };
  warnings.push(...set.problems);
  const active = activeProfile(set);
  if (!active.ok) throw new AgentError('config', active.error);
  const { profiles } = set;
  return {
    storedKeys,
    catalogue,
    profiles,
    ...(active.profile ? { activeProfile: active.profile.name } : {}),
  };
}

/** The environment of this process. */
export async function processHost(): Promise<HostEnvironment> {
  const { homedir } = await import('node:os');
  return { env: process.env, home: homedir() };
}

async function readLayers(cwd: string, host: HostEnvironment): Promise<SettingsLayer[]> {
  const project = dialects.flatMap((dialect) =>
    dialect.projectSettings.map((file) => ({
      path: join(cwd, dialect.projectFolder, file),
      fromProject: true,
    })),
  );
  const user = dialects.flatMap((dialect) =>
    dialect.userSettings.map((file) => ({ path: join(userFolder(dialect, host), file), fromProject: false })),
  );
  // A session started in the home directory must not see the user's files as a project's.
  const userFiles = new Set(user.map(({ path }) => path));
  const candidates = [...project.filter(({ path }) => !userFiles.has(path)), ...user];
  const read = await Promise.all(
    candidates.map(async ({ path, fromProject }) => {
      const file = await readJsonFile(path);
      return file && { source: path, fromProject, text: file.text, value: file.value };
    }),
  );
  return read.filter((layer) => layer !== undefined);
}

/** Keys that would execute, redirect or leak something; a repository can never set them. */
const neverFromProject = [
  'apiKey',
  'apiKeys',
  'baseUrl',
  'baseUrls',
  'allowInsecureHttp',
  'webFetch',
  'models',
  'provider',
  'providers',
];

function narrowProjectLayer(layer: SettingsLayer, trusted: boolean, warnings: string[]): SettingsLayer {
  if (!layer.fromProject) return layer;
  const value: Record<string, JsonValue> = { ...layer.value };
  const drop = (key: string, reason: string) =>
    warnings.push(`${layer.source}: "${key}" is ignored: ${reason}.`);
  for (const key of neverFromProject) {
    if (!(key in value)) continue;
    delete value[key];
    drop(key, 'a project can not set it; put it into your own settings');
  }
  const permissions = isJsonObject(value.permissions) ? { ...value.permissions } : undefined;
  if (!permissions) return { ...layer, value };
  if (permissions.defaultMode === 'bypassPermissions') {
    delete permissions.defaultMode;
    drop('permissions.defaultMode', 'a project can not switch permissions off');
  }
  for (const key of trusted ? [] : ['allow', 'additionalDirectories']) {
    if (!(key in permissions)) continue;
    delete permissions[key];
    drop(`permissions.${key}`, 'the project is not trusted (--trust-project)');
  }
  return { ...layer, value: { ...value, permissions } };
}

/** Rules of all layers count together: a deny that got lost would fail open. */
function joinRules(layers: readonly SettingsLayer[], warnings: string[]): PermissionRules {
  const collect = (list: 'allow' | 'ask' | 'deny'): Rule[] =>
    layers.flatMap((layer) => {
      const permissions = layer.value.permissions;
      const texts = isJsonObject(permissions) ? stringList(permissions[list]) : [];
      return texts.flatMap((text) => ruleOf(text, layer, { list, warnings }));
    });
  return { allow: collect('allow'), ask: collect('ask'), deny: collect('deny') };
}

function ruleOf(
  text: string,
  layer: SettingsLayer,
  { list, warnings }: { list: 'allow' | 'ask' | 'deny'; warnings: string[] },
): Rule[] {
  const line = lineOfString(layer.text, text);
  const origin = { source: layer.source, ...(line === undefined ? {} : { line }) };
  const parsed = parseRule(text, origin);
  if (parsed.ok) return [parsed.rule];
  const message = `${layer.source}${line === undefined ? '' : `:${line}`}: ${parsed.problem.message}`;
  // A deny or ask rule nobody understands must not silently protect nothing.
  if (list !== 'allow')
    throw new AgentError('config', `${message} Correct the rule, so that it protects what it should.`);
  warnings.push(message);
  return [];
}

function toSettings(value: JsonObject, permissions: PermissionRules): Settings {
  const provider = objectOf(value.provider);
  const nested = objectOf(value.permissions);
  const vendor = text(provider.name);
  const model = text(value.model) ?? text(value.defaultModel) ?? text(provider.model);
  const keyed = (field: string, single: JsonValue | undefined): Record<string, string> => ({
    ...stringRecord(value[field]),
    ...(vendor !== undefined && text(single) !== undefined ? { [vendor]: String(single) } : {}),
  });
  return {
    ...optional(
      'model',
      vendor !== undefined && model !== undefined && !model.includes('/') ? `${vendor}/${model}` : model,
    ),
    ...optional('language', text(value.language)),
    ...optional('thinking', thinkingOf(value.thinking ?? value.defaultThinkingLevel)),
    ...optional('permissionMode', modeOf(nested.defaultMode ?? value.defaultTrustLevel)),
    ...optional('maxTurns', typeof value.maxTurns === 'number' ? value.maxTurns : undefined),
    ...optional('retry', retryOf(value.retry)),
    ...optional('idleTimeoutMs', count(value.idleTimeoutMs, 'idleTimeoutMs')),
    ...optional('tools', Array.isArray(value.tools) ? stringList(value.tools) : undefined),
    ...optional(
      'fallbackModels',
      Array.isArray(value.fallbackModels) ? stringList(value.fallbackModels) : undefined,
    ),
    ...optional('models', isJsonObject(value.models) ? value.models : undefined),
    permissions,
    additionalDirectories: stringList(nested.additionalDirectories),
    excludeTools: stringList(value.excludeTools),
    apiKeys: keyed('apiKeys', provider.apiKey),
    baseUrls: keyed('baseUrls', provider.baseUrl ?? provider.baseURL),
    allowInsecureHttp: value.allowInsecureHttp === true,
    webFetch: { allowPrivate: objectOf(value.webFetch).allowPrivate === true },
  };
}

const trustLevels: Readonly<Record<string, PermissionMode>> = {
  safe: 'plan',
  moderate: 'default',
  full: 'acceptEdits',
};

function modeOf(value: JsonValue | undefined): PermissionMode | undefined {
  if (value === undefined) return undefined;
  const mode = typeof value === 'string' ? (trustLevels[value] ?? value) : value;
  if (isPermissionMode(mode)) return mode;
  const choices = permissionModes.join(', ');
  throw new AgentError(
    'config',
    `The permission mode ${JSON.stringify(value)} does not exist; choose one of ${choices}.`,
  );
}

function thinkingOf(value: JsonValue | undefined): ThinkingLevel | undefined {
  if (value === undefined) return undefined;
  if (thinkingLevels.includes(value as ThinkingLevel)) return value as ThinkingLevel;
  const choices = thinkingLevels.join(', ');
  throw new AgentError(
    'config',
    `The thinking level ${JSON.stringify(value)} does not exist; choose one of ${choices}.`,
  );
}

function retryOf(value: JsonValue | undefined): RetryPolicy | undefined {
  if (!isJsonObject(value)) return undefined;
  const named = (field: keyof RetryPolicy) => count(value[field], `retry.${field}`);
  return {
    maxRetries: value.enabled === false ? 0 : (named('maxRetries') ?? defaultRetryPolicy.maxRetries),
    baseDelayMs: named('baseDelayMs') ?? defaultRetryPolicy.baseDelayMs,
    maxDelayMs: named('maxDelayMs') ?? defaultRetryPolicy.maxDelayMs,
    maxRetryAfterMs: named('maxRetryAfterMs') ?? defaultRetryPolicy.maxRetryAfterMs,
  };
}

function count(value: JsonValue | undefined, field: string): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= 0) return value;
  throw new AgentError('config', `${field} is ${JSON.stringify(value)}; expected a number of 0 or more.`);
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function stringList(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function stringRecord(value: JsonValue | undefined): Record<string, string> {
  const entries = Object.entries(objectOf(value));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

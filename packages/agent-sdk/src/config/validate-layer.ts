import {
  AgentError,
  endSentence,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonSchema,
  nearest,
} from '@robota-sdk/agent-core';
import { lineOfKey } from './read-json.ts';
import type { SettingsLayer } from './settings.ts';

const text = { type: 'string' };
const flag = { type: 'boolean' };
const texts = { type: 'array', items: text };
const textsByName = { type: 'object', additionalProperties: text };
const amount = { type: 'number', minimum: 0 };
const object = { type: 'object' };

const compactionPolicy = {
  enabled: flag,
  ratio: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
  reserveTokens: amount,
  keepRecentTokens: amount,
};

/** What each setting must look like. */
const shapes: Readonly<Record<string, JsonObject>> = {
  model: { type: ['string', 'object'] },
  defaultModel: text,
  models: object,
  provider: object,
  fallbackModels: texts,
  thinking: text,
  defaultThinkingLevel: text,
  language: text,
  permissions: {
    type: 'object',
    properties: { allow: texts, ask: texts, deny: texts, defaultMode: text, additionalDirectories: texts },
  },
  defaultTrustLevel: text,
  hooks: object,
  disableAllHooks: flag,
  env: textsByName,
  budget: { type: 'object', properties: { turn: amount, session: amount, day: amount } },
  maxTurns: { type: 'integer', minimum: 1 },
  retry: {
    type: 'object',
    properties: {
      enabled: flag,
      maxRetries: amount,
      baseDelayMs: amount,
      maxDelayMs: amount,
      maxRetryAfterMs: amount,
    },
  },
  idleTimeoutMs: amount,
  tools: texts,
  excludeTools: texts,
  apiKeys: textsByName,
  baseUrls: textsByName,
  allowInsecureHttp: flag,
  webFetch: { type: 'object', properties: { allowPrivate: flag } },
  sandbox: { type: ['string', 'object'] },
  compaction: {
    type: 'object',
    properties: {
      ...compactionPolicy,
      model: text,
      models: { type: 'object', additionalProperties: { type: 'object', properties: compactionPolicy } },
    },
  },
};

/** Checks a file against the shapes of the settings. In our own files a mismatch is an error, in others' it costs that setting. */
export function validateLayer(layer: SettingsLayer, warnings: string[]): SettingsLayer {
  const kept = Object.entries(layer.value).filter(([key, value]) => {
    const problem = problemOf(key, value);
    if (problem === undefined) return true;
    const message = `${placeOf(layer, key)}: ${problem}`;
    if (isOurs(layer)) throw new AgentError('config', `${endSentence(message)} Correct it, or take it out.`);
    warnings.push(`${endSentence(message)} It is ignored.`);
    return false;
  });
  if (isOurs(layer)) {
    warnings.push(...mistyped(layer));
    assertPermissionLists(layer);
  }
  return { ...layer, value: Object.fromEntries(kept) };
}

function problemOf(key: string, value: JsonValue): string | undefined {
  const shape = Object.hasOwn(shapes, key) ? shapes[key] : undefined;
  if (!shape) return undefined;
  const parsed = jsonSchema({ type: 'object', properties: { [key]: shape } }).parse({ [key]: value });
  if (parsed.ok) return undefined;
  // What stands in the place of a key may be one.
  return mayHoldKey.has(key) ? parsed.error.replace(/, got .*$/s, '.') : parsed.error;
}

const mayHoldKey: ReadonlySet<string> = new Set([
  'apiKeys',
  'baseUrls',
  'provider',
  'models',
  'model',
  'env',
]);

/** A name nobody knows may be a setting to come; one that is almost a known one is a mistake. */
function mistyped(layer: SettingsLayer): string[] {
  const known = Object.keys(shapes);
  return Object.keys(layer.value).flatMap((key) => {
    const [near] = known.includes(key) ? [] : nearest(key, known);
    return near === undefined
      ? []
      : [`${placeOf(layer, key)}: there is no setting "${key}". Did you mean "${near}"?`];
  });
}

const permissionKeys = ['allow', 'ask', 'deny', 'defaultMode', 'additionalDirectories'];

/** A list under a name that is almost one of ours would protect nothing. */
function assertPermissionLists(layer: SettingsLayer): void {
  const { permissions } = layer.value;
  if (!isJsonObject(permissions)) return;
  for (const key of Object.keys(permissions)) {
    const [near] = permissionKeys.includes(key) ? [] : nearest(key, permissionKeys);
    if (near !== undefined) {
      const message = `${placeOf(layer, key)}: "permissions" has no list "${key}". Did you mean "${near}"?`;
      throw new AgentError('config', `${message} Correct it, so that its rules count.`);
    }
  }
}

function isOurs({ dialect }: SettingsLayer): boolean {
  return dialect === 'robota';
}

function placeOf({ source, text: written }: SettingsLayer, key: string): string {
  const line = lineOfKey(written, key);
  return line === undefined ? source : `${source}:${line}`;
}

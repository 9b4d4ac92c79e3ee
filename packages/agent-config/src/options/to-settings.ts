import {
  AgentError,
  type DrainMode,
  defaultRetryPolicy,
  given,
  isJsonObject,
  isPermissionMode,
  type JsonObject,
  type JsonValue,
  type PermissionMode,
  type PermissionRules,
  permissionModes,
  type RetryPolicy,
  type ThinkingLevel,
  thinkingLevels,
  toolProtocols,
} from '@robota-sdk/agent-core';
import type { BudgetLimits, CompactionPolicy } from '@robota-sdk/agent-sessions';
import type { CompactionSettings, Settings } from './settings.ts';
import { taskSettingsOf } from './task-settings.ts';

/** Settings that are merged from all layers instead of overridden. */
interface Joined {
  readonly permissions: PermissionRules;
  readonly budget: BudgetLimits;
  /** The file that forbids the mode bypassPermissions. */
  readonly bypassForbiddenBy?: string | undefined;
}

/** Makes settings of the merged files, whose shape has been checked. */
export function toSettings(value: JsonObject, joined: Joined): Settings {
  const { permissions, budget, bypassForbiddenBy } = joined;
  const provider = objectOf(value.provider);
  const nested = objectOf(value.permissions);
  const vendor = text(provider.name) ?? text(value.defaultProvider);
  const model = text(value.model) ?? text(value.defaultModel) ?? text(provider.model);
  const keyed = (field: string, single: JsonValue | undefined): Record<string, string> => ({
    ...stringRecord(value[field]),
    ...(vendor !== undefined && text(single) !== undefined ? { [vendor]: String(single) } : {}),
  });
  return {
    ...given(
      'model',
      vendor !== undefined && model !== undefined && !model.includes('/') ? `${vendor}/${model}` : model,
    ),
    ...given('foreignModel', foreignModelOf(objectOf(value.foreignModel))),
    ...given('language', text(value.language)),
    ...given('thinking', thinkingOf(value.thinking ?? value.defaultThinkingLevel)),
    ...given('permissionMode', modeOf(nested.defaultMode ?? value.defaultTrustLevel)),
    ...given('maxTurns', numeric(value.maxTurns)),
    ...given('steeringMode', drainModeOf(value.steeringMode)),
    ...given('followUpMode', drainModeOf(value.followUpMode)),
    ...given('toolExecution', executionOf(value.toolExecution)),
    ...given('retry', retryOf(value.retry)),
    ...given('idleTimeoutMs', numeric(value.idleTimeoutMs)),
    ...given('tools', Array.isArray(value.tools) ? stringList(value.tools) : undefined),
    ...given(
      'fallbackModels',
      Array.isArray(value.fallbackModels) ? stringList(value.fallbackModels) : undefined,
    ),
    terminal: {
      ...given('theme', text(value.theme)),
      vim: value.vim === true,
      notifications: value.notifications !== false,
      hideThinking: value.hideThinking === true,
    },
    toolProtocols: toolProtocolsOf(value.toolProtocols),
    permissions,
    ...given('bypassForbiddenBy', bypassForbiddenBy),
    additionalDirectories: stringList(nested.additionalDirectories),
    excludeTools: stringList(value.excludeTools),
    ...(value.skillInvocation === 'user' ? { skillInvocation: 'user' as const } : {}),
    apiKeys: keyed('apiKeys', provider.apiKey),
    baseUrls: keyed('baseUrls', provider.baseUrl ?? provider.baseURL),
    allowInsecureHttp: value.allowInsecureHttp === true,
    webFetch: { allowPrivate: objectOf(value.webFetch).allowPrivate === true },
    ...given('sandbox', value.sandbox),
    env: stringRecord(value.env),
    budget,
    compaction: compactionOf(objectOf(value.compaction)),
    tasks: taskSettingsOf(objectOf(value.tasks)),
  };
}

function foreignModelOf({ vendor, id }: JsonObject): string | undefined {
  const model = text(id);
  return text(vendor) === undefined || model === undefined ? model : `${vendor}/${model}`;
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

function executionOf(value: JsonValue | undefined): Settings['toolExecution'] {
  return value === 'sequential' || value === 'parallel' ? value : undefined;
}

function drainModeOf(value: JsonValue | undefined): DrainMode | undefined {
  return value === 'all' || value === 'one-at-a-time' ? value : undefined;
}

function toolProtocolsOf(value: JsonValue | undefined): Settings['toolProtocols'] {
  return Object.fromEntries(
    Object.entries(stringRecord(value)).flatMap(([name, written]) => {
      const known = toolProtocols.find((protocol) => protocol === written);
      return known === undefined ? [] : [[name, known]];
    }),
  );
}

function compactionOf(value: JsonObject): CompactionSettings {
  const models = Object.entries(objectOf(value.models)).map(
    ([name, policy]) => [name, policyOf(objectOf(policy))] as const,
  );
  return {
    ...policyOf(value),
    ...given('model', text(value.model)),
    models: Object.fromEntries(models),
  };
}

function policyOf(value: JsonObject): CompactionPolicy {
  return {
    ...given('enabled', typeof value.enabled === 'boolean' ? value.enabled : undefined),
    ...given('ratio', numeric(value.ratio)),
    ...given('reserveTokens', numeric(value.reserveTokens)),
    ...given('keepRecentTokens', numeric(value.keepRecentTokens)),
  };
}

function retryOf(value: JsonValue | undefined): RetryPolicy | undefined {
  if (!isJsonObject(value)) return undefined;
  const named = (field: keyof RetryPolicy) => numeric(value[field]);
  return {
    maxRetries: value.enabled === false ? 0 : (named('maxRetries') ?? defaultRetryPolicy.maxRetries),
    baseDelayMs: named('baseDelayMs') ?? defaultRetryPolicy.baseDelayMs,
    maxDelayMs: named('maxDelayMs') ?? defaultRetryPolicy.maxDelayMs,
    maxRetryAfterMs: named('maxRetryAfterMs') ?? defaultRetryPolicy.maxRetryAfterMs,
  };
}

function numeric(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
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

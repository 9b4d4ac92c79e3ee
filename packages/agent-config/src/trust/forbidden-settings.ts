import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Problem,
  sentence,
  warning,
} from '@robota-sdk/agent-core';
import { escapedLine } from '../file/escaped-line.ts';
import { lineOfKey } from '../file/read-json.ts';
import type { SettingsLayer } from '../options/settings.ts';
import { optionRows, settingKey } from '../options/settings-shape.ts';
import { isRefusedVariable } from './refused-variables.ts';

/** Settings of other tools that would redirect requests, hand out keys or approve the project itself. */
const foreign = (
  'apiKey apiKeyHelper awsAuthRefresh awsCredentialExport otelHeadersHelper baseUrl proxy telemetry ' +
  'providers enableAllProjectMcpServers enabledMcpjsonServers'
).split(' ');

/** The same and those of ours that the table says so of, by their first key. */
const forbidden: ReadonlySet<string> = new Set([
  ...foreign,
  ...optionRows.flatMap(([name, row]) =>
    row.project === 'never' ? (settingKey(name, row).split('.')[0] ?? []) : [],
  ),
]);

/** Takes out of a repository's file what no project can ever set, trusted or not, and says so. */
export function dropForbidden(layer: SettingsLayer, problems: Problem[]): SettingsLayer {
  if (!layer.fromProject) return layer;
  const drop = (name: string, key = name) => {
    problems.push(
      warning(
        'setting.forbidden',
        sentence`A project can never set "${{ setting: escapedLine(name) }}"; it is ignored.`,
        {
          subject: name,
          source: { file: layer.source, line: lineOfKey(layer.text, key) },
          hint: 'If you want it, put it into your own settings.',
        },
      ),
    );
  };
  const value: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(layer.value)) {
    const kept = forbidden.has(key) ? undefined : keptOf(key, item, drop);
    if (kept !== undefined) value[key] = kept;
    else if (forbidden.has(key)) drop(key);
  }
  return { ...layer, value };
}

type Drop = (name: string, key?: string) => void;

/** The allowed part of a setting; undefined if it is dropped, which was reported. */
function keptOf(key: string, item: JsonValue, drop: Drop): JsonValue | undefined {
  switch (key) {
    case 'defaultTrustLevel':
      return mayStay(item === 'bypassPermissions', item, () => drop(key));
    case 'model':
      // The older form of a single profile.
      return mayStay(redirects(item), item, () => drop(key));
    case 'permissions':
      return isJsonObject(item) ? withoutBypass(item, drop) : item;
    case 'models':
      return isJsonObject(item) ? withoutRedirects(item, drop) : item;
    case 'env':
      return isJsonObject(item) ? withoutRefused(item, drop) : item;
    default:
      return item;
  }
}

function mayStay(isForbidden: boolean, item: JsonValue, drop: () => void): JsonValue | undefined {
  if (!isForbidden) return item;
  drop();
  return undefined;
}

function withoutBypass(permissions: JsonObject, drop: Drop): JsonObject {
  if (permissions.defaultMode !== 'bypassPermissions') return permissions;
  drop('permissions.defaultMode: bypassPermissions', 'defaultMode');
  const { defaultMode, ...rest } = permissions;
  return rest;
}

/** A project may choose among profiles and name models, but not say where requests go or with which key. */
function withoutRedirects(models: JsonObject, drop: Drop): JsonObject {
  if (!Array.isArray(models.profiles)) return models;
  const profiles = models.profiles.filter((profile: JsonValue) => {
    if (!redirects(profile)) return true;
    drop(`models.profiles: ${String(profile.name)} with a key or base URL`, 'profiles');
    return false;
  });
  return { ...models, profiles };
}

function withoutRefused(env: JsonObject, drop: Drop): JsonObject {
  const kept = Object.entries(env).filter(([name]) => {
    if (isRefusedVariable(name)) drop(`env.${name}`, name);
    return !isRefusedVariable(name);
  });
  return Object.fromEntries(kept);
}

function redirects(profile: JsonValue | undefined): profile is JsonObject {
  return isJsonObject(profile) && ('apiKey' in profile || 'baseUrl' in profile);
}

import type { SettingsLayer, TrustGate } from '@robota-sdk/agent-config';
import {
  directorySubject,
  isStrictest,
  modeSubject,
  ruleSubject,
  settingSubject,
  statusLineSubject,
  variableSubject,
} from '@robota-sdk/agent-config';
import { isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';

/** Removes untrusted values from a repository's file; a file of the user is unchanged. */
export function narrowLayer(layer: SettingsLayer, gate: TrustGate): SettingsLayer {
  if (!layer.fromProject) return layer;
  const value: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(layer.value)) {
    const kept = keptOf(key, item, gate);
    if (kept !== undefined) value[key] = kept;
  }
  return { ...layer, value };
}

function keptOf(key: string, item: JsonValue, gate: TrustGate): JsonValue | undefined {
  if (key === 'permissions') return isJsonObject(item) ? narrowPermissions(item, gate) : item;
  if (key === 'env') return isJsonObject(item) ? narrowVariables(item, gate) : item;
  // Hooks are judged one by one where they are read.
  if (key === 'hooks') return item;
  if (key === 'statusLine') return gate.allows(statusLineSubject(item)) ? item : undefined;
  if (key === 'defaultTrustLevel' && !mayBeMode(item, gate)) return undefined;
  const reading = settingSubject(key, item);
  return reading === undefined || gate.allows(reading) ? item : undefined;
}

/** Deny and ask rules always apply: they only restrict. */
function narrowPermissions(permissions: JsonObject, gate: TrustGate): JsonObject {
  const { defaultMode, allow, additionalDirectories, ...kept } = permissions;
  return {
    ...kept,
    ...(mayBeMode(defaultMode, gate) ? { defaultMode } : {}),
    ...filtered('allow', allow, (rule) => gate.allows(ruleSubject(rule))),
    ...filtered('additionalDirectories', additionalDirectories, (directory) =>
      gate.allows(directorySubject(directory)),
    ),
  };
}

function filtered(
  key: string,
  list: JsonValue | undefined,
  isAllowed: (text: string) => boolean,
): JsonObject {
  return Array.isArray(list) ? { [key]: list.filter((item) => isAllowed(String(item))) } : {};
}

function narrowVariables(env: JsonObject, gate: TrustGate): JsonObject {
  const kept = Object.entries(env).filter(([name, value]) =>
    gate.allows(variableSubject(name, String(value))),
  );
  return Object.fromEntries(kept);
}

function mayBeMode(mode: JsonValue | undefined, gate: TrustGate): mode is JsonValue {
  return mode !== undefined && (isStrictest(mode) || gate.allows(modeSubject(String(mode))));
}

import type {
  JsonObject,
  JsonValue,
  PermissionMode,
  PermissionRules,
  ThinkingLevel,
} from '@robota-sdk/agent-core';

/** The settings of a session, all layers merged. */
export interface Settings {
  /** `vendor/id`, an id, or a profile. */
  readonly model?: string;
  readonly fallbackModels?: readonly string[];
  readonly thinking?: ThinkingLevel;
  readonly language?: string;
  readonly permissionMode?: PermissionMode;
  readonly permissions: PermissionRules;
  readonly additionalDirectories: readonly string[];
  readonly maxTurns?: number;
  readonly tools?: readonly string[];
  readonly excludeTools: readonly string[];
  /** Keys by vendor, from a user layer only. */
  readonly apiKeys: Readonly<Record<string, string>>;
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly allowInsecureHttp: boolean;
  readonly webFetch: { readonly allowPrivate: boolean };
  /** Model profiles as written; `models.json` and eidolon's shape alike. */
  readonly models?: JsonObject;
}

/** One settings file on its way to being merged. */
export interface SettingsLayer {
  readonly source: string;
  /** Supplied by the repository: may narrow freely, but neither execute nor redirect anything. */
  readonly fromProject: boolean;
  readonly text: string;
  readonly value: JsonObject;
}

/** Replaces `$ENV:NAME` in every string; an unset variable keeps the text, so that the mistake can be seen. */
export function substituteEnvironment(
  value: JsonValue,
  env: Readonly<Record<string, string | undefined>>,
): JsonValue {
  if (typeof value === 'string') {
    return value.replace(/\$ENV:([A-Za-z_][A-Za-z0-9_]*)/g, (text, name: string) => env[name] ?? text);
  }
  if (Array.isArray(value)) return value.map((item) => substituteEnvironment(item, env));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(
    ([key, item]) => [key, substituteEnvironment(item, env)] as const,
  );
  return Object.fromEntries(entries);
}

/** Merges objects deeply; anything else in `over` replaces what is below. */
export function mergeDeep(under: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (key === '__proto__') continue;
    const below = merged[key];
    merged[key] = isPlain(below) && isPlain(value) ? mergeDeep(below, value) : value;
  }
  return merged;
}

function isPlain(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';
import type { SettingsLayer } from './settings.ts';

/** What decides how much of a repository's settings counts. */
export interface Narrowing {
  /** The user vouches for the repository. */
  readonly trusted: boolean;
  /** Allow rules of this project that the user gave in person. */
  readonly approvedRules: readonly string[];
  readonly warnings: string[];
}

/** Keys that would execute, redirect or leak something; a repository can never set them. */
const neverFromProject = [
  'apiKey',
  'apiKeys',
  'baseUrl',
  'baseUrls',
  'allowInsecureHttp',
  'webFetch',
  'provider',
  'providers',
];

/** Takes out of a repository's file what it may not decide; a file of the user stays as it is. */
export function narrowLayer(layer: SettingsLayer, narrowing: Narrowing): SettingsLayer {
  if (!layer.fromProject) return layer;
  const drop: Drop = (key, reason) =>
    narrowing.warnings.push(`${layer.source}: "${key}" is ignored: ${reason}.`);
  const kept = Object.entries(layer.value).filter(([key, item]) => mayBeSet(key, item, { narrowing, drop }));
  const value: Record<string, JsonValue> = Object.fromEntries(kept);
  if (isJsonObject(value.permissions))
    value.permissions = narrowPermissions(value.permissions, narrowing, drop);
  if (isJsonObject(value.models)) value.models = narrowProfiles(value.models, drop);
  // The older form of a single profile.
  if (redirects(value.model)) {
    delete value.model;
    drop('model', keysAndUrls);
  }
  return { ...layer, value };
}

type Drop = (key: string, reason: string) => void;

const notTrusted = 'the project is not trusted (--trust-project)';

function mayBeSet(
  key: string,
  value: JsonValue,
  { narrowing, drop }: { narrowing: Narrowing; drop: Drop },
): boolean {
  if (neverFromProject.includes(key)) {
    drop(key, 'a project can not set it; put it into your own settings');
    return false;
  }
  if (!narrowing.trusted && JSON.stringify(value).includes('$ENV:')) {
    drop(key, `it reads your environment, and ${notTrusted}`);
    return false;
  }
  if (key !== 'defaultTrustLevel') return true;
  return mayBeMode(key, value, { narrowing, drop });
}

function narrowPermissions(permissions: JsonObject, narrowing: Narrowing, drop: Drop): JsonObject {
  const kept: Record<string, JsonValue> = { ...permissions };
  if ('defaultMode' in kept && !mayBeMode('permissions.defaultMode', kept.defaultMode, { narrowing, drop }))
    delete kept.defaultMode;
  if (narrowing.trusted) return kept;
  if ('additionalDirectories' in kept) {
    delete kept.additionalDirectories;
    drop('permissions.additionalDirectories', notTrusted);
  }
  if (!Array.isArray(kept.allow)) return kept;
  const approved = kept.allow.filter((rule) => narrowing.approvedRules.includes(String(rule)));
  if (approved.length < kept.allow.length) drop('permissions.allow', notTrusted);
  return { ...kept, allow: approved };
}

/** The strictest mode may be asked for by anybody; to be less strict takes trust, to switch permissions off the user. */
function mayBeMode(
  key: string,
  mode: JsonValue | undefined,
  { narrowing, drop }: { narrowing: Narrowing; drop: Drop },
): boolean {
  if (mode === 'plan' || mode === 'safe') return true;
  if (mode === 'bypassPermissions') {
    drop(key, 'a project can not switch permissions off');
    return false;
  }
  if (!narrowing.trusted) drop(key, notTrusted);
  return narrowing.trusted;
}

/** A project may choose among profiles and name models, but not say where requests go or with which key. */
function narrowProfiles(models: JsonObject, drop: Drop): JsonObject {
  if (!Array.isArray(models.profiles)) return models;
  const profiles = models.profiles.filter((profile) => {
    if (redirects(profile)) drop(`models.profiles: ${String(profile.name)}`, keysAndUrls);
    return !redirects(profile);
  });
  return { ...models, profiles };
}

const keysAndUrls = 'a project can not set keys and base URLs';

function redirects(profile: JsonValue | undefined): profile is JsonObject {
  return isJsonObject(profile) && ('apiKey' in profile || 'baseUrl' in profile);
}

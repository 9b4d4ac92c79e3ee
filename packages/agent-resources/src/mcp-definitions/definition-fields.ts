import { type JsonObject, nearest } from '@robota-sdk/agent-core';

/** The fields of a definition that have a meaning here. */
const ownFields: readonly string[] = [
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'httpUrl',
  'serverUrl',
  'headers',
  'bearerToken',
  'bearerTokenEnv',
  'timeout',
  'startTimeout',
  'includeTools',
  'enabledTools',
  'excludeTools',
  'disabledTools',
  'lifecycle',
  'elicitation',
  'oauth',
  'disabled',
  'enabled',
  'name',
];

/** Fields of other programs that do not affect what is started, reached or offered. */
const foreignFields: readonly string[] = [
  'headersHelper',
  'alwaysAllow',
  'autoApprove',
  'description',
  'title',
  'version',
  'icon',
  'trust',
  'auth',
  'idleTimeout',
  'directTools',
  'exposeResources',
  'debug',
  'dev',
  'envFile',
  'gallery',
  'metadata',
  'providerOptions',
];

/** A field that nothing here reads, and the one that was meant, as far as that can be guessed. */
export interface StrayField {
  readonly field: string;
  readonly near?: string;
}

/** The unknown fields of a definition: a misspelt restriction must not be lost silently. */
export function strayFields(written: JsonObject): readonly StrayField[] {
  const known = [...ownFields, ...foreignFields];
  return Object.keys(written)
    .filter((field) => !known.includes(field))
    .map((field) => {
      const [near] = nearest(field, ownFields);
      return { field, ...(near === undefined ? {} : { near }) };
    });
}

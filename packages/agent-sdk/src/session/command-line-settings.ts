import type { JsonObject } from '@robota-sdk/agent-core';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';

/** Options of the session as settings. */
export function commandLineSettings(options: Partial<CreateSessionOptions>): JsonObject {
  const { rules = {}, tools = {} } = options;
  const permissions = present({
    defaultMode: options.permissionMode,
    allow: nonEmpty(rules.allow),
    ask: nonEmpty(rules.ask),
    deny: nonEmpty(rules.deny),
    additionalDirectories: nonEmpty(options.additionalDirectories),
  });
  return present({
    model: options.model,
    fallbackModels: nonEmpty(options.fallbackModels),
    thinking: options.thinking,
    language: options.language,
    maxTurns: options.maxTurns,
    tools: tools.only,
    excludeTools: tools.exclude,
    allowInsecureHttp: options.allowInsecureHttp,
    permissions: Object.keys(permissions).length === 0 ? undefined : permissions,
  });
}

function nonEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

function present(values: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  const entries = Object.entries(values).filter((entry): entry is [string, JsonObject[string]] => {
    return entry[1] !== undefined;
  });
  return Object.fromEntries(entries);
}

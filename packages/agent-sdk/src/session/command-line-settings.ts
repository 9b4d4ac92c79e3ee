import { optionsAsSettings } from '@robota-sdk/agent-config';
import { isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';

/** Settings from the command line or a program, with the keys of settings files. */
export function commandLineSettings(options: Partial<CreateSessionOptions>): JsonObject {
  const { model, rules = {}, tools = {} } = options;
  const settings = optionsAsSettings(options);
  const permissions = {
    ...(isJsonObject(settings.permissions) ? settings.permissions : {}),
    ...present({ allow: rules.allow, ask: rules.ask, deny: rules.deny }),
  };
  return {
    ...settings,
    ...present({ model, tools: tools.only, excludeTools: tools.exclude }),
    ...(Object.keys(permissions).length === 0 ? {} : { permissions }),
  };
}

/** Values that are set; an empty list adds nothing. */
function present(values: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const entries = Object.entries(values).filter((entry): entry is [string, JsonValue] => {
    const [name, value] = entry;
    return value !== undefined && (name === 'tools' || !Array.isArray(value) || value.length > 0);
  });
  return Object.fromEntries(entries);
}

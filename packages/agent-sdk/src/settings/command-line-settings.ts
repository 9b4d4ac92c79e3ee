import { optionsAsSettings } from '@robota-sdk/agent-config';
import { isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';

/** Settings from the command line or a program, with the keys of settings files. */
export function commandLineSettings(options: Partial<CreateSessionOptions>): JsonObject {
  const { model, rules = {}, tools = {}, sandbox = {} } = options;
  const settings = optionsAsSettings(options);
  const permissions = {
    ...(isJsonObject(settings.permissions) ? settings.permissions : {}),
    ...present({ allow: rules.allow, ask: rules.ask, deny: rules.deny }),
  };
  const { mode, writable, readable, hosts: allow } = sandbox;
  const network = present({ allow });
  const confined = present({ mode, writable, readable, network });
  return {
    ...settings,
    ...present({ model, tools: tools.only, excludeTools: tools.exclude, permissions, sandbox: confined }),
  };
}

/** Values that are set; an empty list or object adds nothing. */
function present(values: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const entries = Object.entries(values).filter((entry): entry is [string, JsonValue] => {
    const [name, value] = entry;
    if (value === undefined || (name !== 'tools' && Array.isArray(value) && value.length === 0)) return false;
    return !isJsonObject(value) || Object.keys(value).length > 0;
  });
  return Object.fromEntries(entries);
}

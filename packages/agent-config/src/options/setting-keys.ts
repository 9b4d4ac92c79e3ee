import { isJsonObject, type JsonObject } from '@robota-sdk/agent-core';
import { settingsSchema } from './settings-schema.ts';

/** The names of all settings that have a fixed one, those inside others included. */
export function settingKeys(schema: JsonObject = settingsSchema, prefix = ''): string[] {
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([key, inner]) => {
    if (key === '$schema') return [];
    const name = `${prefix}${key}`;
    return [name, ...(isJsonObject(inner) ? settingKeys(inner, `${name}.`) : [])];
  });
}

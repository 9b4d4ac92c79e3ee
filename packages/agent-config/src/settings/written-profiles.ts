import { isJsonObject, type JsonObject } from '@robota-sdk/agent-core';

/** What a file says about profiles, in the present form or the older one with a single profile; nothing if it says nothing. */
export function writtenProfiles({ models, model }: JsonObject): JsonObject | undefined {
  if (isJsonObject(models)) return { models };
  return isJsonObject(model) ? { model } : undefined;
}

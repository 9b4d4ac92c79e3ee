import { isJsonObject, type JsonObject } from '@robota-sdk/agent-core';

/**
 * The profiles of a file, in the current form or the older one with a single profile; undefined if there are
 * none.
 */
export function writtenProfiles({ models, model }: JsonObject): JsonObject | undefined {
  if (isJsonObject(models)) return { models };
  return isJsonObject(model) ? { model } : undefined;
}

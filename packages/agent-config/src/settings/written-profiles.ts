import { isJsonObject, type JsonObject, type Problem, warning } from '@robota-sdk/agent-core';

/**
 * The profiles of a file, in the current form or the older one with a single profile; undefined if there are
 * none.
 */
export function writtenProfiles({ models, model }: JsonObject): JsonObject | undefined {
  if (isJsonObject(models)) return { models };
  return isJsonObject(model) ? { model } : undefined;
}

/** A profile that cannot be used, in the file that it stands in. */
export function profileProblem(message: string, file: string): Problem {
  return warning('profile.invalid', message, { source: { file }, isInactive: true });
}

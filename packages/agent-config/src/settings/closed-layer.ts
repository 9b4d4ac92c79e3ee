import { addSentence, isJsonObject, type JsonObject, type Problem } from '@robota-sdk/agent-core';
import type { SettingsLayer } from '../options/settings.ts';
import type { LayerCandidate } from './read-layers.ts';

/** Asks before every call: for rules that could not be read, any of which may have denied it. */
const everything = '*';

/** A problem of unreadable rules, with its effect. */
export function closedProblem(problem: Problem): Problem {
  const effect = 'Its rules may deny something, so every call needs your approval.';
  return addSentence({ ...problem, severity: 'warning', isInactive: true }, effect);
}

/**
 * The fail-closed replacement of an unreadable project file; undefined for tools whose settings hold no
 * rules.
 */
export function closedLayer(file: LayerCandidate): SettingsLayer | undefined {
  if (file.dialect !== 'robota' && file.dialect !== 'claude') return undefined;
  return { ...file, text: '', value: closed({}) };
}

/** The same settings with a question before every call. */
export function closed(value: JsonObject): JsonObject {
  const permissions = isJsonObject(value.permissions) ? value.permissions : {};
  const ask = Array.isArray(permissions.ask) ? permissions.ask : [];
  return { ...value, permissions: { ...permissions, ask: [...ask, everything] } };
}

import { AgentError, type JsonObject, type Problem } from '@robota-sdk/agent-core';
import type { SettingsLayer } from '../options/settings.ts';
import { translateClaude } from './translate-claude.ts';

/** The name of `--settings` in messages. */
const source = '--settings';

/**
 * Settings that are given for one session, in our words. What has no counterpart here is refused: it may be a guard. What would only
 * allow more is reported.
 */
export function givenLayers(
  given: readonly JsonObject[] = [],
  problems: Problem[] = [],
): readonly SettingsLayer[] {
  return given.filter((value) => Object.keys(value).length > 0).map((value) => layerOf(value, problems));
}

function layerOf(value: JsonObject, problems: Problem[]): SettingsLayer {
  const found: Problem[] = [];
  const layer = { source, dialect: 'claude', fromProject: false, text: '', value } as const;
  const translated = translateClaude(layer, found);
  const guard = found.find(({ code }) => code !== 'setting.untranslated-allowance');
  if (guard !== undefined) throw new AgentError('config', guard.message, guard);
  problems.push(...found);
  return { ...translated, dialect: 'robota' };
}

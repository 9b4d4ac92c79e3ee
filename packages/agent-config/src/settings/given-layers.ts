import { AgentError, type JsonObject, type Problem } from '@robota-sdk/agent-core';
import type { SettingsLayer } from '../options/settings.ts';
import { translateClaude } from './translate-claude.ts';

/** The name of `--settings` in messages. */
const source = '--settings';

/** Settings that are given for one session, in our words. What has no counterpart here is refused: it may be a guard. */
export function givenLayers(given: readonly JsonObject[] = []): readonly SettingsLayer[] {
  return given.filter((value) => Object.keys(value).length > 0).map(layerOf);
}

function layerOf(value: JsonObject): SettingsLayer {
  const problems: Problem[] = [];
  const layer = { source, dialect: 'claude', fromProject: false, text: '', value } as const;
  const translated = translateClaude(layer, problems);
  const [problem] = problems;
  if (problem !== undefined) throw new AgentError('config', problem.message, problem);
  return { ...translated, dialect: 'robota' };
}

import type { JsonValue, Problem } from '@robota-sdk/agent-core';
import type { SettingsLayer } from '../options/settings.ts';
import { translateClaude } from './translate-claude.ts';

/** Tool names of pi and rab. */
const toolNames: Readonly<Record<string, string>> = {
  read: 'Read',
  write: 'Write',
  edit: 'Edit',
  bash: 'Bash',
  grep: 'Grep',
  find: 'Glob',
  ls: 'Glob',
};

/**
 * Says what settings of other tools mean in our words. Vendor and model of pi and rab stay apart until all files are
 * merged, because a project may change the one and leave the other to the user.
 */
export function translateLayer(layer: SettingsLayer, problems: Problem[]): SettingsLayer {
  if (layer.dialect === 'claude') return translateClaude(layer, problems);
  if (layer.dialect !== 'pi' && layer.dialect !== 'rab') return layer;
  const { defaultModel, defaultProvider, defaultThinkingLevel, tools, excludeTools, ...others } = layer.value;
  const { theme, steeringMode, followUpMode, hideThinkingBlock, compaction, retry, ...unread } = others;
  const foreignModel: Record<string, JsonValue> = {
    ...(defaultProvider === undefined ? {} : { vendor: defaultProvider }),
    ...(defaultModel === undefined ? {} : { id: defaultModel }),
  };
  const value: Record<string, JsonValue> = {
    foreignModel,
    ...(defaultThinkingLevel === undefined ? {} : { thinking: defaultThinkingLevel }),
    ...(tools === undefined ? {} : { tools: renamed(tools) }),
    ...(excludeTools === undefined ? {} : { excludeTools: renamed(excludeTools) }),
    // Same meaning in pi and rab.
    ...(theme === undefined ? {} : { theme }),
    ...(steeringMode === undefined ? {} : { steeringMode }),
    ...(followUpMode === undefined ? {} : { followUpMode }),
    ...(hideThinkingBlock === undefined ? {} : { hideThinking: hideThinkingBlock }),
    ...(compaction === undefined ? {} : { compaction }),
    ...(retry === undefined ? {} : { retry }),
  };
  return { ...layer, value, unread: Object.keys(unread) };
}

/** Tools we do not have can neither be offered nor left out. */
function renamed(names: JsonValue): JsonValue {
  if (!Array.isArray(names)) return names;
  return [...new Set(names.flatMap((name) => toolNames[String(name)] ?? []))];
}

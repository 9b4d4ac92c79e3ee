import { optionTable, type SettingsLayer } from '@robota-sdk/agent-config';
import type { JsonObject, JsonValue } from '@robota-sdk/agent-core';

/** Without a setting of the user, a repository cannot raise the default. */
const defaultTurns = optionTable.maxTurns.default;

/** Stands for all built-in tools. */
const everyTool = 'default';

/**
 * A repository's layer within the restrictions of its user's files, the strongest first: it may take tools and model calls
 * away, but not give back what the user took away.
 */
export function keepRestrictions(layer: SettingsLayer, own: readonly SettingsLayer[]): SettingsLayer {
  if (!layer.fromProject) return layer;
  const { tools, maxTurns, skillInvocation } = layer.value;
  const said = (key: string) => own.find(({ value }) => value[key] !== undefined)?.value[key];
  const mostTurns = said('maxTurns') ?? defaultTurns;
  const kept: Record<string, JsonValue> = {};
  if (Array.isArray(tools)) kept.tools = commonTools(tools, said('tools'));
  if (maxTurns !== undefined && Number(mostTurns) < Number(maxTurns)) kept.maxTurns = mostTurns;
  if (skillInvocation !== undefined && said('skillInvocation') === 'user') kept.skillInvocation = 'user';
  const value: JsonObject = { ...layer.value, ...kept };
  return { ...layer, value };
}

function commonTools(tools: readonly JsonValue[], own: JsonValue | undefined): JsonValue[] {
  if (!Array.isArray(own) || own.includes(everyTool)) return [...tools];
  return tools.includes(everyTool) ? own : tools.filter((name) => own.includes(name));
}

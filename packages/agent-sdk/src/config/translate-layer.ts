import { findVendor, type JsonValue, loadCatalogue } from '@robota-sdk/agent-core';
import type { SettingsLayer } from './settings.ts';

/** What pi and rab call the tools. */
const toolNames: Readonly<Record<string, string>> = {
  read: 'Read',
  write: 'Write',
  edit: 'Edit',
  bash: 'Bash',
  grep: 'Grep',
  find: 'Glob',
  ls: 'Glob',
};

/** Says what another tool's settings mean in our words; a model of a vendor we can't reach is left out and named. */
export function translateLayer(layer: SettingsLayer, warnings: string[]): SettingsLayer {
  if (layer.dialect !== 'pi' && layer.dialect !== 'rab') return layer;
  const { defaultModel, defaultProvider, defaultThinkingLevel, tools, excludeTools } = layer.value;
  const model = modelOf(defaultProvider, defaultModel);
  if (model === undefined && defaultModel !== undefined) {
    warnings.push(
      `${layer.source}: the model of "${String(defaultProvider)}" is ignored: that vendor is not known here.`,
    );
  }
  const value: Record<string, JsonValue> = {
    ...(model === undefined ? {} : { model }),
    ...(defaultThinkingLevel === undefined ? {} : { thinking: defaultThinkingLevel }),
    ...(tools === undefined ? {} : { tools: renamed(tools) }),
    ...(excludeTools === undefined ? {} : { excludeTools: renamed(excludeTools) }),
  };
  return { ...layer, value };
}

function modelOf(vendor: JsonValue | undefined, model: JsonValue | undefined): string | undefined {
  if (typeof model !== 'string' || typeof vendor !== 'string')
    return typeof model === 'string' ? model : undefined;
  const known = findVendor(loadCatalogue(), vendor);
  return known && `${known.id}/${model}`;
}

/** Tools we do not have can neither be offered nor left out. */
function renamed(names: JsonValue): JsonValue {
  if (!Array.isArray(names)) return names;
  return [...new Set(names.flatMap((name) => toolNames[String(name)] ?? []))];
}

import type { Model, ThinkingLevel } from '@robota-sdk/agent-core';

/** Names every model with an effort accepts; what else a model takes is said by its `reasoningEffortMap`. */
const acceptedEverywhere: Readonly<Partial<Record<ThinkingLevel, string>>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
};

/** The vendor's word for a thinking level; nothing where the level has none. */
export function reasoningEffort(model: Model, level: ThinkingLevel): string | undefined {
  return model.compat?.reasoningEffortMap?.[level] ?? acceptedEverywhere[level];
}

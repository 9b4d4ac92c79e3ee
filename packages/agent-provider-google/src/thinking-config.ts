import type { JsonObject, Model, ThinkingLevel } from '@robota-sdk/agent-core';

const budgets: Readonly<Record<ThinkingLevel, number>> = {
  off: 0,
  minimal: 512,
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
};

const levels: Readonly<Record<ThinkingLevel, string>> = {
  off: 'LOW',
  minimal: 'LOW',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
};

/**
 * The thinking settings: a token budget for Gemini 2.5, a level from Gemini 3 on. Gemini 3 cannot switch
 * thinking off; `off` means the lowest level with hidden thoughts. A model may rename levels by
 * `reasoningEffortMap`.
 */
export function thinkingConfig(model: Model, level: ThinkingLevel): JsonObject | undefined {
  const shown = level === 'off' ? {} : { includeThoughts: true };
  if (model.thinking === 'budget') return { thinkingBudget: budgetFor(model.id, level), ...shown };
  if (model.thinking === 'effort' || model.thinking === 'adaptive') {
    return { thinkingLevel: model.compat?.reasoningEffortMap?.[level] ?? levels[level], ...shown };
  }
  return model.thinking === 'always' && level !== 'off' ? shown : undefined;
}

/** The Pro models of 2.5 think at least 128 tokens and up to 32,768; the others stop at 24,576. */
function budgetFor(id: string, level: ThinkingLevel): number {
  return id.includes('pro') ? Math.max(128, budgets[level]) : Math.min(24_576, budgets[level]);
}

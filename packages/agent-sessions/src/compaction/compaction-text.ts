import type { Model } from '@robota-sdk/agent-core';
import type { Compaction } from './session-options.ts';

/** Describes a compaction in percent of the model's window. */
export function compactionText(result: Compaction, model: Pick<Model, 'contextWindow'>): string {
  const percent = (tokens: number) => `${Math.min(100, Math.round((tokens / model.contextWindow) * 100))}%`;
  const change = `Context compressed: ${percent(result.tokensBefore)} → ${percent(result.tokensAfter)}`;
  return result.notice === undefined ? change : `${change}. ${result.notice}`;
}

import { isJsonObject } from '@robota-sdk/agent-core';
import type { Entry } from './entry.ts';

/** The custom entry of a request for which the vendor's cache was of no use. */
export const cacheBreakType = 'robota.cache-break';

/** Why a cached beginning was sent again, and the cost. */
export interface CacheBreak {
  readonly reason: string;
  readonly detail: string;
  readonly model: string;
  readonly tokens: number;
  /** US dollars above the price of reading it from the cache. */
  readonly cost: number;
}

/** The cache break in an entry. */
export function cacheBreakIn(entry: Entry): CacheBreak | undefined {
  if (entry.type !== 'custom' || entry.customType !== cacheBreakType || !isJsonObject(entry.data))
    return undefined;
  const { reason, detail, model, tokens, cost } = entry.data;
  return {
    reason: String(reason),
    detail: String(detail),
    model: String(model),
    tokens: Number(tokens) || 0,
    cost: Number(cost) || 0,
  };
}

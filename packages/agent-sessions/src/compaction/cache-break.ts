import { number, object, text } from '@robota-sdk/agent-core';
import { customData } from '../entry/custom-data.ts';

/** Why a cached beginning was sent again, and the cost. */
export interface CacheBreak {
  readonly reason: string;
  readonly detail: string;
  readonly model: string;
  readonly tokens: number;
  /** US dollars above the price of reading it from the cache. */
  readonly cost: number;
}

/** The entry of a request for which the vendor's cache was of no use. */
export const cacheBreak = customData<CacheBreak>('robota.cache-break', () =>
  object({ reason: text, detail: text, model: text, tokens: number, cost: number }),
);

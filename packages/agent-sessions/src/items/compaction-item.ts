import type { AgentEvent } from '@robota-sdk/agent-core';
import { type Fate, receiptsOf } from '../compaction/receipt.ts';
import type { CompactionEntry, CustomEntry } from '../entry/entry.ts';
import type { CompactionItem } from './item.ts';

/** The item of a current compaction; undefined if it changed nothing. */
export function compactionOfEvent(
  event: Extract<AgentEvent, { type: 'compaction-end' }>,
): CompactionItem | undefined {
  const { kind, reason, tokensBefore = 0, tokensAfter, contextWindow, notice, summary, items = [] } = event;
  if (kind === 'unchanged') return undefined;
  return {
    kind: 'compaction',
    reason,
    tokensBefore,
    tokensAfter,
    contextWindow,
    counts: countsOf(items),
    notice,
    summary,
  };
}

/** The item of a stored compaction, from its receipt; undefined if it has none. */
export function compactionOfEntry(
  entry: CompactionEntry | CustomEntry,
  summary: string | undefined,
): CompactionItem | undefined {
  const [receipt] = receiptsOf([entry]);
  if (!receipt) return undefined;
  const { reason, tokensBefore, tokensAfter, contextWindow, notice, items } = receipt;
  const counts = countsOf(items);
  return { kind: 'compaction', reason, tokensBefore, tokensAfter, contextWindow, counts, notice, summary };
}

function countsOf(items: readonly { readonly fate: Fate }[]): CompactionItem['counts'] {
  const count = (...fates: readonly Fate[]) => items.filter(({ fate }) => fates.includes(fate)).length;
  return { kept: count('kept'), summarised: count('summarised'), dropped: count('dropped', 'pruned') };
}

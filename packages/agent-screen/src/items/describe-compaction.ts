import { pluralize } from '@robota-sdk/agent-sdk/front-end';
import type { CompactionItem } from '@robota-sdk/agent-sessions';

/** Describes a compaction in one line. */
export function describeCompaction(item: CompactionItem): string {
  const { tokensBefore, tokensAfter, contextWindow, counts, notice } = item;
  if (!counts || contextWindow === undefined) return 'Earlier messages were summarized.';
  const share = (tokens = 0) => `${Math.min(100, Math.round((tokens / Math.max(1, contextWindow)) * 100))}%`;
  const parts = [
    `kept ${pluralize(counts.kept, 'message')}`,
    ...(counts.summarised > 0 ? [`summarised ${counts.summarised}`] : []),
    ...(counts.dropped > 0 ? [`dropped ${pluralize(counts.dropped, 'tool output')}`] : []),
  ];
  const more = notice === undefined ? '' : ` ${notice}`;
  const advice = '/context shows them, /recall brings one back';
  return `Context compressed: ${share(tokensBefore)} → ${share(tokensAfter)}   ${parts.join(', ')} · ${advice}${more}`;
}

import type { AgentEvent } from '@robota-sdk/agent-sdk';
import { countOf } from '../items/describe-count.ts';

/** What making the context smaller came to, in one line. */
export function describeCompaction(
  event: Extract<AgentEvent, { type: 'compaction-end' }>,
  contextWindow: number,
): string {
  const { kind, tokensBefore, tokensAfter, items = [], notice } = event;
  if (kind === 'unchanged') return notice ?? 'The context could not be compressed any further.';
  const share = (tokens = 0) => `${Math.min(100, Math.round((tokens / contextWindow) * 100))}%`;
  const count = (fate: (typeof items)[number]['fate']) => items.filter((item) => item.fate === fate).length;
  const dropped = count('dropped') + count('pruned');
  const parts = [
    `kept ${countOf(count('kept'), 'message')}`,
    ...(count('summarised') > 0 ? [`summarised ${count('summarised')}`] : []),
    ...(dropped > 0 ? [`dropped ${countOf(dropped, 'tool output')}`] : []),
  ];
  const more = notice === undefined ? '' : ` ${notice}`;
  const advice = '/context shows them, /recall brings one back';
  return `Context compressed: ${share(tokensBefore)} → ${share(tokensAfter)}   ${parts.join(', ')} · ${advice}${more}`;
}

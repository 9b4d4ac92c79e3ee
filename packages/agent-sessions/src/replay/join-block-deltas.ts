import type { ModelEvent } from '@robota-sdk/agent-core';

/**
 * Joins streamed pieces of each block, so that a key is not split. Pieces of calls are dropped: the end of a call
 * contains its whole input.
 */
export function joinBlockDeltas(events: readonly ModelEvent[]): readonly ModelEvent[] {
  const joined: ModelEvent[] = [];
  for (const event of events) {
    if (event.type === 'tool-call-delta') continue;
    const last = joined.at(-1);
    const whole = last && join(last, event);
    if (whole) joined.splice(-1, 1, whole);
    else joined.push(event);
  }
  return joined;
}

function join(last: ModelEvent, event: ModelEvent): ModelEvent | undefined {
  if (last.type === 'text-delta' && event.type === 'text-delta' && last.index === event.index)
    return { ...last, text: last.text + event.text };
  if (last.type === 'thinking-delta' && event.type === 'thinking-delta' && last.index === event.index)
    return { ...last, text: last.text + event.text };
  return undefined;
}

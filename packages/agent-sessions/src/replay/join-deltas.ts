import type { ModelEvent } from '@robota-sdk/agent-core';

/**
 * Joins the pieces of each block as they were streamed, so that nothing in them, such as a key, is cut in two. Those of
 * calls are left out: the end of a call holds its whole input.
 */
export function joinDeltas(events: readonly ModelEvent[]): readonly ModelEvent[] {
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

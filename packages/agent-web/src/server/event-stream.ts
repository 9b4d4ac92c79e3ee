import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { tokenOfEntry } from '../contract/entry-token.ts';
import type { StreamEvent } from '../contract/stream.ts';

/** The first bytes of a stream: headers and this line are with the browser before the first event. */
const opening = 'retry: 1000\n\n';

/**
 * Writes events to a browser until they end or it is gone. A browser that takes nothing for `slowMs` is dropped: it comes
 * back with the id of the last entry it has, and loses nothing.
 */
export async function writeEvents(
  response: ServerResponse,
  events: AsyncIterable<StreamEvent>,
  { signal, slowMs }: { readonly signal: AbortSignal; readonly slowMs: number },
): Promise<void> {
  response.write(opening);
  response.socket?.setKeepAlive(true, 30_000);
  for await (const event of events) {
    if (signal.aborted) return;
    if (response.write(frameOf(event))) continue;
    await drained(response, { signal, slowMs });
  }
}

/** Throws where the browser is gone or too slow. Not `AbortSignal.any`, which leaves something behind at the signal each time. */
async function drained(
  response: ServerResponse,
  { signal, slowMs }: { readonly signal: AbortSignal; readonly slowMs: number },
): Promise<void> {
  const end = new AbortController();
  const stop = () => end.abort();
  const late = setTimeout(stop, slowMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await once(response, 'drain', { signal: end.signal });
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
  }
}

/** The bytes of events that several streams send. */
const frames = new WeakMap<object, Buffer>();

/** JSON has no line breaks, so an event is one line of data. */
function frameOf(event: StreamEvent): Buffer {
  const shared = event.type === 'event' ? event.event : event;
  const known = frames.get(shared);
  if (known) return known;
  const id = 'id' in event ? `id: ${tokenOfEntry(event.id)}\n` : '';
  const frame = Buffer.from(`${id}data: ${JSON.stringify(event)}\n\n`);
  frames.set(shared, frame);
  return frame;
}

import { effect, signal } from '@preact/signals';
import type { StreamEvent } from '../../contract/stream.ts';
import { keyHeaders } from './api.ts';
import { ServerEventReader } from './server-events.ts';

/** State of the connection to the server. */
export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  /** `seconds` until the next attempt. */
  | { readonly state: 'lost'; readonly seconds: number }
  /** Several attempts failed; it is still tried now and then. */
  | { readonly state: 'stopped' }
  /** This browser is not, or no longer, allowed. */
  | { readonly state: 'refused' };

export const connection = signal<Connection>({ state: 'connecting' });

type Listener = (event: StreamEvent) => void;

const listeners = new Set<Listener>();
/** Seconds before each attempt. On this machine only a server that has stopped refuses a connection. */
const waits = /^(?:127\.|localhost$|\[::1\]$)/.test(location.hostname) ? [1, 2] : [1, 2, 4, 8];
const laterWait = 15;
/** A reply that takes longer is waited for in sight of the user. */
const slowMs = 3000;
/** Without a look for so long, the device slept or the tab was hidden. */
const sleepMs = 30_000;

/** Hears every event of the stream; returns the way to stop. */
export function onStream(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session whose entries the stream carries, and the last entry that the page has. */
const wanted = signal<{ readonly session: string | undefined; readonly lastEntry: string | undefined }>({
  session: undefined,
  lastEntry: undefined,
});
let lastEntry: string | undefined;
let current: AbortController | undefined;

/** Follows a session, from the entry after `last` on; without one only the board. */
export function followSession(session: string | undefined, last?: string): void {
  // The board comes with every stream.
  if (session === undefined && wanted.peek().session === undefined) return;
  wanted.value = { session, lastEntry: last };
}

/** Opens the stream, and opens it again whenever it ends. */
export function startStream(): () => void {
  reopenAfterSleep();
  return effect(() => {
    const { session, lastEntry: last } = wanted.value;
    lastEntry = last;
    current?.abort();
    current = new AbortController();
    void keepOpen(session, current.signal);
  });
}

/** While a device sleeps or changes its network, a connection may end without a word to the page. */
function reopenAfterSleep(): void {
  let seen = Date.now();
  const reopen = () => connection.peek().state === 'live' && reconnect();
  const look = () => {
    if (document.hidden) return;
    const pause = Date.now() - seen;
    seen += pause;
    if (pause > sleepMs) reopen();
  };
  setInterval(look, sleepMs / 3);
  document.addEventListener('visibilitychange', look);
  addEventListener('online', reopen);
}

/** Tries at once, as a click on the badge asks. */
export function reconnect(): void {
  wanted.value = { session: wanted.peek().session, lastEntry };
}

async function keepOpen(session: string | undefined, stop: AbortSignal): Promise<void> {
  for (let failures = 0; !stop.aborted; failures += 1) {
    const opened = await readStream(session, stop);
    if (stop.aborted) return;
    if (opened === 'refused') {
      connection.value = { state: 'refused' };
      return;
    }
    if (opened === 'opened') failures = 0;
    await waitFor(waits[failures] ?? laterWait, failures >= waits.length, stop);
  }
}

/** Reads one stream to its end. */
async function readStream(
  session: string | undefined,
  stop: AbortSignal,
): Promise<'opened' | 'failed' | 'refused'> {
  const query = session === undefined ? '' : `?session=${encodeURIComponent(session)}`;
  let isOpen = false;
  const late = setTimeout(() => {
    if (!isOpen) connection.value = { state: 'connecting' };
  }, slowMs);
  try {
    const reply = await fetch(`/api/events${query}`, {
      headers: {
        ...keyHeaders(),
        accept: 'text/event-stream',
        ...(lastEntry === undefined ? {} : { 'last-event-id': lastEntry }),
      },
      cache: 'no-store',
      signal: stop,
    });
    if (reply.status === 401 || reply.status === 403) return 'refused';
    if (!reply.ok || !reply.body) return 'failed';
    isOpen = true;
    connection.value = { state: 'live' };
    const reader = new ServerEventReader();
    const texts = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let next = await texts.read(); !next.done; next = await texts.read())
      for (const event of reader.read(next.value)) deliver(event.id, event.data);
  } catch {
    // The connection ended; the caller opens it again.
  } finally {
    clearTimeout(late);
  }
  return isOpen ? 'opened' : 'failed';
}

function deliver(id: string | undefined, data: string): void {
  if (id !== undefined && id !== '') lastEntry = id;
  const event = JSON.parse(data) as StreamEvent;
  for (const listener of listeners) listener(event);
}

/** Counts down to the next attempt; a network that comes back ends the wait. */
async function waitFor(seconds: number, isStopped: boolean, stop: AbortSignal): Promise<void> {
  const early = new AbortController();
  const end = () => early.abort();
  addEventListener('online', end, { once: true });
  for (let left = seconds; left > 0 && !stop.aborted && !early.signal.aborted; left -= 1) {
    connection.value = isStopped ? { state: 'stopped' } : { state: 'lost', seconds: left };
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 1000);
      for (const signal of [stop, early.signal])
        signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
  removeEventListener('online', end);
}

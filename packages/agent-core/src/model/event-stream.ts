import type { JsonObject } from '../json.ts';
import { failureOfResponse, failureOfThrown, isLoopback, StreamFailure } from './failure.ts';
import type { Connection } from './model.ts';
import type { ModelEvent } from './model-event.ts';
import type { ModelRequest } from './provider.ts';
import { type SseEvent, SseParser } from './sse.ts';

const defaultIdleTimeoutMs = 120_000;
const maxEventCharacters = 32 * 1024 * 1024;
const maxStreamBytes = 512 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;

/** One POST whose answer is a stream of events. */
export interface EventStreamCall {
  readonly connection: Connection;
  readonly request: ModelRequest;
  /** Appended to the connection's base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/**
 * Sends a model call and yields its events, a batch per network chunk. Throws only `StreamFailure`.
 * Any byte resets the idle timer; redirects are refused, since they would carry the key elsewhere.
 */
export async function* streamEvents(call: EventStreamCall): AsyncGenerator<readonly SseEvent[]> {
  const url = call.connection.baseUrl.replace(/\/+$/, '') + call.path;
  const origin = { vendor: call.connection.vendor, model: call.request.model.id, url };
  assertSafeUrl(url, call.connection);
  const idle = new IdleTimer(call.connection.idleTimeoutMs ?? defaultIdleTimeoutMs);
  const { signal } = call.request;
  try {
    signal.throwIfAborted();
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...call.headers,
        ...call.connection.headers,
      },
      body: JSON.stringify(call.body),
      redirect: 'manual',
      signal: AbortSignal.any([signal, idle.signal]),
    });
    idle.reset();
    const body = await assertEventStream(response, origin);
    yield* readEvents(body, idle, origin.vendor);
  } catch (thrown) {
    if (signal.aborted) throw new StreamFailure({ code: 'aborted', message: 'Interrupted.', retryable: false });
    if (idle.expired) throw new StreamFailure(idle.failure(origin.vendor));
    throw new StreamFailure(failureOfThrown(thrown, origin));
  } finally {
    idle.stop();
  }
}

/** Wraps an adapter's generator so that every failure becomes the last event. */
export async function* endWithError(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  let ended = false;
  try {
    for await (const event of events) {
      ended ||= event.type === 'end' || event.type === 'error';
      yield event;
    }
    if (!ended) throw new StreamFailure(incompleteStream);
  } catch (thrown) {
    if (ended) return;
    if (thrown instanceof StreamFailure) {
      yield { type: 'error', failure: thrown.failure };
      return;
    }
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    yield {
      type: 'error',
      failure: { code: 'protocol', message: `The answer could not be understood: ${reason}`, retryable: false },
    };
  }
}

/** The connection closed before the vendor said the answer was complete. */
export const incompleteStream = {
  code: 'network',
  message: 'The connection closed before the answer was complete.',
  retryable: true,
} as const;

function assertSafeUrl(url: string, connection: Connection): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const safe =
    parsed?.protocol === 'https:' ||
    (parsed?.protocol === 'http:' && (isLoopback(parsed.host) || connection.allowInsecureHttp === true));
  if (safe) return;
  throw new StreamFailure({
    code: 'refused-url',
    retryable: false,
    message: parsed
      ? `${connection.vendor}: ${url} would send the key and the conversation unencrypted. Use https, or allow it for this server with --allow-insecure-http.`
      : `${connection.vendor}: "${url}" is not a URL. Correct the base URL.`,
  });
}

async function assertEventStream(
  response: Response,
  origin: { vendor: string; model: string; url: string },
): Promise<ReadableStream<Uint8Array>> {
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const location = response.headers.get('location') ?? 'nowhere';
    throw new StreamFailure({
      code: 'server',
      retryable: false,
      status: response.status,
      message: `${origin.vendor}: ${origin.url} redirects to ${location}. If that is right, make it the base URL.`,
    });
  }
  if (!response.ok) {
    const body = await readStart(response);
    throw new StreamFailure(failureOfResponse({ ...origin, status: response.status, headers: response.headers, body }));
  }
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('text/event-stream') && response.body) return response.body;
  const start = (await readStart(response)).trim().slice(0, 120);
  throw new StreamFailure({
    code: 'not-event-stream',
    retryable: false,
    status: response.status,
    message: `${origin.vendor}: ${origin.url} answered with ${type || 'no content type'}, not an event stream. A login page of the network or a wrong base URL does this. It begins: ${start}`,
  });
}

async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    bytes += chunk.byteLength;
    if (bytes >= maxErrorBytes) break;
  }
  return text;
}

async function* readEvents(
  body: ReadableStream<Uint8Array>,
  idle: IdleTimer,
  vendor: string,
): AsyncGenerator<readonly SseEvent[]> {
  const decoder = new TextDecoder();
  const parser = new SseParser();
  let bytes = 0;
  for await (const chunk of body) {
    idle.reset();
    bytes += chunk.byteLength;
    const events = parser.push(decoder.decode(chunk, { stream: true }));
    if (bytes > maxStreamBytes || parser.pending > maxEventCharacters) throw new StreamFailure(tooLarge(vendor));
    if (events.length > 0) yield events;
  }
  const last = [...parser.push(decoder.decode()), ...parser.end()];
  if (last.length > 0) yield last;
}

function tooLarge(vendor: string) {
  return {
    code: 'protocol',
    message: `${vendor}: the answer is larger than any model's output; it was cut off.`,
    retryable: false,
  } as const;
}

/** Aborts when nothing arrives for a while; one timer for the whole stream. */
class IdleTimer {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #limitMs: number;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.#timer = setTimeout(() => this.#controller.abort(), limitMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get expired(): boolean {
    return this.#controller.signal.aborted;
  }

  reset(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  failure(vendor: string) {
    const seconds = Math.round(this.#limitMs / 1000);
    return {
      code: 'stalled',
      message: `${vendor}: no data for ${seconds} s; the attempt was given up.`,
      retryable: true,
    } as const;
  }
}

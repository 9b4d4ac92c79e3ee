import { isJsonObject, type JsonValue, parseJson } from '@robota-sdk/agent-core';
import { maxMessageBytes, messageTooLarge } from './message-limit.ts';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
type Bytes = TransformStream<Uint8Array, Uint8Array>;

/**
 * A `fetch` whose answers can't fill the memory, a body being as long as one message and an event stream as one event at
 * most, and whose event streams never end without a word: the request they answer fails where they break off.
 */
export function guardedFetch(fetcher: Fetch): Fetch {
  return async (url, init) => {
    const message = typeof init?.body === 'string' ? parseJson(init.body) : undefined;
    const response = await fetcher(url, init && withTaskName(init, message));
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const body = isStream
      ? guardEvents(response.body, isJsonObject(message) ? message.id : undefined)
      : response.body.pipeThrough(bodyCap());
    const { statusText, headers } = response;
    const status = isProtocolError(response, message) ? 400 : response.status;
    const guarded = new Response(body, { status, statusText, headers });
    // A new response has no address, which discovery compares.
    Object.defineProperties(guarded, {
      url: { value: response.url },
      redirected: { value: response.redirected },
    });
    return guarded;
  };
}

/**
 * Since 2026-07-28 an unknown method is answered with 404 and an error of the protocol, which the library reads only from an
 * answer with 400.
 */
function isProtocolError({ status, headers }: Response, message: JsonValue | undefined): boolean {
  if (status !== 404 || !headers.get('content-type')?.includes('application/json')) return false;
  const { params } = isJsonObject(message) ? message : {};
  const { _meta: meta } = isJsonObject(params) ? params : {};
  return isJsonObject(meta) && meta['io.modelcontextprotocol/protocolVersion'] !== undefined;
}

/** Requests about tasks name their task for proxies, which the library does for other requests. */
function withTaskName(init: RequestInit, message: JsonValue | undefined): RequestInit {
  const { method, params } = isJsonObject(message) ? message : {};
  const { taskId } = isJsonObject(params) ? params : {};
  if (typeof method !== 'string' || !method.startsWith('tasks/') || typeof taskId !== 'string') return init;
  const headers = new Headers(init.headers);
  headers.set('mcp-name', taskId);
  return { ...init, headers };
}

function bodyCap(): Bytes {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > maxMessageBytes) controller.error(new Error(messageTooLarge(bytes)));
      else controller.enqueue(chunk);
    },
  });
}

/** Without a request id it is a stream for whatever the server has to say, which is opened again when it breaks off. */
function guardEvents(body: ReadableStream<Uint8Array>, requestId: unknown): ReadableStream<Uint8Array> {
  const meter = new EventMeter();
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const fail = (message: string) => {
        if (requestId === undefined) return controller.error(new Error(message));
        controller.enqueue(errorEvent(requestId, message));
        controller.close();
      };
      try {
        const { done, value } = await reader.read();
        if (done) return meter.canResume || requestId === undefined ? controller.close() : fail(brokenOff);
        if (meter.measure(value) <= maxMessageBytes) return controller.enqueue(value);
        fail(messageTooLarge(meter.bytes));
        await reader.cancel();
      } catch (thrown) {
        if (meter.canResume) controller.error(thrown);
        else fail(brokenOff);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Why a request fails whose answer breaks off. */
export const brokenOff = 'the connection was closed before the answer came';

function errorEvent(id: unknown, message: string): Uint8Array {
  const error = { jsonrpc: '2.0', id, error: { code: -32_000, message } };
  // The blank line ends whatever event was begun; an answer that came before makes this one of no effect.
  return new TextEncoder().encode(`\n\ndata: ${JSON.stringify(error)}\n\n`);
}

/** Measures events from one blank line to the next. */
class EventMeter {
  bytes = 0;
  /** Events had ids, so that the stream can be taken up again where it broke off. */
  canResume = false;
  #wasNewline = true;

  measure(chunk: Uint8Array): number {
    this.bytes += chunk.length;
    for (const [index, byte] of chunk.entries()) {
      if (byte === carriageReturn) continue;
      const isNewline = byte === newline;
      if (isNewline && this.#wasNewline) this.bytes = chunk.length - index - 1;
      if (this.#wasNewline && byte === letterI && chunk[index + 1] === letterD) this.canResume = true;
      this.#wasNewline = isNewline;
    }
    return this.bytes;
  }
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const letterI = 0x69;
const letterD = 0x64;

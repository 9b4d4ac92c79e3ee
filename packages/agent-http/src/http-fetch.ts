import type { IncomingMessage } from 'node:http';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { openRequest } from './open-request.ts';
import { uncompressed } from './uncompressed.ts';

const maxRedirects = 20;
const redirects = [301, 302, 303, 307, 308];
const withoutBody = [204, 205, 304];
/** Headers that are meant for one origin only. */
const private_ = /^(?:authorization|cookie|proxy-authorization|x-api-key)$/i;

/** Options of the standard, and one of ours. */
export interface FetchOptions extends RequestInit {
  /** Goes past every proxy, as to the metadata service of a machine. */
  readonly isDirect?: boolean;
}

/**
 * `fetch` on the way the environment prescribes, with what its callers use of the standard: texts, bytes and forms as bodies,
 * all three modes of redirects, signals. Fails like it: with a `TypeError` whose cause says why.
 */
export async function httpFetch(input: string | URL, init: FetchOptions = {}): Promise<Response> {
  let call = callOf(new URL(input), init);
  const { redirect = 'follow' } = init;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const response = await send(call, init);
    const location = redirects.includes(response.statusCode ?? 0) ? response.headers.location : undefined;
    if (location === undefined || redirect === 'manual') return responseOf(call, response, hop > 0);
    response.destroy();
    if (redirect === 'error')
      throw failed(new Error(`${call.url.host} redirects to ${hostIn(location, call.url)}`));
    call = followed(call, new URL(location, call.url), response.statusCode ?? 0);
  }
  throw failed(new Error(`${call.url.host} redirects more than ${maxRedirects} times`));
}

interface Call {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

function callOf(url: URL, { method = 'GET', headers, body }: RequestInit): Call {
  const own = Object.fromEntries(new Headers(headers));
  const bytes = body === undefined || body === null ? undefined : bytesOf(body);
  const isForm = body instanceof URLSearchParams && own['content-type'] === undefined;
  return {
    url,
    method: method.toUpperCase(),
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': 'robota',
      ...own,
      ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' } : {}),
      ...(typeof body === 'string' && own['content-type'] === undefined
        ? { 'content-type': 'text/plain;charset=UTF-8' }
        : {}),
      ...(bytes ? { 'content-length': String(bytes.length) } : {}),
    },
    body: bytes,
  };
}

function bytesOf(body: NonNullable<RequestInit['body']>): Buffer {
  if (typeof body === 'string' || body instanceof URLSearchParams) return Buffer.from(String(body));
  if (body instanceof ArrayBuffer) return Buffer.from(body);
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  throw new TypeError('this body cannot be sent: use a text, bytes or URLSearchParams');
}

/** As the standard has it: most redirects of a POST become a GET, and keys stay with their origin. */
function followed(call: Call, url: URL, status: number): Call {
  const becomesGet = status === 303 ? call.method !== 'HEAD' : status <= 302 && call.method === 'POST';
  const isElsewhere = url.origin !== call.url.origin;
  const dropped = (name: string) =>
    (isElsewhere && private_.test(name)) || (becomesGet && name.startsWith('content-'));
  const headers = Object.entries(call.headers).filter(([name]) => !dropped(name));
  const kept = { url, headers: Object.fromEntries(headers) };
  return becomesGet ? { ...kept, method: 'GET', body: undefined } : { ...call, ...kept };
}

async function send(
  { url, method, headers, body }: Call,
  { signal: ends, isDirect }: FetchOptions,
): Promise<IncomingMessage> {
  const signal = ends ?? undefined;
  signal?.throwIfAborted();
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw failed(new Error(`${url.protocol}// is not fetched`));
  const opened = await openRequest(url, { method, headers, isDirect }).catch((thrown: Error) => {
    throw failed(thrown);
  });
  const { request } = opened;
  return new Promise((resolve, reject) => {
    const abort = () => {
      opened.abort();
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    request.on('error', (error) => {
      signal?.removeEventListener('abort', abort);
      reject(failed(opened.explain(error)));
    });
    request.once('response', (response) => {
      signal?.removeEventListener('abort', abort);
      const problem = opened.problemOf(response);
      if (problem) {
        response.destroy();
        return reject(failed(problem));
      }
      endWith(signal, response);
      resolve(response);
    });
    request.end(body);
  });
}

/** The signal ends the exchange until the body has ended. */
function endWith(signal: AbortSignal | undefined, response: IncomingMessage): void {
  const destroy = () => response.destroy(signal?.reason as Error);
  if (signal?.aborted) return void destroy();
  signal?.addEventListener('abort', destroy, { once: true });
  response.once('close', () => signal?.removeEventListener('abort', destroy));
}

function responseOf(call: Call, message: IncomingMessage, redirected: boolean): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = message;
  const headers = new Headers();
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2)
    headers.append(message.rawHeaders[at] ?? '', message.rawHeaders[at + 1] ?? '');
  const response = new Response(bodyOf(call, message), { status, statusText, headers });
  Object.defineProperties(response, { url: { value: call.url.href }, redirected: { value: redirected } });
  return response;
}

function bodyOf(call: Call, message: IncomingMessage): ReadableStream<Uint8Array> | null {
  if (withoutBody.includes(message.statusCode ?? 0) || call.method === 'HEAD') {
    message.resume();
    return null;
  }
  const { Readable } = process.getBuiltinModule('node:stream');
  const body: NodeReadableStream<Uint8Array> = Readable.toWeb(uncompressed(message));
  return body as ReadableStream<Uint8Array>;
}

function failed(cause: Error): TypeError {
  return new TypeError('fetch failed', { cause });
}

function hostIn(location: string, base: URL): string {
  return URL.canParse(location, base.href) ? new URL(location, base).host : 'no address';
}

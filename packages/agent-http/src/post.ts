import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type OpenedRequest, openRequest } from './open-request.ts';
import { uncompressed } from './uncompressed.ts';

/** As many kept connections may turn out dead for one request. */
const maxStaleSockets = 10;

/** One request with a body. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  /** Pieces that follow each other. */
  readonly body: readonly Uint8Array[];
  readonly signal: AbortSignal;
  /** The answer is binary. */
  readonly wantsBytes?: boolean;
}

/** An answer whose body still comes. */
export interface PostAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The body as text, uncompressed; as bytes if the call asked for them. */
  readonly body: Readable;
  /** Makes an error of the body one that names the proxy or the certificate. */
  explain(error: Error): Error;
}

/** The headers of an answer, by their name in small letters. */
export interface AnswerHeaders {
  get(name: string): string | null;
}

/**
 * Sends a POST; redirects are handed on like any other answer. Loading `fetch` would cost more than all the rest of a
 * short run, so this is Node's own client. Throws a `ProxyError` or a `CertificateError` where one of them is the reason.
 * The signal ends the exchange until the body has ended or was destroyed.
 */
export async function post(url: string, call: Post): Promise<PostAnswer> {
  const { response, opened } = await sendOnLiveSocket(url, call);
  const body = uncompressed(response);
  destroyOnAbort(body, call.signal);
  return {
    status: response.statusCode ?? 0,
    headers: { get: (name) => [response.headers[name] ?? []].flat().join(', ') || null },
    body: call.wantsBytes ? body : body.setEncoding('utf8'),
    explain: opened.explain,
  };
}

/** True if a header can be sent. The error that would say why may repeat the value, which may be a key. */
export function isSendable(name: string, value: string): boolean {
  const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http');
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

interface Answered {
  readonly response: IncomingMessage;
  readonly opened: OpenedRequest;
}

/** Servers close connections they kept open: a request that dies on one before any answer is sent again at once. */
async function sendOnLiveSocket(url: string, call: Post): Promise<Answered> {
  for (let attempt = 1; ; attempt++) {
    const sent = await send(url, call);
    if ('response' in sent) return sent;
    if (!sent.isStaleSocket || call.signal.aborted || attempt > maxStaleSockets) throw sent.error;
  }
}

type Sent = Answered | { readonly error: Error; readonly isStaleSocket: boolean };

async function send(url: string, call: Post): Promise<Sent> {
  const opened = await openRequest(new URL(url), optionsOf(call));
  const { request } = opened;
  return new Promise((resolve) => {
    const bytesRead = countFromNow(request);
    // Not Node's `signal`: it would destroy a socket that already left the request, with an unhandled error.
    const abort = () => opened.abort();
    call.signal.addEventListener('abort', abort, { once: true });
    if (call.signal.aborted) abort();
    request.once('response', (response) => {
      call.signal.removeEventListener('abort', abort);
      // From here on the body tells.
      request.on('error', () => {});
      const problem = opened.problemOf(response);
      if (!problem) return resolve({ response, opened });
      response.destroy();
      resolve({ error: problem, isStaleSocket: false });
    });
    request.once('error', (error: NodeJS.ErrnoException) => {
      call.signal.removeEventListener('abort', abort);
      const isReset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      const isStaleSocket = request.reusedSocket && isReset && bytesRead() === 0;
      resolve({ error: opened.explain(error), isStaleSocket });
    });
    for (const piece of call.body) request.write(piece);
    request.end();
  });
}

/** Counts the bytes received for this request; a kept socket has received others before. */
function countFromNow(request: ClientRequest): () => number {
  let received = () => 0;
  request.once('socket', (socket) => {
    const before = socket.bytesRead;
    received = () => socket.bytesRead - before;
    // A socket that fails after its request has left it must not end the process.
    if (!socket.listeners('error').includes(ignoreError)) socket.on('error', ignoreError);
  });
  return () => received();
}

function ignoreError(): void {}

/** Without an error: it would travel to the socket, which may have no listener left. */
function destroyOnAbort(body: Readable, signal: AbortSignal): void {
  const destroy = () => body.destroy();
  if (signal.aborted) return void destroy();
  signal.addEventListener('abort', destroy, { once: true });
  body.once('close', () => signal.removeEventListener('abort', destroy));
}

function optionsOf({ headers: given, body }: Post) {
  // As long as a piece waits for its reader the socket rests, too: a reader that takes its time is not woken up.
  const unread = { highWaterMark: 1 };
  const headers = { 'user-agent': 'robota', ...given, 'content-length': bodySize(body) };
  return { method: 'POST', headers, ...unread };
}

/** How many bytes the pieces of a body have together. */
export function bodySize(body: Post['body']): number {
  return body.reduce((sum, { length }) => sum + length, 0);
}

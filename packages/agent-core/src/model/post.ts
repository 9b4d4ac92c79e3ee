import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';

const connectTimeoutMs = 10_000;
/** As many kept connections may turn out dead for one request. */
const maxStaleSockets = 10;
const maxEncodings = 3;

/** One request with a body. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  /** Pieces that follow each other. */
  readonly body: readonly Uint8Array[];
  readonly signal: AbortSignal;
}

/** An answer whose body still comes. */
export interface PostAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The body as text, uncompressed. */
  readonly body: Readable;
}

/** The answer is compressed in a way this Node cannot undo. */
export class UnknownEncoding extends Error {
  constructor(encoding: string) {
    super(`content-encoding "${encoding}" is not supported`);
  }
}

/** The headers of an answer, by their name in small letters. */
export interface AnswerHeaders {
  get(name: string): string | null;
}

/**
 * Sends a POST; redirects are handed on like any other answer. Loading `fetch` would cost more than all the rest of a
 * short run, so this is Node's own client, whose shared agent keeps connections and knows the proxy of `NODE_USE_ENV_PROXY`.
 * The signal ends the exchange until the body has ended or was destroyed.
 */
export async function post(url: string, call: Post): Promise<PostAnswer> {
  const response = await sendOnLiveSocket(url, call);
  const body = uncompressed(response);
  destroyOnAbort(body, call.signal);
  return {
    status: response.statusCode ?? 0,
    headers: { get: (name) => [response.headers[name] ?? []].flat().join(', ') || null },
    body: body.setEncoding('utf8'),
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

/** Servers close connections they kept open: a request that dies on one before any answer is sent again at once. */
async function sendOnLiveSocket(url: string, call: Post): Promise<IncomingMessage> {
  for (let attempt = 1; ; attempt++) {
    const sent = await send(url, call);
    if ('response' in sent) return sent.response;
    if (!sent.isStaleSocket || call.signal.aborted || attempt > maxStaleSockets) throw sent.error;
  }
}

type Sent =
  | { readonly response: IncomingMessage }
  | { readonly error: Error; readonly isStaleSocket: boolean };

function send(url: string, call: Post): Promise<Sent> {
  return new Promise((resolve) => {
    const request = requestOf(url, call);
    const stopWaiting = limitConnecting(request);
    const bytesRead = countFromNow(request);
    // Not Node's `signal`: it would destroy a socket that already left the request, with an unhandled error.
    const abort = () => request.destroy();
    call.signal.addEventListener('abort', abort, { once: true });
    request.once('response', (response) => {
      call.signal.removeEventListener('abort', abort);
      // From here on the body tells.
      request.on('error', () => {});
      resolve({ response });
    });
    request.once('error', (error: NodeJS.ErrnoException) => {
      call.signal.removeEventListener('abort', abort);
      stopWaiting();
      const isReset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      resolve({ error, isStaleSocket: request.reusedSocket && isReset && bytesRead() === 0 });
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

function requestOf(url: string, { headers: given, body }: Post): ClientRequest {
  const isSecure = url.startsWith('https:');
  const { request } = process.getBuiltinModule(isSecure ? 'node:https' : 'node:http');
  // As long as a piece waits for its reader the socket rests, too: a reader that takes its time is not woken up.
  const unread = { highWaterMark: 1 };
  const headers = { 'user-agent': 'robota', ...given, 'content-length': sizeOf(body) };
  return request(url, { method: 'POST', headers, ...unread });
}

/** How many bytes the pieces of a body have together. */
export function sizeOf(body: Post['body']): number {
  return body.reduce((sum, { length }) => sum + length, 0);
}

/** An address that swallows everything would otherwise be waited for as long as a model that thinks. */
function limitConnecting(request: ClientRequest): () => void {
  const timer = setTimeout(() => {
    const message = `no connection within ${connectTimeoutMs / 1000} s`;
    request.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
  }, connectTimeoutMs);
  const stop = () => clearTimeout(timer);
  request.once('socket', (socket) => {
    if (request.reusedSocket) stop();
    else socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', stop);
  });
  return stop;
}

/** Decodes in the reverse order of the list, as RFC 9110 has it. */
function uncompressed(response: IncomingMessage): Readable {
  const encodings = (response.headers['content-encoding'] ?? '').toLowerCase().split(',');
  const steps = encodings.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
  if (steps.length === 0) return response;
  const decoders = steps.reverse().flatMap((step) => decoderOf(step) ?? []);
  const last = decoders.at(-1);
  if (!last || decoders.length < steps.length || steps.length > maxEncodings) {
    response.destroy();
    throw new UnknownEncoding(steps.reverse().join(', '));
  }
  const { pipeline } = process.getBuiltinModule('node:stream');
  pipeline([response, ...decoders], () => {});
  return last;
}

function decoderOf(encoding: string): Transform | undefined {
  const zlib = process.getBuiltinModule('node:zlib');
  if (/^(x-)?gzip$|^deflate$/.test(encoding)) return zlib.createUnzip();
  if (encoding === 'br') return zlib.createBrotliDecompress();
  if (encoding !== 'zstd') return undefined;
  // Newer Nodes only.
  const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => Transform };
  return createZstdDecompress?.();
}

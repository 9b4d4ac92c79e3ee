import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

const connectTimeoutMs = 10_000;

/** One request with a body. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** An answer whose body still comes. */
export interface PostAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The body as text, uncompressed. */
  readonly body: Readable;
}

/** The headers of an answer, by their name in small letters. */
export interface AnswerHeaders {
  get(name: string): string | null;
}

/**
 * Sends a POST; redirects are handed on like any other answer. Loading `fetch` would cost more than all the rest of a
 * short run, so this is Node's own client, whose shared agent keeps connections and knows the proxy of `NODE_USE_ENV_PROXY`.
 */
export async function post(url: string, call: Post): Promise<PostAnswer> {
  const response = await send(url, call);
  return {
    status: response.statusCode ?? 0,
    headers: { get: (name) => [response.headers[name] ?? []].flat().join(', ') || null },
    body: uncompressed(response).setEncoding('utf8'),
  };
}

/** Whether a header can be sent. The error that would say why may repeat the value, which may be a key. */
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

function send(url: string, call: Post): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = requestOf(url, call);
    const stopWaiting = limitConnecting(request);
    request.once('response', (response) => {
      // From here on the body tells.
      request.on('error', () => {});
      resolve(response);
    });
    request.once('error', (error) => {
      stopWaiting();
      reject(error);
    });
    // A text would be joined with the headers, measured and then written in a slow way.
    request.end(Buffer.from(call.body));
  });
}

function requestOf(url: string, { headers, signal }: Post): ClientRequest {
  const isSecure = url.startsWith('https:');
  const { request } = process.getBuiltinModule(isSecure ? 'node:https' : 'node:http');
  // As long as a piece waits for its reader the socket rests, too: a reader that takes its time is not woken up.
  const unread = { highWaterMark: 1 };
  return request(url, { method: 'POST', headers: { 'user-agent': 'robota', ...headers }, signal, ...unread });
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

function uncompressed(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (!/^(x-)?gzip$|^deflate$|^br$/.test(encoding)) return response;
  const { createBrotliDecompress, createUnzip } = process.getBuiltinModule('node:zlib');
  const { pipeline } = process.getBuiltinModule('node:stream');
  return pipeline(response, encoding === 'br' ? createBrotliDecompress() : createUnzip(), () => {});
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One step of a body: bytes, a pause, a hard reset of the connection, or silence until the client goes away. */
export type Chunk =
  | string
  | Uint8Array
  | { readonly pauseMs: number }
  | { readonly reset: true }
  | { readonly hang: true };

/** The server's answer to one request. */
export interface Reply {
  /** 200 unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Silence before the status line. */
  readonly delayMs?: number;
  readonly chunks: readonly Chunk[];
  /** Cuts the concatenated bytes into pieces of this size, each written on its own. */
  readonly chunkBytes?: number;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body, byte for byte as text. */
  readonly text: string;
  readonly body: unknown;
  /** Milliseconds on the monotonic clock at which the request was complete. */
  readonly at: number;
}

type Handler = (request: RecordedRequest) => Reply | Promise<Reply>;

export interface ModelServer {
  readonly url: string;
  /** Requests for an answer of a model. */
  readonly requests: readonly RecordedRequest[];
  /** Questions about the server and its models. */
  readonly questions: readonly RecordedRequest[];
  /** Queues replies, used in order before any handler. */
  reply(...replies: readonly Reply[]): void;
  /** Answers requests that find no queued reply. */
  handle(handler: Handler): void;
  /** Answers questions; most servers know none of them, so they are refused unless given. */
  handleQuestions(handler: Handler): void;
  /** Answers requests for the title of a session, which are kept apart from `requests`; refused unless given. */
  handleTitles(handler: Handler): void;
  close(): Promise<void>;
}

/** Starts a real HTTP server on loopback that plays a model vendor. Unexpected requests get a 500 that says so. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const questions: RecordedRequest[] = [];
  const queue: Reply[] = [];
  let handler: Handler | undefined;
  let answerQuestion: Handler = () => jsonReply(404, { error: { message: 'not found' } });
  let titles: Handler = () => jsonReply(404, { error: { message: 'no titles here' } });
  const answerTo = async (request: RecordedRequest) => {
    if (isTitleRequest(request)) return titles(request);
    if (isQuestion(request)) {
      questions.push(request);
      return answerQuestion(request);
    }
    requests.push(request);
    return queue.shift() ?? (await handler?.(request)) ?? unexpected(request);
  };
  const server = createServer(async (incoming, outgoing) => {
    const reply = await answerTo(await record(incoming));
    await play(reply, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    questions,
    reply: (...replies) => void queue.push(...replies),
    handle: (next) => {
      handler = next;
    },
    handleQuestions: (next) => {
      answerQuestion = next;
    },
    handleTitles: (next) => {
      titles = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A small model is asked for a title beside the conversation, at any time after the first answer. */
function isTitleRequest({ text }: RecordedRequest): boolean {
  return text.includes('You write the title of a conversation');
}

/** Programs ask servers which models they have and how they run them, besides talking to a model. */
function isQuestion({ method, path }: RecordedRequest): boolean {
  return method === 'GET' || path.endsWith('/api/show');
}

/** A 200 event stream of already formatted chunks. */
export function eventStream(chunks: readonly Chunk[], extra: Omit<Reply, 'chunks'> = {}): Reply {
  return { ...extra, headers: { 'content-type': 'text/event-stream', ...extra.headers }, chunks };
}

/** One server-sent event. */
export function sse(data: unknown, event?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

/** A JSON answer, such as an error. */
export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    chunks: [JSON.stringify(body)],
  };
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers,
    text,
    body: parseBody(text),
    at: performance.now(),
  };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unexpected(request: RecordedRequest): Reply {
  return jsonReply(500, {
    error: { message: `test server: no reply left for ${request.method} ${request.path}` },
  });
}

async function play(reply: Reply, outgoing: ServerResponse): Promise<void> {
  if (reply.delayMs) await sleep(reply.delayMs);
  outgoing.writeHead(reply.status ?? 200, reply.headers);
  outgoing.flushHeaders();
  for (const chunk of reply.chunkBytes ? rechunk(reply.chunks, reply.chunkBytes) : reply.chunks) {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) await write(outgoing, chunk);
    else if ('pauseMs' in chunk) await sleep(chunk.pauseMs);
    else if ('reset' in chunk) {
      await sleep(20);
      outgoing.socket?.resetAndDestroy();
      return;
    } else {
      await new Promise((resolve) => outgoing.once('close', resolve));
      return;
    }
  }
  outgoing.end();
}

/** Waits until the bytes are handed to the kernel, so that chunks stay chunks. */
function write(outgoing: ServerResponse, chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    outgoing.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

function* rechunk(chunks: readonly Chunk[], size: number): Generator<Chunk> {
  for (const chunk of chunks) {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
      yield chunk;
      continue;
    }
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, start + size);
  }
}

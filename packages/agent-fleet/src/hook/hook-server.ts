import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { AgentError } from '@robota-sdk/agent-core';
import type { FleetClient } from '../contract/client.ts';
import type { TaskSpec } from '../contract/task.ts';
import { newTaskId } from '../task/task-id.ts';
import { RateLimit } from './rate-limit.ts';
import { withUntrusted } from './untrusted-text.ts';
import { type VerifiedRequest, verifyRequest } from './verify-request.ts';

export interface HookOptions {
  readonly client: FleetClient;
  /** The tasks that requests become, by the path they are sent to. */
  readonly templates: ReadonlyMap<string, TaskSpec>;
  readonly secret: string;
  /** Names by which the server may be called; any unless given. A page in a browser calls it by another one. */
  readonly hosts?: readonly string[];
  /** Events of GitHub that become tasks; all unless given. */
  readonly events?: readonly string[];
  /** Tasks a minute. */
  readonly tasksPerMinute: number;
  /** The time in which the head of a request has to be there; all of it has twice as long; 5 seconds unless given. */
  readonly patienceMs?: number;
  onEvent(line: string): void;
}

const largestBody = 1024 * 1024;
const requestsPerMinute = 600;
const mostConnections = 64;

/** A server that makes tasks of signed requests. The template decides all of a task but the data in its prompt. */
export function createHookServer(options: HookOptions): Server {
  const { patienceMs: patience = 5_000 } = options;
  const requests = new RateLimit(requestsPerMinute);
  const tasks = new RateLimit(options.tasksPerMinute);
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: patience,
      requestTimeout: 2 * patience,
      connectionsCheckingInterval: Math.min(1_000, patience),
    },
    (request, response) => {
      answer(request, { ...options, requests, tasks }).then(
        (reply) => send(response, reply),
        (thrown: unknown) => {
          options.onEvent(`failed: ${String(thrown)}`);
          send(response, { status: 500, body: { error: 'Internal error.' } });
        },
      );
    },
  );
  server.maxConnections = mostConnections;
  server.keepAliveTimeout = 1_000;
  return server;
}

interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Limits {
  readonly requests: RateLimit;
  readonly tasks: RateLimit;
}

async function answer(request: IncomingMessage, options: HookOptions & Limits): Promise<Reply> {
  if (!options.requests.take()) return refusal(429, 'Too many requests.');
  if (options.hosts?.includes(hostOf(request)) === false) return refusal(421, 'Unknown host.');
  if (request.method !== 'POST') return refusal(405, 'Use POST.');
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const template = options.templates.get(path);
  if (!template) return refusal(404, 'No such hook.');
  const body = await readBody(request);
  if (body === undefined) return refusal(413, `At most ${largestBody} bytes.`);
  const isOnlyTask = new Set(options.templates.values()).size === 1;
  const { headers } = request;
  const verified = verifyRequest({
    headers,
    path,
    isOnlyTask,
    body,
    secret: options.secret,
    now: Date.now(),
  });
  if (typeof verified === 'string') {
    options.onEvent(`refused: ${verified}`);
    return refusal(401, 'Invalid signature.');
  }
  return accept(verified, { ...options, template, text: body });
}

async function accept(
  { delivery, keys, event }: VerifiedRequest,
  {
    client,
    template,
    text,
    events,
    tasks,
    onEvent,
  }: HookOptions & Limits & { template: TaskSpec; text: Buffer },
): Promise<Reply> {
  if (event === 'ping') return { status: 200, body: { ok: true } };
  if (event !== undefined && events && !events.includes(event))
    return { status: 200, body: { ignored: event } };
  if (!isUtf8(text)) return refusal(400, 'The body is not UTF-8.');
  if (!tasks.take()) return refusal(429, 'Too many tasks.');
  const id = newTaskId();
  const prompt = withUntrusted(template.prompt, { text: text.toString('utf8'), delivery });
  const spec: TaskSpec = { ...template, prompt, origin: { kind: 'webhook', delivery } };
  const at = new Date().toISOString();
  if (!(await client.submitOnce(keys, [{ type: 'add', id, spec, at }]))) {
    // Copies of a request must not keep others out.
    tasks.giveBack();
    onEvent(`refused: delivery ${delivery} was received before`);
    return refusal(409, 'This delivery was received before.');
  }
  onEvent(`added ${id} for delivery ${delivery}`);
  return { status: 202, body: { id } };
}

/** The name by which a request calls the server, without the port. */
function hostOf({ headers }: IncomingMessage): string {
  const [, bracketed, plain = ''] =
    /^(?:(\[[0-9a-f:.]+\])|([^:]*))(?::\d+)?$/.exec((headers.host ?? '').toLowerCase()) ?? [];
  return bracketed ?? plain;
}

function refusal(status: number, error: string): Reply {
  return { status, body: { error } };
}

/** The whole body; undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > largestBody) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Refused requests end their connection: what is left of a body is not read. */
function send(response: ServerResponse, { status, body }: Reply): void {
  if (response.destroyed) return;
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  response.end(text, () => response.req.destroy());
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Reads `HOST:PORT`, `[::1]:PORT` or `PORT`. */
export function parseListenAddress(text: string): ListenAddress {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]:|([^:]*):)?(\d{1,5})$/.exec(text.trim()) ?? [];
  const host = bracketed ?? (plain === undefined || plain === '' ? '127.0.0.1' : plain);
  const number = Number(port);
  const isHost = host === 'localhost' || isIP(host) !== 0;
  if (port !== undefined && isHost && number <= 65_535) return { host, port: number };
  throw new AgentError('usage', `--listen needs an address such as 127.0.0.1:7444, not "${text}".`);
}

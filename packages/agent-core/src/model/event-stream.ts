import type { Readable } from 'node:stream';
import { bodySize, isSendable, type PostAnswer, post } from '@robota-sdk/agent-http';
import type { ModelEvent, ModelFailure } from '../message/model-event.ts';
import type { Usage } from '../message/usage.ts';
import { errorMessage } from '../problem/agent-error.ts';
import { isJsonObject, type JsonObject, parseJson } from '../shape/json.ts';
import type { FrameParser, PreparedRequest } from './cloud-account.ts';
import { encodeBody } from './encode-body.ts';
import { failureOfResponse, failureOfThrown, isLoopback, readableText, StreamFailure } from './failure.ts';
import { IdleTimer } from './idle-timer.ts';
import { type Connection, defaultIdleTimeoutMs } from './model.ts';
import { batchOf, type ModelRequest, type ModelStream } from './provider.ts';
import { RefusedFields } from './refused-fields.ts';
import { LineParser, type SseEvent, SseParser } from './sse.ts';

const maxEventCharacters = 32 * 1024 * 1024;
const maxStreamCharacters = 128 * 1024 * 1024;
const maxErrorCharacters = 64 * 1024;
const drainMs = 250;
/** Factor for silence with keep-alives but no content; hidden thinking takes minutes. */
const progressFactor = 5;
/**
 * Pause between reads of an answer that arrives word by word, after its first text. Sixteen updates a second look
 * fluent, and each costs a screen frame. Longer than a frame, so that text is painted at once.
 */
const restMs = 60;
const smallPiece = 4096;
const piecesAtOnce = 10;
/** So many characters may be the name of a field of an event stream. */
const mostUnclear = 6;

/** One POST whose answer is a stream of events. */
export interface EventStreamCall {
  readonly connection: Connection;
  readonly request: ModelRequest;
  /** Appended to the connection's base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** `lines`: each line of the answer is one JSON value (NDJSON). Default: server-sent events. */
  readonly format?: 'lines';
}

/**
 * Sends a model call and yields its events, a batch per network chunk. Throws only `StreamFailure`. Any byte resets the
 * idle timer; redirects are refused, because they would send the key elsewhere.
 */
export async function* streamEvents(call: EventStreamCall): AsyncGenerator<readonly SseEvent[]> {
  const { connection } = call;
  let origin = { vendor: connection.vendor, model: call.request.model.id, url: urlOf(call) };
  const idle = new IdleTimer(connection.idleTimeoutMs ?? defaultIdleTimeoutMs);
  const { signal } = call.request;
  let answer: PostAnswer | undefined;
  try {
    signal.throwIfAborted();
    const ends = AbortSignal.any([signal, idle.signal]);
    const refused = new RefusedFields(origin.url, origin.model);
    const open = async (): Promise<Awaited<ReturnType<typeof send>>> => {
      const fitted = { ...call, body: refused.fit(call.body) };
      let sent = await send(fitted, ends);
      const isRefused = sent.answer.status === 401 || sent.answer.status === 403;
      if (isRefused && connection.account?.renew(sent.answer.headers)) {
        sent.answer.body.destroy();
        sent = await send(fitted, ends);
      }
      answer = sent.answer;
      origin = { ...origin, url: sent.prepared.url };
      idle.reset();
      try {
        await assertAccepted(answer, { ...origin, requestBytes: bodySize(sent.prepared.body) });
      } catch (thrown) {
        if (thrown instanceof StreamFailure && refused.learn(thrown, call.body)) return open();
        throw thrown;
      }
      refused.keep();
      return sent;
    };
    const sent = await open();
    const { body, headers } = sent.answer;
    const type = headers.get('content-type') ?? '';
    const parser = sent.prepared.createParser?.() ?? (call.format === 'lines' ? new LineParser() : undefined);
    if (parser && !parser.contentTypes.some((expected) => type.includes(expected)))
      throw notEventStream(await readStart(body), { ...origin, type });
    const choose = (start: string) => {
      const chosen = parserFor(start, type, origin);
      if (chosen) return chosen;
      throw notEventStream(start, { ...origin, type });
    };
    for await (const events of readEvents(body, { idle, parser: parser ?? choose, vendor: origin.vendor })) {
      idle.pause();
      yield events;
      idle.resume();
      idle.reset();
    }
  } catch (thrown) {
    if (signal.aborted)
      throw new StreamFailure({ code: 'aborted', message: 'Interrupted.', retryable: false });
    if (idle.expired) throw new StreamFailure(idle.failure(origin.vendor));
    const explained = answer && thrown instanceof Error ? answer.explain(thrown) : thrown;
    throw new StreamFailure(failureOfThrown(explained, origin));
  } finally {
    idle.stop();
  }
}

/** Sends the call as the vendor's API or the cloud account requires. */
async function send(
  call: EventStreamCall,
  signal: AbortSignal,
): Promise<{ readonly prepared: PreparedRequest; readonly answer: PostAnswer }> {
  const { connection, request, path, body } = call;
  const { account, vendor } = connection;
  const headers = {
    'content-type': 'application/json',
    accept: call.format === 'lines' ? 'application/x-ndjson' : 'text/event-stream',
    ...call.headers,
    ...connection.headers,
  };
  const prepared = account
    ? await account.prepare({ vendor, model: request.model.id, path, headers, body, signal })
    : { url: urlOf(call), headers: trimmed(headers), body: encodeBody(body) };
  assertSafeUrl(prepared.url, connection);
  assertSendable(prepared.headers, vendor);
  const wantsBytes = 'createParser' in prepared && prepared.createParser !== undefined;
  const answer = await post(prepared.url, {
    headers: prepared.headers,
    body: prepared.body,
    signal,
    wantsBytes,
  });
  return { prepared, answer };
}

function urlOf({ connection, path }: EventStreamCall): string {
  return connection.baseUrl.replace(/(?<!\/)\/+$/, '') + path;
}

/** Facts about a stream for `endWithError`. */
export interface StreamEnding {
  /** Usage so far: tokens of a failed answer are paid for too. */
  readonly usage?: () => Usage | undefined;
  /** The connection's idle timeout; silence with keep-alives may last several times as long. */
  readonly idleTimeoutMs?: number | undefined;
}

/**
 * Wraps an adapter's generator so that every failure becomes the last event, after the end of each open block. An
 * adapter should yield one array per network chunk, which saves most of the cost per event, and an empty array for a
 * chunk without events, so that a server that only sends keep-alives times out.
 */
export async function* endWithError(
  events: ModelStream,
  { usage, idleTimeoutMs = defaultIdleTimeoutMs }: StreamEnding = {},
): AsyncGenerator<ModelEvent | readonly ModelEvent[]> {
  const open = new Map<number, ModelEvent>();
  const progress = new IdleTimer(idleTimeoutMs * progressFactor);
  let ended = false;
  try {
    for await (const said of events) {
      let hasContent = false;
      for (const event of batchOf(said)) {
        ended ||= event.type === 'end' || event.type === 'error';
        hasContent ||= isProgress(event);
        trackBlock(event, open);
      }
      if (!hasContent && progress.expired) throw new StreamFailure(noProgress(progress.seconds));
      progress.pause();
      yield said;
      progress.resume();
      if (hasContent) progress.reset();
    }
    if (!ended) throw new StreamFailure(incompleteStream);
  } catch (thrown) {
    if (ended) return;
    const used = usage?.();
    const error = {
      type: 'error',
      failure: failureOfAdapter(thrown),
      ...(used ? { usage: used } : {}),
    } as const;
    yield [...open.values(), error];
  } finally {
    progress.stop();
  }
}

function isProgress(event: ModelEvent): boolean {
  return event.type === 'text-delta' || event.type === 'thinking-delta' ? event.text !== '' : true;
}

/** Not retried: each attempt would take as long. */
function noProgress(seconds: number): ModelFailure {
  const message = `The model sent nothing but keep-alive messages for ${seconds} s. Try again later, or use another model.`;
  return { code: 'stalled', message, retryable: false };
}

/** The connection closed before the vendor said the answer was complete. */
export const incompleteStream = {
  code: 'network',
  message: 'The connection closed before the answer was complete.',
  retryable: true,
} as const;

/** Stores the closing event of each open block. */
function trackBlock(event: ModelEvent, open: Map<number, ModelEvent>): void {
  switch (event.type) {
    case 'text-start':
      open.set(event.index, { type: 'text-end', index: event.index });
      return;
    case 'thinking-start':
    case 'text-was-thinking':
      open.set(event.index, { type: 'thinking-end', index: event.index });
      return;
    case 'tool-call-start':
      open.set(event.index, { type: 'tool-call-end', index: event.index, input: {}, invalid: cutOffCall });
      return;
    case 'text-end':
    case 'thinking-end':
    case 'tool-call-end':
      open.delete(event.index);
  }
}

const cutOffCall = 'The answer was cut off before the arguments were complete.';

function failureOfAdapter(thrown: unknown): ModelFailure {
  if (thrown instanceof StreamFailure) return thrown.failure;
  const message = `The answer could not be understood: ${errorMessage(thrown)}`;
  return { code: 'protocol', message, retryable: false };
}

function assertSafeUrl(url: string, connection: Connection): void {
  const problem = problemOfUrl(url, connection);
  if (problem === undefined) return;
  throw new StreamFailure({
    code: 'refused-url',
    retryable: false,
    message: `${connection.vendor}: ${problem}`,
  });
}

function problemOfUrl(url: string, { allowInsecureHttp }: Connection): string | undefined {
  if (!URL.canParse(url)) return `"${url}" is not a URL. A base URL starts with https:// or http://.`;
  const { protocol, host, username, password } = new URL(url);
  if (username !== '' || password !== '')
    return `the base URL of ${host} contains a user name or password, which can't be sent that way. Remove them, and give the key with --api-key or in a header of models.json.`;
  if (protocol === 'https:') return undefined;
  if (protocol !== 'http:') return `"${url}" is not http or https. Correct the base URL.`;
  if (isLoopback(host) || allowInsecureHttp === true) return undefined;
  return `${url} would send the key and the conversation unencrypted. Use https, or allow it for this server with --allow-insecure-http.`;
}

/** A key from a file often ends with a line break, which is not part of it. */
function trimmed(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.trim()]));
}

/** Node's error for an invalid header does not name its source. */
function assertSendable(headers: Readonly<Record<string, string>>, vendor: string): void {
  for (const [name, value] of Object.entries(headers)) {
    if (isSendable(name, value)) continue;
    throw new StreamFailure({
      code: 'auth',
      retryable: false,
      message: `${vendor}: the header ${name} can't be sent: it contains a line break or another character that headers do not allow. Check the key, and where it is set.`,
    });
  }
}

async function assertAccepted(
  { status, headers, body }: PostAnswer,
  origin: Origin & { readonly requestBytes: number },
): Promise<void> {
  if (status >= 300 && status < 400) {
    body.destroy();
    const location = headers.get('location') ?? 'nowhere';
    throw new StreamFailure({
      code: 'server',
      retryable: false,
      status,
      message: `${origin.vendor}: ${origin.url} redirects to ${location}. If that is right, make it the base URL.`,
    });
  }
  if (status >= 400) {
    const start = await readStart(body);
    throw new StreamFailure(failureOfResponse({ ...origin, status, headers, body: start }));
  }
}

function notEventStream(
  start: string,
  { vendor, url, type }: Origin & { readonly type: string },
): StreamFailure {
  return new StreamFailure({
    code: 'not-event-stream',
    retryable: false,
    status: 200,
    message: `${vendor}: ${url} answered with ${type || 'no content type'}, not an event stream. A login page of the network or a wrong base URL does this. It begins: ${readableText(start, 120)}`,
  });
}

interface Origin {
  readonly vendor: string;
  readonly model: string;
  readonly url: string;
}

/** The beginning of an answer tells what it is: many servers name no type, or a wrong one. */
function parserFor(start: string, type: string, origin: Origin): FrameParser<string> | undefined {
  if (/^[{[]/.test(start)) return new WholeAnswerParser(origin);
  const isEvents = ['data:', 'event:', 'id:', 'retry:', ':'].some((field) => start.startsWith(field));
  return isEvents || type.includes('text/event-stream') ? new SseParser() : undefined;
}

/** Fields of which an answer that is not streamed has at least one. */
const answerFields = ['choices', 'output', 'content', 'candidates', 'usage'];

/** An answer that came as plain JSON although a stream was asked for, or an error with the status 200. */
class WholeAnswerParser {
  readonly contentTypes = [];
  readonly #origin: Origin;
  readonly #pieces: string[] = [];
  pending = 0;

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  push(text: string): SseEvent[] {
    this.#pieces.push(text);
    this.pending += text.length;
    return [];
  }

  end(): SseEvent[] {
    const text = this.#pieces.join('');
    const value = parseJson(text) ?? text.split('\n').flatMap((line) => parseJson(line) ?? []);
    const objects = (Array.isArray(value) ? value : [value]).filter(isJsonObject);
    if (objects.length === 0) throw new StreamFailure(incompleteStream);
    if (objects.every(isAnswer))
      return objects.map((each) => ({ event: 'message', data: JSON.stringify(each) }));
    throw new StreamFailure(failureOfResponse({ ...this.#origin, status: undefined, body: text }));
  }
}

function isAnswer(value: JsonObject): boolean {
  const hasError = value.error !== undefined && value.error !== null;
  return !hasError && answerFields.some((field) => field in value);
}

async function readStart(body: Readable): Promise<string> {
  let text = '';
  for await (const piece of body as AsyncIterable<string | Uint8Array>) {
    text += piece.toString();
    if (text.length >= maxErrorCharacters) break;
  }
  return text;
}

interface Reading {
  readonly idle: IdleTimer;
  readonly vendor: string;
  /** Parses strings or bytes, matching the body; or chooses by the beginning of a text. */
  readonly parser: FrameParser<never> | ((start: string) => FrameParser<never>);
}

async function* readEvents(
  body: Readable,
  { idle, vendor, parser: given }: Reading,
): AsyncGenerator<readonly SseEvent[]> {
  const pieces: AsyncIterator<string> = body[Symbol.asyncIterator]();
  let parser = typeof given === 'function' ? undefined : given;
  let start = '';
  let characters = 0;
  let count = 0;
  try {
    for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next()) {
      idle.reset();
      characters += piece.value.length;
      if (typeof given === 'function' && !parser) {
        start = (start + piece.value).replace(/^[\s\uFEFF]+/, '');
        if (start.length < mostUnclear && !start.includes(':') && /^[a-z]*$/.test(start)) continue;
        parser = given(start);
      }
      if (!parser) continue;
      const events = parser.push((start || piece.value) as never);
      start = '';
      if (characters > maxStreamCharacters || parser.pending > maxEventCharacters) {
        body.destroy();
        throw new StreamFailure(tooLarge(vendor));
      }
      yield events;
      if (++count > piecesAtOnce && piece.value.length < smallPiece) await rest(body);
    }
    if (typeof given === 'function' && !parser) {
      parser = given(start);
      parser.push(start as never);
    }
    const last = parser?.end() ?? [];
    if (last.length > 0) yield last;
  } finally {
    void drain(body, pieces);
  }
}

/** Waits for more data, unless the body has ended. */
function rest(body: Readable): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      clearTimeout(timer);
      body.off('close', goOn);
      resolve();
    };
    const timer = setTimeout(goOn, restMs);
    body.once('close', goOn);
  });
}

/**
 * An adapter stops at the vendor's last event, just before the body ends. Reading the rest lets the connection be
 * reused; a server that keeps sending is cut off.
 */
async function drain(body: Readable, pieces: AsyncIterator<string>): Promise<void> {
  const timer = setTimeout(() => body.destroy(), drainMs);
  timer.unref();
  try {
    while ((await pieces.next()).done !== true);
  } catch {
    // The connection is already closed.
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(vendor: string) {
  return {
    code: 'protocol',
    message: `${vendor}: the answer is larger than any model's output; it was cut off.`,
    retryable: false,
  } as const;
}

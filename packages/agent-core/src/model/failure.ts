import {
  type AnswerHeaders,
  CertificateError,
  isCertificateFault,
  ProxyError,
  UnknownEncoding,
} from '@robota-sdk/agent-http';
import type { ModelFailure } from '../message/model-event.ts';
import { describeBytes } from '../naming/short-text.ts';
import { errorMessage } from '../problem/agent-error.ts';
import { endSentence } from '../problem/end-sentence.ts';
import { orElse } from '../problem/or-else.ts';
import { isJsonObject, parseJson } from '../shape/json.ts';
import { isContextOverflow } from './context-overflow.ts';
import { resetIn, retryAfter } from './limit-reset.ts';

/** Carries a failure from an adapter to `endWithError`, which turns it into an `error` event. */
export class StreamFailure extends Error {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

interface Origin {
  readonly vendor: string;
  readonly model: string;
}

interface HttpFailure extends Origin {
  readonly url?: string;
  /** Undefined where an error came with the status 200; the body may tell the true one. */
  readonly status: number | undefined;
  readonly headers?: AnswerHeaders;
  readonly body: string;
  /** Size of the request. */
  readonly requestBytes?: number;
}

/** Creates a failure from an HTTP response that is not a stream. */
export function failureOfResponse(answer: HttpFailure): ModelFailure {
  const body = parseJson(answer.body);
  const { type, message } = describeBody(answer.body, body);
  const status = answer.status ?? statusIn(body);
  const said = failureOfText({ ...answer, status, body, type, text: message });
  if (said.code === 'context-overflow') return withSize(said, answer.requestBytes);
  const reason = answer.headers && reasonIn(answer.headers);
  return reason === undefined ? said : { ...said, reason };
}

/** The HTTP status that a body names, as gateways do that have begun an answer with 200 already. */
function statusIn(body: unknown): number | undefined {
  const outer = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(outer)) return undefined;
  const { code, status } = isJsonObject(outer.error) ? outer.error : outer;
  return [code, status, outer.code, outer.status].map(Number).find((known) => known >= 400 && known < 600);
}

/** Amazon names the error in a header only, followed by a URL in some answers. */
function reasonIn(headers: AnswerHeaders): string | undefined {
  return headers.get('x-amzn-errortype')?.split(':', 1)[0];
}

/** The size distinguishes a server's byte limit from a model's token limit. */
function withSize(failure: ModelFailure, bytes: number | undefined): ModelFailure {
  if (bytes === undefined) return failure;
  return { ...failure, message: `${endSentence(failure.message)} The request had ${describeBytes(bytes)}.` };
}

interface TextFailure extends Origin {
  readonly url?: string;
  readonly status?: number | undefined;
  /** The vendor's own error type or code, such as `overloaded_error`. */
  readonly type: string;
  readonly text: string;
  /** Headers and the parsed body, or the error in it: they may contain the reset time of a limit. */
  readonly headers?: AnswerHeaders;
  readonly body?: unknown;
}

type FailureKind = Pick<ModelFailure, 'code' | 'retryable'> & {
  readonly happened: string;
  readonly remedy?: string;
  /** How long to wait where the server does not say. */
  readonly waitMs?: number;
};

/** Creates a failure from an error that a vendor reports, in a response body or within a stream. */
export function failureOfText(given: TextFailure): ModelFailure {
  const input = { ...given, ...unwrapped(given) };
  const reset = resetIn(input);
  const kind = kindWith(classify(input), reset);
  const isLimit = kind.code === 'rate-limit' || kind.code === 'quota';
  const wait = isLimit ? reset : ((input.headers && retryAfter(input.headers)) ?? kind.waitMs);
  const status = input.status === undefined ? '' : ` (HTTP ${input.status})`;
  return {
    code: kind.code,
    retryable: kind.retryable,
    message: `${input.vendor}${status}: ${explained(kind, input)}`,
    ...(input.status === undefined ? {} : { status: input.status }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

/** A proxying server such as Ollama embeds the other server's JSON as text in its own. */
function unwrapped({ type, text }: TextFailure): Pick<TextFailure, 'type' | 'text'> {
  const inner = text.startsWith('{') ? parseJson(text) : undefined;
  if (!isJsonObject(inner)) return { type, text };
  const told = describeBody(text, inner);
  return { type: told.type || type, text: told.message };
}

/** Vendors describe rate limits and empty accounts alike; only a reset time tells them apart. */
function kindWith(kind: FailureKind, reset: number | undefined): FailureKind {
  return kind === kinds.quota && reset !== undefined ? kinds.rateLimit : kind;
}

/** Says what happened, the reason in the server's words, and the fix, each once. */
function explained(kind: FailureKind, origin: TextFailure): string {
  const said = origin.text || origin.type;
  const filled = (text: string) => text.replace('{vendor}', origin.vendor).replace('{model}', origin.model);
  const facts = filled(kind.happened) + (said === '' ? '' : `: ${said}`);
  const remedy = kind === kinds.notFound ? howToFind(origin) : filled(kind.remedy ?? '');
  return `${endSentence(facts)} ${remedy}`.trimEnd();
}

function howToFind({ vendor, model, url = '' }: TextFailure): string {
  if (vendor === 'ollama') return `Download it with \`ollama pull ${model}\`, or check its name.`;
  const [, root] = /^(https?:\/\/[^/]+)\/(?:chat\/completions|responses)$/.exec(url) ?? [];
  return root === undefined
    ? 'Check its name, or the base URL.'
    : `Check its name. If the server's API is below /v1, use the base URL ${root}/v1.`;
}

const later = 'Try again later, or name another model with --fallback-model.';
const kinds = {
  overflow: {
    code: 'context-overflow',
    retryable: false,
    happened: 'the conversation no longer fits the window of {model}',
    remedy: 'Shorten it with /compact, or start a new session.',
  },
  quota: {
    code: 'quota',
    retryable: false,
    happened: 'the account has no credit or quota left',
    remedy: 'Add credit, or choose another model.',
  },
  auth: { code: 'auth', retryable: false, happened: 'the key was refused for {model}' },
  notFound: {
    code: 'model-not-found',
    retryable: false,
    happened: 'model {model} not found',
  },
  rateLimit: { code: 'rate-limit', retryable: true, happened: 'too many requests', remedy: later },
  overloaded: { code: 'overloaded', retryable: true, happened: 'the service is overloaded', remedy: later },
  loading: { code: 'overloaded', retryable: true, happened: 'the model is still loading', waitMs: 10_000 },
  server: { code: 'server', retryable: true, happened: 'the service failed', remedy: later },
  malformed: {
    code: 'server',
    retryable: true,
    happened: 'the answer of {model} was malformed',
    remedy:
      'If that happens often, let it write its calls as text: robota doctor --model {vendor}/{model} --fix',
  },
  invalid: { code: 'invalid-request', retryable: false, happened: 'the request was refused' },
  toolless: {
    code: 'invalid-request',
    retryable: false,
    happened: 'the server takes no tools for {model}',
    remedy:
      'Start the server with tool calling (vLLM: --enable-auto-tool-choice --tool-call-parser NAME; llama.cpp: --jinja), or let the model write its calls as text: set "toolProtocol": "xnl" for it in models.json.',
  },
} as const satisfies Record<string, FailureKind>;

/** How servers say that they were started without tool calling, or that a model lacks it. */
const toolRefusal =
  /enable-auto-tool-choice|tool-call-parser|requires --jinja|tools param requires|(?:not|n't) support (?:tools|tool use|tool calling|tool calls|function calling|functions)|(?:tools|tool use|tool calling|function calling) (?:is|are) not supported/;

function classify({ status, type, text }: TextFailure): FailureKind {
  const words = `${type} ${text}`.toLowerCase();
  // "Too many tokens" with 429 is about tokens per minute, not about the window.
  if (status === 413 || (status !== 429 && isContextOverflow(words))) return kinds.overflow;
  if (
    status === 402 ||
    /insufficient_quota|billing|credit balance|insufficient balance|exceeded your current quota/.test(
      words,
    ) ||
    (status === 403 && /usage[ _]limit/.test(words))
  )
    return kinds.quota;
  if (
    status === 401 ||
    status === 403 ||
    /authentication_error|permission_error|invalid_api_key|api key not valid|unauthenticated|permission_denied/.test(
      words,
    )
  ) {
    return kinds.auth;
  }
  if (status === 404 || /not_found_error|model_not_found/.test(words)) return kinds.notFound;
  if (status === 429 || /rate_limit|resource_exhausted|too many requests/.test(words)) return kinds.rateLimit;
  if (status === 503 && words.includes('loading model')) return kinds.loading;
  if (status === 529 || status === 503) return kinds.overloaded;
  if (toolRefusal.test(words)) return kinds.toolless;
  // A refused request stays refused, whatever words the explanation contains.
  if (status === 400 || status === 422) return kinds.invalid;
  if (/overloaded|unavailable/.test(words)) return kinds.overloaded;
  if (words.includes('does not match the expected')) return kinds.malformed; // llama.cpp cannot parse its answer
  if ([408, 409, 424, 425].includes(status ?? 0) || (status ?? 0) >= 500) return kinds.server;
  if (/api_error|server_error|internal|timeout_error/.test(words)) return kinds.server;
  return kinds.invalid;
}

/** Creates a failure from an exception thrown while sending or reading. */
export function failureOfThrown(thrown: unknown, origin: Origin & { readonly url: string }): ModelFailure {
  if (thrown instanceof StreamFailure) return thrown.failure;
  const code = causeCode(thrown);
  const host = hostOf(origin.url);
  const failed = (kind: ModelFailure['code'], message: string, retryable = false): ModelFailure => ({
    code: kind,
    retryable,
    message: `${origin.vendor}: ${message}`,
  });
  const unreadable = (reason: string) => failed('protocol', `${reason} Check the base URL and any proxy.`);
  if (thrown instanceof UnknownEncoding)
    return unreadable(`the answer of ${host} cannot be read: ${thrown.message}.`);
  if (thrown instanceof ProxyError) return failed('network', thrown.message, thrown.retryable);
  const certificate = causesOf(thrown).find(isCertificateFault);
  if (certificate) {
    const isNamed = certificate instanceof CertificateError;
    return failed('certificate', (isNamed ? certificate : new CertificateError(host, certificate)).message);
  }
  if (code === 'ECONNREFUSED') {
    const facts = `nothing answers at ${host} (connection refused).`;
    return failed('network', `${facts} ${howToStart(origin.vendor)}`, !isLoopback(host));
  }
  if (/HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW/.test(code))
    return unreadable(`the headers of the answer of ${host} are too large (${code}).`);
  if (/^ERR_SSL_|^EPROTO$/.test(code)) {
    const advice = 'Check whether the base URL should start with http:// or has the wrong port.';
    return failed('network', `${host} does not answer in TLS (${code}). ${advice}`);
  }
  const reason = code || errorMessage(thrown instanceof Error && thrown.cause ? thrown.cause : thrown);
  const meaning = /^(?:ENOTFOUND|EAI_AGAIN)$/.test(code) ? ': the host was not found' : '';
  const facts = `the connection to ${host} failed${meaning} (${reason}).`;
  return failed('network', `${facts} Check the network and the base URL.`, true);
}

function howToStart(vendor: string): string {
  if (vendor === 'llama.cpp')
    return 'Start it with `llama-server -m FILE.gguf --jinja`, or set LLAMA_CPP_BASE_URL to its address.';
  if (vendor !== 'ollama') return 'Start the server, or correct the base URL.';
  return 'Start it with `ollama serve`, or set OLLAMA_HOST to its address.';
}

/** True if a host (with or without port) is this machine. */
export function isLoopback(host: string): boolean {
  const name = host.startsWith('[')
    ? host.replace(/^\[(.*)\](:\d+)?$/, '$1')
    : host.replace(/^([^:]*):\d+$/, '$1');
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
  );
}

function hostOf(url: string): string {
  return orElse(() => new URL(url).host, url);
}

function causeCode(thrown: unknown): string {
  for (const error of causesOf(thrown)) {
    const code = 'code' in error ? error.code : undefined;
    if (typeof code === 'string' && code !== '') return code;
  }
  return '';
}

function causesOf(thrown: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let error = thrown; error instanceof Error && causes.length < 5; error = error.cause)
    causes.push(error);
  return causes;
}

/** Finds type and message in the error shapes vendors use; falls back to the raw text. */
function describeBody(body: string, parsed: unknown): { type: string; message: string } {
  const outer = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isJsonObject(outer)) return { type: '', message: readableText(body, 500) };
  const inner = isJsonObject(outer.error) ? outer.error : outer;
  const type = [inner.type, inner.code, inner.status].filter((part) => typeof part === 'string').join(' ');
  const message = inner.message ?? outer.message ?? outer.error ?? outer.detail;
  return { type, message: typeof message === 'string' ? message.slice(0, 2000) : body.slice(0, 500) };
}

/** The beginning of a text; for a web page, its visible words. */
export function readableText(body: string, maxCharacters: number): string {
  const start = body.trim().slice(0, 20_000);
  if (!/^<(!doctype|html|head|body|title|h\d|center|p|div)\b/i.test(start))
    return start.slice(0, maxCharacters);
  const words = start
    .replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, ' ')
    .replace(/<!--[\s\S]*?(-->|$)/g, ' ')
    .replace(/<[^<>]*(>|$)/g, ' ')
    .replace(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? ' ');
  return words.replace(/\s+/g, ' ').trim().slice(0, maxCharacters);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

import {
  type ApiKind,
  errorMessage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '@robota-sdk/agent-core';
import { CertificateError, httpFetch, ProxyError } from '@robota-sdk/agent-http';
import { printHeaders, runKeyCommand } from '../connect/key-command.ts';

/** A server and how it is spoken to. */
export interface ServerAddress {
  readonly baseUrl: string;
  readonly api: ApiKind;
  readonly apiKey?: string | undefined;
  /** Prints the key, where there is none. */
  readonly keyCommand?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A server's answer to a request for its models. */
export type ModelListing =
  | {
      readonly ok: true;
      readonly models: readonly string[];
      /** Tokens that fit a model, by its name, where the list tells them. */
      readonly windows: Readonly<Record<string, number>>;
      /** Models that vLLM serves. */
      readonly ofVllm: ReadonlySet<string>;
      readonly milliseconds: number;
    }
  | {
      readonly ok: false;
      readonly status?: number;
      /** Without the key. */
      readonly why: string;
      readonly milliseconds: number;
    };

const maxBytes = 5_000_000;

/** Asks a server for its models, which costs nothing; redirects are not followed, since they would carry the key along. */
export async function listServerModels(server: ServerAddress, timeoutMs: number): Promise<ModelListing> {
  const began = performance.now();
  const passed = () => Math.round(performance.now() - began);
  try {
    const response = await httpFetch(listAddress(server), {
      headers: await headersOf(server),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readLimited(response);
    if (!response.ok)
      return { ok: false, status: response.status, why: `HTTP ${response.status}`, milliseconds: passed() };
    return { ok: true, ...modelsIn(text), milliseconds: passed() };
  } catch (thrown) {
    const why = reasonOf(thrown, timeoutMs);
    const { apiKey } = server;
    return { ok: false, why: apiKey ? why.replaceAll(apiKey, '[redacted]') : why, milliseconds: passed() };
  }
}

/** The URL of a server's model list. */
export function listAddress({ baseUrl, api }: ServerAddress): string {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '');
  if (api === 'anthropic') return `${base.replace(/\/v1$/, '')}/v1/models?limit=100`;
  if (api === 'google') return `${base.replace(/\/v1beta$/, '')}/v1beta/models?pageSize=100`;
  if (api === 'ollama') return `${base.replace(/\/(v1|api)$/, '')}/v1/models`;
  return `${base}/models`;
}

/** Headers for every request to a server. */
export async function headersOf(server: ServerAddress): Promise<Record<string, string>> {
  const { api, keyCommand } = server;
  const headers = await printHeaders(server.headers ?? {}, process.env);
  const apiKey = server.apiKey ?? (keyCommand && (await runKeyCommand(keyCommand, process.env)));
  if (api === 'anthropic')
    return { 'anthropic-version': '2023-06-01', ...(apiKey ? { 'x-api-key': apiKey } : {}), ...headers };
  if (!apiKey) return headers;
  return api === 'google'
    ? { 'x-goog-api-key': apiKey, ...headers }
    : { authorization: `Bearer ${apiKey}`, ...headers };
}

/** The beginning of an answer, as much as any caller needs. */
export async function readLimited(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) break;
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** Names are shown in lists and written to files, so longer ones and those with control characters are left out. */
const longestName = 300;

/** More models are no list to choose from, and would make each start slow. */
export const mostModels = 2_000;

/** True if a name may be shown and kept. */
export function isListable(name: string): boolean {
  return name !== '' && name.length <= longestName && !/\p{Cc}/u.test(name);
}

/** `{data: [{id}]}` of most servers, `{models: [{name}]}` of Google and Ollama. */
function modelsIn(text: string): Pick<Extract<ModelListing, { ok: true }>, 'models' | 'windows' | 'ofVllm'> {
  const answer = parseJson(text);
  const models: string[] = [];
  const ofVllm = new Set<string>();
  // A model may be called `constructor`.
  const windows: Record<string, number> = Object.create(null);
  const rows = isJsonObject(answer) ? (Array.isArray(answer.data) ? answer.data : answer.models) : [];
  for (const row of Array.isArray(rows) ? rows : []) {
    const written = isJsonObject(row) ? (row.id ?? row.name) : undefined;
    if (!isJsonObject(row) || typeof written !== 'string') continue;
    const name = written.replace(/^models\//, '');
    if (!isListable(name)) continue;
    if (models.length >= mostModels) break;
    const window = windowInRow(row);
    models.push(name);
    if (window !== undefined) windows[name] = window;
    if (serverInRow(row) === 'vllm') ofVllm.add(name);
  }
  return { models, windows, ofVllm };
}

const windowFields = [
  'max_model_len',
  'context_length',
  'context_window',
  'max_context_length',
  'inputTokenLimit',
] as const;

/** The window that a row of a server's list names: vLLM, OpenRouter, Groq, Google and others do. */
export function windowInRow(row: JsonObject): number | undefined {
  return windowFields.map((field) => countIn(row[field])).find((count) => count !== undefined);
}

/** The program that a row of a server's list is from, where it says so and that matters. */
export function serverInRow(row: JsonObject | undefined): 'vllm' | 'other' {
  return row?.owned_by === 'vllm' ? 'vllm' : 'other';
}

/** A number of tokens; nothing for anything else. */
export function countIn(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function reasonOf(thrown: unknown, timeoutMs: number): string {
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError')
    return `no answer within ${timeoutMs} ms`;
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (cause instanceof ProxyError || cause instanceof CertificateError) return cause.message;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ECONNREFUSED') return 'nothing answers there (connection refused)';
  return code === '' ? errorMessage(cause ?? thrown) : code;
}

import {
  type ApiKind,
  errorMessage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  secretHider,
} from '@robota-sdk/agent-core';
import { CertificateError, findProxy, httpFetch, ProxyError } from '@robota-sdk/agent-http';
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
      /** The base URL that works, where `/v1` is missing from the given one. */
      readonly apiBaseUrl?: string;
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
    const { status } = response;
    if (status === 404 && server.api === 'openai' && new URL(server.baseUrl).pathname === '/') {
      const apiBaseUrl = `${new URL(server.baseUrl).origin}/v1`;
      if ((await listServerModels({ ...server, baseUrl: apiBaseUrl }, timeoutMs)).ok) {
        const why = `HTTP 404. Its API is at ${apiBaseUrl}`;
        return { ok: false, status, apiBaseUrl, why, milliseconds: passed() };
      }
    }
    if (!response.ok) return { ok: false, status, why: `HTTP ${status}`, milliseconds: passed() };
    return { ok: true, ...modelsIn(text), milliseconds: passed() };
  } catch (thrown) {
    const why = reasonOf(thrown, { server, timeoutMs });
    const hide = secretHider([server.apiKey ?? '']);
    return { ok: false, why: hide(why), milliseconds: passed() };
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

/** More models are not a list to choose from, and would make each start slow. */
export const mostModels = 2_000;

/** True if a name may be shown and kept. */
export function isListable(name: string): boolean {
  return name !== '' && name.length <= longestName && !/\p{Cc}/u.test(name);
}

/** The rows of a list of models: `{data: []}` of most servers, `{models: []}` of Google and Ollama, `[]` of Together. */
export function rowsIn(text: string): readonly JsonObject[] {
  const answer = parseJson(text);
  const lists = isJsonObject(answer) ? [answer.data, answer.models] : [answer];
  return (lists.find(Array.isArray) ?? []).filter(isJsonObject);
}

function modelsIn(text: string): Pick<Extract<ModelListing, { ok: true }>, 'models' | 'windows' | 'ofVllm'> {
  const models: string[] = [];
  const ofVllm = new Set<string>();
  // A model may be called `constructor`.
  const windows: Record<string, number> = Object.create(null);
  for (const row of rowsIn(text)) {
    const written = row.id ?? row.name;
    const name = typeof written === 'string' ? written.replace(/^models\//, '') : '';
    if (!isListable(name) || models.includes(name)) continue;
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

/** The window that a row of a server's list names: llama.cpp, vLLM, OpenRouter, Groq, Google and others do. */
export function windowInRow(row: JsonObject): number | undefined {
  return (
    llamaWindow(row) ?? windowFields.map((field) => countIn(row[field])).find((count) => count !== undefined)
  );
}

/** llama.cpp names the trained window where others name that in use; a model that is not loaded yet has its flags. */
function llamaWindow({ meta, status }: JsonObject): number | undefined {
  const loaded = isJsonObject(meta) ? countIn(meta.n_ctx) : undefined;
  const flags = isJsonObject(status) && Array.isArray(status.args) ? status.args : [];
  const at = flags.indexOf('--ctx-size');
  return loaded ?? (at < 0 ? undefined : countIn(Number(flags[at + 1])));
}

/** The program that a row of a server's list is from, where it says so and that matters. */
export function serverInRow(row: JsonObject | undefined): 'vllm' | 'llama.cpp' | 'other' {
  if (row?.owned_by === 'llamacpp') return 'llama.cpp';
  return row?.owned_by === 'vllm' ? 'vllm' : 'other';
}

/** A number of tokens; nothing for anything else. */
export function countIn(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function reasonOf(
  thrown: unknown,
  { server, timeoutMs }: { readonly server: ServerAddress; readonly timeoutMs: number },
): string {
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError') {
    const proxy = findProxy(new URL(server.baseUrl));
    return `no answer within ${timeoutMs} ms${proxy ? ` through the proxy ${proxy.label} (${proxy.variable})` : ''}`;
  }
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (cause instanceof ProxyError || cause instanceof CertificateError) return cause.message;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ECONNREFUSED') return 'nothing answers there (connection refused)';
  return code === '' ? errorMessage(cause ?? thrown) : code;
}

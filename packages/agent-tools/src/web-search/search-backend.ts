import {
  AgentError,
  decodeJson,
  errorMessage,
  isJsonObject,
  type JsonValue,
  orElse,
  type StateKey,
} from '@robota-sdk/agent-core';
import { httpFetch } from '@robota-sdk/agent-http';

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
type BackendName = keyof typeof backends;

/** The search service: the variables that configure it, and base URLs that override the defaults. */
export interface SearchAccess {
  env: Environment;
  baseUrls: Partial<Record<BackendName, string>>;
}

/** A session's search settings. Default: the environment of the process. */
export const searchAccess: StateKey<SearchAccess> = {
  name: 'searchAccess',
  create: () => ({ env: process.env, baseUrls: {} }),
};

interface SearchCall {
  readonly url: string;
  readonly init?: {
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  };
}

interface Backend {
  /** The variable that configures it: a key, or the server's URL. */
  readonly variable: string;
  readonly baseUrl: (value: string) => string;
  call(base: string, key: string, query: string): SearchCall;
  /** The result list in the answer, and the field with the snippet. */
  readonly list: readonly string[];
  readonly snippet: string;
}

const count = 10;
const timeoutMs = 20_000;

const backends = {
  brave: {
    variable: 'BRAVE_API_KEY',
    baseUrl: () => 'https://api.search.brave.com',
    call: (base, key, query) => ({
      url: `${base}/res/v1/web/search?q=${encodeURIComponent(query)}&count=${count}`,
      init: { headers: { 'x-subscription-token': key, accept: 'application/json' } },
    }),
    list: ['web', 'results'],
    snippet: 'description',
  },
  tavily: {
    variable: 'TAVILY_API_KEY',
    baseUrl: () => 'https://api.tavily.com',
    call: (base, key, query) => ({
      url: `${base}/search`,
      init: {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, max_results: count }),
      },
    }),
    list: ['results'],
    snippet: 'content',
  },
  searxng: {
    variable: 'SEARXNG_URL',
    baseUrl: (value) => value.replace(/(?<!\/)\/+$/, ''),
    call: (base, _key, query) => ({ url: `${base}/search?q=${encodeURIComponent(query)}&format=json` }),
    list: ['results'],
    snippet: 'content',
  },
} as const satisfies Readonly<Record<string, Backend>>;

/** True if the environment configures a service to search with. */
export function hasSearchBackend(env: Environment): boolean {
  return chooseBackend(env) !== undefined;
}

/** The URL of a search; undefined if no service is configured. */
export function searchUrl({ env, baseUrls }: SearchAccess): string | undefined {
  const name = chooseBackend(env);
  return name && baseOf(name, { env, baseUrls });
}

/** Queries the configured service. */
export async function searchWeb(
  query: string,
  access: SearchAccess,
  signal: AbortSignal,
): Promise<readonly SearchResult[]> {
  const name = chooseBackend(access.env);
  if (!name) {
    throw new AgentError(
      'tool',
      'No search service is configured. The user can set BRAVE_API_KEY, TAVILY_API_KEY or SEARXNG_URL and start again. Until then, fetch known addresses with WebFetch.',
    );
  }
  const backend: Backend = backends[name];
  const key = access.env[backend.variable] ?? '';
  const { url, init } = backend.call(baseOf(name, access), key, query);
  const answer = await load({ name, key, url, signal, ...(init ? { init } : {}) });
  return resultsIn(answer, backend);
}

function chooseBackend(env: Environment): BackendName | undefined {
  const names = Object.keys(backends) as BackendName[];
  return names.find((name) => (env[backends[name].variable] ?? '').trim() !== '');
}

function baseOf(name: BackendName, { env, baseUrls }: SearchAccess): string {
  const backend: Backend = backends[name];
  return baseUrls[name] ?? backend.baseUrl(env[backend.variable] ?? '');
}

async function load(
  call: SearchCall & { name: BackendName; key: string; signal: AbortSignal },
): Promise<JsonValue> {
  const { name, key, url, init, signal } = call;
  const { variable } = backends[name];
  // A service may echo the refused key, and a URL may contain a password.
  const secrets = secretsIn(key);
  const withoutKey = (text: string) =>
    secrets.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text);
  try {
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await httpFetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.any([signal, timeout]),
    });
    const text = await response.text();
    if (!response.ok)
      throw new AgentError('tool', refusal({ name, status: response.status, text: withoutKey(text) }));
    const read = decodeJson(text);
    if (read.ok) return read.value;
    throw new AgentError('tool', `${name} answered with something other than JSON. Check ${variable}.`);
  } catch (thrown) {
    signal.throwIfAborted();
    if (AgentError.is(thrown)) throw thrown;
    const cause =
      thrown instanceof Error && thrown.cause !== undefined
        ? errorMessage(thrown.cause)
        : errorMessage(thrown);
    throw new AgentError(
      'tool',
      `The search at ${name} failed: ${withoutKey(cause)}. Check the network and ${variable}.`,
      { cause: thrown },
    );
  }
}

/** A key, or a URL with its password, as a service may echo them. */
function secretsIn(key: string): readonly string[] {
  const whole = key.replace(/(?<!\/)\/+$/, '');
  const password = URL.canParse(key) ? new URL(key).password : '';
  return password === '' ? [whole] : [whole, password, decoded(password)];
}

function decoded(text: string): string {
  return orElse(() => decodeURIComponent(text), text);
}

function refusal({ name, status, text }: { name: BackendName; status: number; text: string }): string {
  const { variable } = backends[name];
  const said = text.trim().slice(0, 200) || 'nothing more';
  if (status === 401 || status === 403) {
    const advice = name === 'searxng' ? 'its settings must allow the json format' : `check ${variable}`;
    return `${name} refused the search (HTTP ${status}): ${advice}. It said: ${said}`;
  }
  if (status === 429)
    return `${name} allows no more searches for now (HTTP 429). Try later. It said: ${said}`;
  return `${name} answered HTTP ${status}: ${said}`;
}

function resultsIn(answer: JsonValue, { list, snippet }: Backend): readonly SearchResult[] {
  let rows: JsonValue | undefined = answer;
  for (const key of list) rows = isJsonObject(rows) ? rows[key] : undefined;
  if (!Array.isArray(rows)) return [];
  return rows.slice(0, count).flatMap((row: JsonValue) => {
    if (!isJsonObject(row) || typeof row.url !== 'string') return [];
    return [{ title: plainText(row.title) || row.url, url: row.url, snippet: plainText(row[snippet]) }];
  });
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  nbsp: ' ',
};

/** Search services mark the words they found with tags. */
function plainText(value: JsonValue | undefined): string {
  if (typeof value !== 'string') return '';
  return value
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&([a-z]+|#x?[\da-f]+);/gi, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}

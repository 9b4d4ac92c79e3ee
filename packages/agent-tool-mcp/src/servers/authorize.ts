import type { AuthOptions, OAuthClientProvider } from '@modelcontextprotocol/client';
import { httpFetch } from '@robota-sdk/agent-http';

export type { OAuthClientProvider } from '@modelcontextprotocol/client';

export interface AuthorizeOptions {
  readonly serverUrl: string;
  /** Sent to the server with the question what it wants. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly scope?: string;
  /** Forces a new login, even if a token could be renewed. */
  readonly isFresh?: boolean;
  /** The parameters of the redirect. */
  readonly answer?: { readonly code: string; readonly iss?: string };
  readonly fetch?: typeof fetch;
}

/**
 * Takes one step of a login: finds the authorization server, registers if needed, and sends `provider` to the
 * login page; with an answer, exchanges it for tokens.
 */
export async function authorize(provider: OAuthClientProvider, options: AuthorizeOptions): Promise<void> {
  const { serverUrl, answer, isFresh = false, fetch: fetchFn = httpFetch as typeof fetch } = options;
  if (answer) {
    const { code: authorizationCode, iss } = answer;
    return takeStep(provider, {
      serverUrl,
      authorizationCode,
      fetchFn,
      ...(iss === undefined ? {} : { iss }),
    });
  }
  const { scope: wanted, resourceMetadataUrl } = await challengeOf(options);
  const scope = joined(wanted, options.scope);
  await takeStep(provider, {
    serverUrl,
    fetchFn,
    forceReauthorization: isFresh,
    ...(scope === undefined ? {} : { scope }),
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
  });
}

/** Servers from before authorization servers stood apart may give another path of their own address as their name. */
async function takeStep(provider: OAuthClientProvider, options: AuthOptions): Promise<void> {
  const { clientLibrary } = await import('../connection/client-library.ts');
  const { auth, IssuerMismatchError } = clientLibrary;
  try {
    await auth(provider, options);
  } catch (thrown) {
    const isOwnName = IssuerMismatchError.isInstance(thrown) && sameOrigin(thrown.expected, thrown.received);
    if (!isOwnName || thrown.kind !== 'metadata') throw thrown;
    await auth(provider, { ...options, skipIssuerMetadataValidation: true });
  }
}

function sameOrigin(one = '', other = ''): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

/** Both the general scopes and those requested later are needed. */
function joined(...scopes: readonly (string | undefined)[]): string | undefined {
  const all = new Set(scopes.flatMap((scope) => scope?.split(' ') ?? []).filter(Boolean));
  return all.size === 0 ? undefined : [...all].join(' ');
}

/** The challenge in a server's answer to a request without credentials; undefined if there is none. */
async function challengeOf({
  serverUrl,
  headers = {},
  fetch: ask = httpFetch as typeof fetch,
}: AuthorizeOptions) {
  const { clientLibrary } = await import('../connection/client-library.ts');
  const { extractWWWAuthenticateParams, LATEST_PROTOCOL_VERSION } = clientLibrary;
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: 'robota', version: '0' },
    },
  };
  const response = await ask(serverUrl, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  await response.body?.cancel();
  return response.status === 401 || response.status === 403 ? extractWWWAuthenticateParams(response) : {};
}

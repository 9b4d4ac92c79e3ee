import type { AuthOptions, OAuthClientProvider } from '@modelcontextprotocol/client';
import { httpFetch } from '@robota-sdk/agent-http';
import type { McpTransport } from '../contract/mcp-server-settings.ts';
import { McpServers } from './mcp-servers.ts';

export type { OAuthClientProvider } from '@modelcontextprotocol/client';

export interface AuthorizeOptions {
  /** How the server is reached; its headers go with the question what it wants. */
  readonly transport: Extract<McpTransport, { readonly url: string }>;
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
  const { transport, answer, isFresh = false, fetch: fetchFn = httpFetch as typeof fetch } = options;
  const { url: serverUrl } = transport;
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

/**
 * The challenge of a server, whichever request it comes with: connects without credentials and lists what is offered.
 * Undefined if it wants no login for that.
 */
async function challengeOf({ transport, fetch: ask = httpFetch as typeof fetch }: AuthorizeOptions) {
  const { clientLibrary } = await import('../connection/client-library.ts');
  let challenge: ReturnType<typeof clientLibrary.extractWWWAuthenticateParams> = {};
  const servers = new McpServers({
    servers: [{ name: 'login', transport }],
    clientInfo: { name: 'robota', version: '0' },
    env: {},
    cwd: '',
    roots: () => [],
    fetch: async (url, init) => {
      const response = await ask(url, init);
      if (response.status === 401 || response.status === 403)
        challenge = { ...clientLibrary.extractWWWAuthenticateParams(response), ...challenge };
      return response;
    },
  });
  try {
    await servers.start();
    await servers.settled();
  } finally {
    await servers.dispose();
  }
  return challenge;
}

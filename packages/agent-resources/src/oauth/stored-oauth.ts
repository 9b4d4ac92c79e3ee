import { randomBytes } from 'node:crypto';
import type { OAuthStore } from '@robota-sdk/agent-config';
import { AgentError, hideFromNowOn, isJsonObject, jsonCopy } from '@robota-sdk/agent-core';
import type { McpOAuthOptions } from '../source/server-definition.ts';

type OAuthClientProvider = import('@robota-sdk/agent-tool-mcp').OAuthClientProvider;
type Tokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>;
type ClientInformation = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
type Discovery = Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0];

export interface StoredOAuthOptions {
  readonly store: OAuthStore;
  readonly oauth?: McpOAuthOptions | undefined;
  /** The redirect URL of the login. */
  readonly redirectUrl: string;
  /** Receives the URL of the login page. */
  onRedirect(url: URL): void | Promise<void>;
}

/** Our side of an OAuth login for the MCP library; persistent data is in `auth.json`. */
export class StoredOAuth implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  /** Absent if the definition identifies us: then there is nothing to store. */
  readonly saveClientInformation?: (information: NonNullable<ClientInformation>) => Promise<void>;
  readonly #options: StoredOAuthOptions;
  readonly #state = randomBytes(24).toString('base64url');
  #verifier: string | undefined;
  #discovery: Discovery | undefined;

  constructor(options: StoredOAuthOptions) {
    this.#options = options;
    this.redirectUrl = options.redirectUrl;
    const { clientMetadataUrl, clientId } = options.oauth ?? {};
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    if (clientId === undefined) this.saveClientInformation = (client) => this.#keepClient(client);
  }

  get clientMetadata(): OAuthClientProvider['clientMetadata'] {
    const { scope, clientSecret } = this.#options.oauth ?? {};
    return {
      client_name: 'Robota',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_post',
      ...(scope === undefined ? {} : { scope }),
    };
  }

  state(): string {
    return this.#state;
  }

  /** Servers compare the whole address of the way back, so a registration for another one is of no use. */
  async clientInformation(): Promise<ClientInformation> {
    const { clientId, clientSecret } = this.#options.oauth ?? {};
    if (clientId !== undefined)
      return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
    const { client, redirectUrl } = await this.#options.store.read();
    return redirectUrl === this.redirectUrl && isClient(client) ? client : undefined;
  }

  async #keepClient(information: NonNullable<ClientInformation>): Promise<void> {
    const client = jsonCopy(information);
    if (typeof client.client_secret === 'string') hideFromNowOn(client.client_secret);
    await this.#options.store.update({ client, redirectUrl: this.redirectUrl });
  }

  async tokens(): Promise<Tokens> {
    const { tokens } = await this.#options.store.read();
    return isTokens(tokens) ? tokens : undefined;
  }

  async saveTokens(tokens: NonNullable<Tokens>): Promise<void> {
    for (const secret of [tokens.access_token, tokens.refresh_token, tokens.id_token])
      if (secret !== undefined) hideFromNowOn(secret);
    await this.#options.store.update({
      tokens: jsonCopy(tokens),
      redirectUrl: this.redirectUrl,
      scope: undefined,
    });
  }

  /** A server may ask for more scopes than it granted; the next login requests those too. */
  async redirectToAuthorization(url: URL): Promise<void> {
    const scope = url.searchParams.get('scope');
    if (scope) await this.#options.store.update({ scope });
    await this.#options.onRedirect(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    if (this.#verifier !== undefined) return this.#verifier;
    throw new AgentError('config', 'This login was not started here. Start it again.');
  }

  saveDiscoveryState(state: Discovery): void {
    this.#discovery = state;
  }

  discoveryState(): Discovery | undefined {
    return this.#discovery;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    const isAll = scope === 'all';
    if (isAll || scope === 'verifier') this.#verifier = undefined;
    if (isAll || scope === 'discovery') this.#discovery = undefined;
    if (isAll || scope === 'client' || scope === 'tokens')
      await this.#options.store.update({
        ...(scope === 'client' ? {} : { tokens: undefined }),
        ...(scope === 'tokens' ? {} : { client: undefined }),
      });
  }
}

function isClient(value: unknown): value is NonNullable<ClientInformation> {
  return isJsonObject(value) && typeof value.client_id === 'string';
}

function isTokens(value: unknown): value is NonNullable<Tokens> {
  return isJsonObject(value) && typeof value.access_token === 'string';
}

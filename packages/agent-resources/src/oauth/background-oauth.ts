import type { HostEnvironment } from '@robota-sdk/agent-config';
import { OAuthStore } from '@robota-sdk/agent-config';
import type { McpServer } from '../source/server-definition.ts';
import { StoredOAuth } from './stored-oauth.ts';

/**
 * The login of a session to a server: sends and renews tokens but never opens a browser. Undefined without a
 * stored login, so that no client is registered without consent.
 */
export function backgroundOAuth(
  { config, oauth }: McpServer,
  host: HostEnvironment,
): StoredOAuth | undefined {
  const { transport } = config;
  if (!('url' in transport) || hasOwnToken(transport.headers)) return undefined;
  const store = new OAuthStore(transport.url, host);
  const { redirectUrl } = store.readNow();
  if (redirectUrl === undefined) return undefined;
  return new StoredOAuth({ store, oauth, redirectUrl, onRedirect: () => {} });
}

/** True if a header already authenticates us. */
export function hasOwnToken(headers: Readonly<Record<string, string>> = {}): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

import type { JsonValue } from '@robota-sdk/agent-core';
import type { HostEnvironment } from '../dialects.ts';
import { expandVariables } from './expand-variables.ts';
import { OAuthStore } from './oauth/oauth-store.ts';
import type { McpServer } from './server-definition.ts';

const secretNames = /auth|key|token|secret|cookie|password|credential/i;

/**
 * What a server is told in confidence, so that none of it is shown or written down: headers, variables, tokens, and what
 * stands in its arguments or its address by a telling name.
 */
export function serverSecrets(server: McpServer, host: HostEnvironment): readonly string[] {
  const { transport } = server.config;
  const named = (pairs: Readonly<Record<string, string>> = {}) =>
    Object.entries(pairs).flatMap(([name, value]) =>
      secretNames.test(name) ? [value, value.replace(/^\w+ /, '')] : [],
    );
  const filled = named(expandVariables(server.written, host.env).filled);
  const client = server.oauth?.clientSecret === undefined ? [] : [server.oauth.clientSecret];
  if (transport.kind === 'stdio') return [...named(transport.env), ...filled];
  const { tokens, client: registered } = new OAuthStore(transport.url, host).readNow();
  const stored = [tokens?.access_token, tokens?.refresh_token, registered?.client_secret];
  const { password, searchParams } = new URL(transport.url);
  return [
    ...named(transport.headers),
    ...named(Object.fromEntries(searchParams)),
    ...filled,
    ...client,
    ...stored.filter(isText),
    decodeURIComponent(password),
  ].filter(Boolean);
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}

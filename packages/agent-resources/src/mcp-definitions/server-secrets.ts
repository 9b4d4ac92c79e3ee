import type { HostEnvironment } from '@robota-sdk/agent-config';
import { OAuthStore } from '@robota-sdk/agent-config';
import type { JsonValue } from '@robota-sdk/agent-core';
import type { McpServer } from '../source/server-definition.ts';
import { expandVariables } from './expand-variables.ts';

type Transport = McpServer['config']['transport'];

const secretNames = /auth|key|token|secret|cookie|password|credential/i;

/**
 * The secrets of a server, for redaction: headers, variables, tokens, and arguments or parts of its URL with
 * a name like `token`.
 */
export function serverSecrets(server: McpServer, host: HostEnvironment): readonly string[] {
  const { transport } = server.config;
  const filled = named(expandVariables(server.written, host.env).filled);
  const { clientSecret, idToken } = server.oauth ?? {};
  const client = [clientSecret, idToken].filter(isText);
  if (transport.kind === 'stdio') {
    const inArguments = secretArguments(transport.args ?? []);
    return [...named(transport.env), ...inArguments, ...filled].filter(Boolean);
  }
  if (transport.kind === 'program') return filled.filter(Boolean);
  const { tokens, client: registered } = new OAuthStore(transport.url, host).readNow();
  const stored = [tokens?.access_token, tokens?.refresh_token, registered?.client_secret];
  return [
    ...named(transport.headers),
    ...secretParameters(transport.url),
    ...filled,
    ...client,
    ...stored.filter(isText),
  ].filter(Boolean);
}

/** True if every request to the URL carries a secret. */
export function hasSecret({ url, headers }: Extract<Transport, { url: string }>): boolean {
  return named(headers).length > 0 || secretParameters(url).length > 0;
}

function named(pairs: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.entries(pairs).flatMap(([name, value]) =>
    secretNames.test(name) ? [value, value.replace(/^\w+ /, '')] : [],
  );
}

/** Values after `--api-key`, and those in `--token=…` and `TOKEN=…`. */
function secretArguments(args: readonly string[]): readonly string[] {
  return args.flatMap((argument, index) => {
    const [, name = '', value] = /^-{0,2}([\w.-]+)=(.*)$/s.exec(argument) ?? [];
    if (value !== undefined) return secretNames.test(name) ? [value] : [];
    const before = args[index - 1] ?? '';
    const isValue = /^--?[A-Za-z][\w.-]*$/.test(before) && !argument.startsWith('-');
    return isValue && secretNames.test(before) ? [argument] : [];
  });
}

/** As they are, and as they are written in the address. */
function secretParameters(url: string): readonly string[] {
  const { search, searchParams } = new URL(url);
  const written = search
    .slice(1)
    .split('&')
    .flatMap((part) => {
      const [name = '', ...value] = part.split('=');
      return secretNames.test(name) ? [value.join('=')] : [];
    });
  return [...named(Object.fromEntries(searchParams)), ...written].filter(Boolean);
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}

import type { ApiKind } from '../message/model-ref.ts';
import type { Vendor } from './catalogue.ts';
import { isLoopback } from './failure.ts';

interface EndpointOptions {
  /** The model's API kind. Default: the vendor's. */
  readonly modelApi?: ApiKind | undefined;
  /** Set by a profile or a flag: overrides everything else. */
  readonly api?: ApiKind | undefined;
  readonly baseUrl?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * The URL and API kind of a vendor. A custom base URL means a compatible server with the API of such servers, unless
 * the API kind is given.
 */
export function endpointOf(vendor: Vendor, wishes: EndpointOptions = {}): { baseUrl: string; api: ApiKind } {
  const written = wishes.baseUrl ?? fromEnvironment(vendor, wishes.env ?? {}) ?? vendor.baseUrl;
  const baseUrl = withScheme(written);
  const modelApi = wishes.modelApi ?? vendor.api;
  const isCustom = withoutSlash(baseUrl) !== withoutSlash(vendor.baseUrl);
  const custom = modelApi === 'ollama' && hasOtherPath(baseUrl) ? 'openai' : vendor.customBaseUrlApi;
  const spoken = isCustom && modelApi === vendor.api ? (custom ?? modelApi) : modelApi;
  return { baseUrl, api: wishes.api ?? spoken };
}

/** A gateway in front of Ollama, such as `/ollama/v1`, is only sure to have the compatible API. */
function hasOtherPath(baseUrl: string): boolean {
  return !['', '/v1', '/api'].includes(withoutSlash(parseUrl(baseUrl)?.pathname ?? ''));
}

/**
 * Completes a local address without a scheme: `localhost:8080` is `http://localhost:8080/v1`. Other addresses are
 * unchanged.
 */
function withScheme(address: string): string {
  const written = reachable(address);
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(written)) return written;
  const url = parseUrl(`http://${written}`);
  if (!url || !isLoopback(url.host)) return written;
  const path = withoutSlash(url.pathname);
  return `http://${url.host}${path === '' ? '/v1' : path}`;
}

/** Servers print the address they listen on (`0.0.0.0:8000`, `[::]:8000`, `:8000`), which no client can connect to everywhere. */
function reachable(address: string): string {
  return address
    .trim()
    .replace(/^(https?:\/\/)?(?:0\.0\.0\.0(?![\w.-])|(?=:\d))/i, '$1127.0.0.1')
    .replace(/^(https?:\/\/)?\[::\]/i, '$1[::1]');
}

function fromEnvironment(
  vendor: Vendor,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (vendor.baseUrlVariable === undefined) return undefined;
  const value = env[vendor.baseUrlVariable]?.trim();
  if (!value) return undefined;
  return vendor.baseUrlVariable === 'OLLAMA_HOST' ? ollamaUrl(value) : value;
}

/**
 * `OLLAMA_HOST` is written for Ollama's server: a host, a port or both, with or without a scheme, and perhaps the
 * address to listen on.
 */
function ollamaUrl(listening: string): string {
  const value = reachable(listening);
  const scheme = /^https?:\/\//i.exec(value)?.[0] ?? '';
  const rest = value.slice(scheme.length);
  const url = parseUrl(`${scheme || 'http://'}${rest}`);
  if (!url) return value;
  if (scheme === '' && !/:\d+(\/|$)/.test(rest)) url.port = '11434';
  const path = withoutSlash(url.pathname);
  return `${url.protocol}//${url.host}${path === '' ? '/v1' : path}`;
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function withoutSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}

import type { LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { AgentError, errorMessage } from '@robota-sdk/agent-core';
import { findProxy, openRequest } from '@robota-sdk/agent-http';
import { isPublicAddress } from '../net/public-address.ts';
import { knownAddresses, resolveHost } from '../net/resolve-host.ts';

export interface DownloadOptions {
  /** True if this machine and its network may be reached. */
  readonly allowPrivate: boolean;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Called with type and length before the body is loaded; throws to refuse it. */
  checkType(contentType: string, length: string): void;
  readonly signal: AbortSignal;
}

export interface Download {
  /** The final URL after redirects within the host. */
  readonly url: URL;
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** Set if the page moved to another host, which needs its own request. */
  readonly movedTo?: string;
}

const maxRedirects = 5;
const userAgent = 'Robota (coding agent, on behalf of a user)';

/** Validates a URL before anything is resolved. */
export function parseUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href))
    throw refused(`"${text}" is not a URL. Give a full one, such as https://example.com/page.`);
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refused(`Only http and https are fetched, not ${url.protocol} (${text}).`);
  }
  if (url.username !== '' || url.password !== '') {
    throw refused(`The URL for ${url.host} holds a name or password. Leave it out: it would end up in logs.`);
  }
  return url;
}

/** Loads a page; every redirect is checked like the first URL. */
export async function download(start: URL, options: DownloadOptions): Promise<Download> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  try {
    return await followRedirects(start, { ...options, signal });
  } catch (thrown) {
    options.signal.throwIfAborted();
    if (AgentError.is(thrown)) throw thrown;
    const reason = timeout.aborted
      ? `no complete answer within ${options.timeoutMs / 1000} s`
      : reasonOf(thrown);
    throw new AgentError('tool', `${start.href} could not be fetched: ${reason}`, { cause: thrown });
  }
}

/** A host with several addresses fails with an error that has a code but no message. */
function reasonOf(thrown: unknown): string {
  const message = errorMessage(thrown);
  if (message !== '' || !(thrown instanceof Error)) return message;
  return 'code' in thrown ? String(thrown.code) : thrown.name;
}

async function followRedirects(start: URL, options: DownloadOptions): Promise<Download> {
  let url = start;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const response = await request(url, options);
    const location = redirectOf(response);
    if (location === undefined) return await receive(url, response, options);
    response.destroy();
    const next = parseUrl(location, url);
    // The permission covers one host; a redirect to another needs a new call.
    if (!isSameSite(start, next))
      return { ...headOf(url, response), body: Buffer.alloc(0), movedTo: next.href };
    url = next;
  }
  throw new AgentError('tool', `${start.href} redirects more than ${maxRedirects} times.`);
}

function isSameSite(a: URL, b: URL): boolean {
  const isDowngrade = a.protocol === 'https:' && b.protocol === 'http:';
  return !isDowngrade && a.hostname.replace(/^www\./, '') === b.hostname.replace(/^www\./, '');
}

function redirectOf(response: IncomingMessage): string | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(response.statusCode ?? 0);
  return isRedirect ? response.headers.location : undefined;
}

async function request(url: URL, options: DownloadOptions): Promise<IncomingMessage> {
  const isProxied = findProxy(url) !== undefined;
  const addresses = await checkedAddresses(url, { ...options, isProxied });
  const headers = {
    'user-agent': userAgent,
    accept: 'text/html, text/markdown, text/plain, application/json, */*;q=0.5',
    'accept-encoding': 'gzip, deflate, br',
  };
  const { signal } = options;
  const way = isProxied ? {} : { lookup: lookupOf(addresses), agent: false as const };
  const opened = await openRequest(url, { method: 'GET', headers, signal, ...way });
  signal.addEventListener('abort', () => opened.abort(), { once: true });
  return new Promise((resolve, reject) => {
    opened.request.on('error', (error) => reject(opened.explain(error)));
    opened.request.once('response', (response) => {
      const problem = opened.problemOf(response);
      if (!problem) return resolve(response);
      response.destroy();
      reject(problem);
    });
    opened.request.end();
  });
}

/** Connects to the checked addresses, whatever the name resolves to by then. */
function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_name, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
}

interface AddressCheck extends DownloadOptions {
  /** True if a proxy resolves the name; it may know more names than this machine. */
  readonly isProxied: boolean;
}

async function checkedAddresses(
  url: URL,
  { allowPrivate, signal, isProxied }: AddressCheck,
): Promise<readonly LookupAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const known = isProxied ? await knownAddresses(host) : await resolveHost(host);
  signal.throwIfAborted();
  if (!known && !allowPrivate)
    throw refused(
      `${host} is an internal name, and its address is unknown here. The user can allow such addresses in the settings.`,
    );
  const addresses = known ?? [];
  const hidden = addresses.find(({ address }) => !isPublicAddress(address));
  if (!hidden || allowPrivate) return addresses;
  const where = hidden.address === host ? host : `${host} (${hidden.address})`;
  throw refused(
    `${where} is not a public address: this machine, its network or a reserved range. The user can allow such addresses in the settings.`,
  );
}

function headOf(url: URL, response: IncomingMessage): Omit<Download, 'body'> {
  return {
    url,
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    contentType: response.headers['content-type'] ?? '',
  };
}

async function receive(url: URL, response: IncomingMessage, options: DownloadOptions): Promise<Download> {
  const { maxBytes } = options;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    options.checkType(
      response.headers['content-type'] ?? '',
      response.headers['content-length'] ?? 'unknown',
    );
    for await (const chunk of await decompressed(response)) {
      size += (chunk as Buffer).length;
      if (size > maxBytes)
        throw new AgentError(
          'tool',
          `${url.href} is larger than ${maxBytes / 1024 / 1024} MB; it was not read.`,
        );
      chunks.push(chunk as Buffer);
    }
  } finally {
    response.destroy();
  }
  return { ...headOf(url, response), body: Buffer.concat(chunks) };
}

async function decompressed(response: IncomingMessage): Promise<Readable> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return response;
  const { createBrotliDecompress, createUnzip } = await import('node:zlib');
  const unpack = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  response.on('error', (error) => unpack.destroy(error));
  return response.pipe(unpack);
}

function refused(message: string, cause?: unknown): AgentError {
  return new AgentError('refused-url', message, { cause });
}

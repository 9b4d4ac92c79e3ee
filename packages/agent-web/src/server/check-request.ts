import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.ts';
import type { WebAddress } from './web-address.ts';

const longestTarget = 2_048;
/** Node drops headers beyond this number silently, so a request that reaches it is refused. */
export const mostHeaders = 64;
/** Escapes are not decoded and not served: ids and names of routes need none. */
const plainPath = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*\/?$/;
/** Headers that decide something; two of them could be read in two ways. */
const singleHeaders = [
  'host',
  'origin',
  'cookie',
  'content-type',
  'content-length',
  'transfer-encoding',
  'robota-key',
  'last-event-id',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
];

/** A request that came to one of our names from one of our pages, or from the address bar. */
export interface CheckedRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: URLSearchParams;
  readonly isApi: boolean;
  /** The origin of the name that it came to. */
  readonly origin: string;
}

/** Checks everything that a request says of itself, before anything is looked up or read. Throws a `Refusal`. */
export function checkRequest(request: IncomingMessage, address: WebAddress): CheckedRequest {
  const origin = originOf(request, address);
  const { path, query } = targetOf(request);
  const isApi = path === '/api' || path.startsWith('/api/');
  const method = methodOf(request, isApi);
  assertOrigin(request, { isApi, method, origin });
  assertFetchSite(request, isApi);
  return { method, path, query, isApi, origin };
}

function originOf(request: IncomingMessage, { origins }: WebAddress): string {
  for (const name of singleHeaders) {
    if (headerValues(request, name).length > 1)
      throw new Refusal(400, 'duplicate-header', { message: `More than one ${name} header.` });
  }
  if (request.rawHeaders.length >= 2 * mostHeaders)
    throw new Refusal(431, 'too-many-headers', { message: `${mostHeaders} headers or more.` });
  if (request.headers.upgrade !== undefined || request.headers.expect !== undefined)
    throw new Refusal(417, 'no-upgrade', { message: 'Upgrades and expectations are not supported.' });
  if (request.httpVersion !== '1.1')
    throw new Refusal(505, 'http-version', { message: 'Only HTTP/1.1 is spoken here.' });
  const origin = origins.get(headerValues(request, 'host')[0] ?? '');
  if (origin !== undefined) return origin;
  throw new Refusal(421, 'wrong-host', {
    message: 'This server does not answer to that name.',
    hint: 'Open the address that robota web printed.',
  });
}

function targetOf({ url = '' }: IncomingMessage): { path: string; query: URLSearchParams } {
  if (!url.startsWith('/') || url.length > longestTarget)
    throw new Refusal(400, 'bad-target', { message: 'The request target is not a short path.' });
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  if (!plainPath.test(path)) throw notFound();
  return { path, query: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)) };
}

function methodOf({ method, headers }: IncomingMessage, isApi: boolean): 'GET' | 'POST' {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
  if (method === 'GET' && hasBody) throw new Refusal(400, 'body', { message: 'A GET has no body.' });
  if (method === 'GET' || (method === 'POST' && isApi)) return method;
  throw new Refusal(405, 'wrong-method', { message: `${method} is not supported here.` });
}

/**
 * Browsers send `Origin` with every POST. With a GET of our own page they send only `Sec-Fetch-Site`; one of both has to be
 * there for everything but the page itself.
 */
function assertOrigin(
  request: IncomingMessage,
  { isApi, method, origin }: Pick<CheckedRequest, 'isApi' | 'method' | 'origin'>,
): void {
  const [given] = headerValues(request, 'origin');
  if (given === origin) return;
  const isVouchedFor = headerValues(request, 'sec-fetch-site')[0] === 'same-origin';
  if (given === undefined && method === 'GET' && (!isApi || isVouchedFor)) return;
  throw new Refusal(403, 'wrong-origin', { message: 'Only the page of this server may ask.' });
}

/**
 * The page is opened in a tab, from anywhere: it holds nothing, and other sites get no hold of its window. The rest is
 * fetched by the page. Frames, images and scripts of other sites are neither.
 */
function assertFetchSite(request: IncomingMessage, isApi: boolean): void {
  const [site] = headerValues(request, 'sec-fetch-site');
  const [mode] = headerValues(request, 'sec-fetch-mode');
  const [destination] = headerValues(request, 'sec-fetch-dest');
  const isTab = !isApi && (site === 'none' || mode === 'navigate');
  const isRightSite = site === undefined || site === 'same-origin' || isTab;
  const isRightUse = destination === undefined || destination === (isApi ? 'empty' : 'document');
  if (isRightSite && isRightUse) return;
  throw new Refusal(403, 'cross-site', {
    message: 'Another site sent this request.',
    hint: 'Type or paste the address instead.',
  });
}

/** Every value of a header as it was sent: Node joins or drops repeated ones. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/** The reply to everything unknown. */
export function notFound(): Refusal {
  return new Refusal(404, 'not-found', { message: 'Not found.' });
}

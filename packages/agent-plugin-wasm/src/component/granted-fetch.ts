import { CertificateError, httpFetch, ProxyError, readAtMost } from '@robota-sdk/agent-http';
/** A request as a plugin makes it. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

export interface FetchGrant {
  readonly hosts: readonly string[];
  readonly signal: AbortSignal;
}

const maxBytes = 8 * 1024 * 1024;
const maxRedirects = 5;
const redirects = [301, 302, 303, 307, 308];

/** Sends a request of a plugin to a host it was granted; each redirection has to lead to such a host too. */
export async function grantedFetch(
  request: HttpRequest,
  { hosts, signal }: FetchGrant,
): Promise<HttpResponse> {
  let { url, method, body } = request;
  let headers = request.headers;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const target = grantedUrl(url, hosts);
    const response = await httpFetch(target, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    }).catch((thrown: unknown) => {
      throw new Error(`${target.host} did not answer: ${causeOf(thrown)}`);
    });
    const location = redirects.includes(response.status) ? response.headers.get('location') : null;
    if (location === null)
      return { status: response.status, headers: [...response.headers], body: await bodyOf(response) };
    await response.body?.cancel();
    const next = new URL(location, target);
    // Keys are meant for the host they were sent to.
    if (next.origin !== target.origin)
      headers = headers.filter(([name]) => !/^(?:authorization|cookie|proxy-authorization)$/i.test(name));
    url = next.href;
    if (response.status <= 303 && method !== 'HEAD') {
      method = 'GET';
      body = undefined;
    }
  }
  throw new Error(`${request.url} leads on more than ${maxRedirects} times`);
}

function grantedUrl(text: string, hosts: readonly string[]): URL {
  if (!URL.canParse(text)) throw new Error(`${text} is not a URL`);
  const url = new URL(text);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))
    throw new Error(`${url.protocol}//${url.host} is refused: only https is used, and http on this machine`);
  if (url.username !== '' || url.password !== '')
    throw new Error('an address with a password in it is refused');
  if (!hosts.some((pattern) => matches(pattern.toLowerCase(), url)))
    throw new Error(`connecting to ${url.host} is not granted`);
  return url;
}

/** A pattern without a port means the usual one. */
function matches(pattern: string, { hostname, host, port }: URL): boolean {
  if (pattern.startsWith('*.')) return port === '' && hostname.endsWith(pattern.slice(1));
  return pattern === host;
}

async function bodyOf(response: Response): Promise<Uint8Array> {
  const tooLarge = () => new Error(`the answer is larger than ${maxBytes} bytes`);
  return new Uint8Array(await readAtMost(response, { maxBytes, tooLarge }));
}

function causeOf(thrown: unknown): string {
  const { cause: reason } = thrown as { readonly cause?: unknown };
  if (reason instanceof ProxyError || reason instanceof CertificateError) return reason.message;
  const { cause } = thrown as { readonly cause?: { readonly code?: string; readonly message?: string } };
  return cause?.code ?? cause?.message ?? (thrown instanceof Error ? thrown.message : String(thrown));
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction, Socket, TcpNetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorMessage } from '@robota-sdk/agent-core';
import { connectThrough, findProxy, openRequest, type ProxyAddress } from '@robota-sdk/agent-http';
import { isPublicAddress } from '../net/public-address.ts';
import { knownAddresses } from '../net/resolve-host.ts';
import { type HostAddress, isHostAllowed, normalizeHost } from './host-pattern.ts';

export interface HostProxyOptions {
  readonly allow: readonly string[];
  /** A socket file to listen on. Default: a port of this machine. */
  readonly socket?: string;
  /** Resolves names. Default: the system's resolver. */
  readonly lookup?: LookupFunction;
}

/** An HTTP proxy in this process that lets a command reach some hosts and records refused ones. */
export class HostProxy {
  readonly #allow: readonly string[];
  readonly #lookup: LookupFunction | undefined;
  readonly #blocked = new Set<string>();
  readonly #connections = new Set<Duplex>();
  #server: Server | undefined;

  private constructor(options: HostProxyOptions) {
    this.#allow = options.allow;
    this.#lookup = options.lookup;
  }

  static async start(options: HostProxyOptions): Promise<HostProxy> {
    const { createServer } = await import('node:http');
    const proxy = new HostProxy(options);
    const server = createServer((request, response) => void proxy.#forward(request, response));
    proxy.#server = server;
    server.on('connection', (socket) => proxy.#track(socket));
    server.on('connect', (request, socket, head) => void proxy.#tunnel(request, socket, head));
    server.on('clientError', (_, socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      if (options.socket === undefined) server.listen(0, '127.0.0.1', resolve);
      else server.listen(options.socket, resolve);
    });
    server.unref();
    return proxy;
  }

  /** Refused hosts, as `host` or `host:port`, each once. */
  get blocked(): readonly string[] {
    return [...this.#blocked];
  }

  /** The port, if the proxy listens on one. */
  get port(): number | undefined {
    return (this.#server?.address() as AddressInfo | string | null | undefined as AddressInfo | undefined)
      ?.port;
  }

  /** Ends every connection. */
  close(): void {
    this.#server?.close();
    for (const connection of this.#connections) connection.destroy();
  }

  async #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const address = parseAddress(request.url ?? '');
    if (address === undefined) return refuse(socket, '400 Bad Request', 'CONNECT needs host:port.');
    if (!this.#permits(address)) return refuse(socket, '403 Forbidden', refusal(address));
    const ended = new AbortController();
    socket.once('close', () => ended.abort());
    try {
      const upstream = await this.#connect(
        address,
        AbortSignal.any([ended.signal, AbortSignal.timeout(connectTimeout)]),
      );
      upstream.on('error', () => socket.destroy());
      socket.once('close', () => upstream.destroy());
      if (socket.destroyed) return void upstream.destroy();
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    } catch (thrown) {
      const isLate = thrown instanceof Error && thrown.name === 'TimeoutError';
      refuse(socket, '502 Bad Gateway', isLate ? `No answer from ${address.host}.` : errorMessage(thrown));
    }
  }

  /** Connects to a host on the way that the environment prescribes. */
  async #connect(address: HostAddress, signal: AbortSignal): Promise<Socket> {
    const proxy = findProxy(new URL(`https://${urlHost(address)}`));
    const upstream = proxy
      ? await this.#connectThrough(proxy, address, signal)
      : await connected({ ...address, ...this.#lookupFor(address), signal });
    this.#track(upstream);
    return upstream;
  }

  async #connectThrough(proxy: ProxyAddress, address: HostAddress, signal: AbortSignal): Promise<Socket> {
    await this.#checkTarget(address);
    return connectThrough(proxy, { ...address, signal });
  }

  /** A proxy resolves the names: those that this machine knows to be private, or cannot know, are refused before. */
  async #checkTarget(address: HostAddress): Promise<void> {
    if (this.#isNamed(address)) return;
    const addresses = await knownAddresses(address.host);
    if (addresses?.every((each) => isPublicAddress(each.address))) return;
    throw new Error(`${address.host} leads to a private address.`);
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = parseHttpUrl(request.url ?? '');
    if (url === undefined)
      return answer(response, 400, 'This is a proxy: it takes absolute http:// addresses.');
    const address = { host: normalizeHost(url.hostname), port: Number(url.port || 80) };
    if (!this.#permits(address)) return answer(response, 403, refusal(address));
    const fail = (thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else answer(response, 502, errorMessage(thrown));
    };
    try {
      if (findProxy(url)) await this.#checkTarget(address);
      const { request: upstream, ...opened } = await openRequest(url, {
        method: request.method ?? 'GET',
        headers: { ...endToEnd(request.headers), host: url.host },
        agent: false,
        ...this.#lookupFor(address),
      });
      upstream.once('response', (reply) => {
        const problem = opened.problemOf(reply);
        if (problem) {
          reply.destroy();
          return fail(problem);
        }
        response.writeHead(reply.statusCode ?? 502, endToEnd(reply.headers));
        reply.pipe(response);
        reply.once('error', () => response.destroy());
      });
      upstream.on('error', (error) => fail(opened.explain(error)));
      response.once('close', () => opened.abort());
      request.pipe(upstream);
    } catch (thrown) {
      fail(thrown);
    }
  }

  #permits(address: HostAddress): boolean {
    if (isHostAllowed(address, this.#allow)) return true;
    this.#blocked.add(describeAddress(address));
    return false;
  }

  /** The owner of a wildcard's zone could point a name to this machine or its network. */
  #lookupFor(address: HostAddress): { lookup?: LookupFunction } {
    if (!this.#isNamed(address)) return { lookup: publicOnly(this.#lookup) };
    return this.#lookup === undefined ? {} : { lookup: this.#lookup };
  }

  /** True if a pattern without a wildcard allows the host. */
  #isNamed(address: HostAddress): boolean {
    return isHostAllowed(
      address,
      this.#allow.filter((pattern) => !pattern.startsWith('*')),
    );
  }

  #track(connection: Socket): void {
    this.#connections.add(connection);
    connection.once('close', () => this.#connections.delete(connection));
  }
}

const connectTimeout = 30_000;

/** A connection that stands. */
async function connected({
  signal,
  ...options
}: TcpNetConnectOpts & { readonly signal: AbortSignal }): Promise<Socket> {
  const { connect } = await import('node:net');
  const socket = connect(options);
  const abort = () => socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    if (signal.aborted) abort();
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return socket;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function urlHost({ host, port }: HostAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Formats a host like a pattern: without a default port. */
function describeAddress(address: HostAddress): string {
  return urlHost(address).replace(/:(?:80|443)$/, '');
}

function refusal(address: HostAddress): string {
  return `The sandbox does not allow ${describeAddress(address)}; sandbox.network.allow would.`;
}

function parseAddress(text: string): HostAddress | undefined {
  const match = /^(\[[^\]]+\]|[^:/@\s]+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (!match || port < 1 || port > 65535) return undefined;
  return { host: normalizeHost(match[1] ?? ''), port };
}

function parseHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'http:' ? url : undefined;
}

function publicOnly(lookup: LookupFunction | undefined): LookupFunction {
  return (hostname, options, callback) => {
    const check: typeof callback = (error, address, family) => {
      const addresses = Array.isArray(address) ? address.map((entry) => entry.address) : [address];
      const isPublic = error !== null || addresses.every(isPublicAddress);
      const problem = isPublic ? error : new Error(`${hostname} leads to a private address.`);
      callback(problem, address, family);
    };
    if (lookup) return lookup(hostname, options, check);
    void import('node:dns').then((dns) => dns.lookup(hostname, options, check as never));
  };
}

const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${text}\n`);
}

function refuse(socket: Duplex, status: string, text: string): void {
  const body = `${text}\n`;
  const head = `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}`;
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
}

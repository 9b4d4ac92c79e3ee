import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  request as openRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** How a proxy behaves. */
export interface ProxyOptions {
  /** Speaks TLS with its clients. */
  readonly isSecure?: boolean;
  /** `user:password` that it wants. */
  readonly credentials?: string;
  /** Its status for wrong credentials: 407 unless given; Tinyproxy sends 401. */
  readonly wrongCredentials?: number;
  /** The port of this machine that a host name leads to; undefined for a host it does not serve. */
  portOf(host: string): number | undefined;
  /** Accepts connections and never answers. */
  readonly isSilent?: boolean;
  /** Ends each tunnel after so many bytes from the host. */
  readonly closesAfter?: number;
  /** Any free port unless given. */
  readonly port?: number;
}

/** A forwarding HTTP proxy on this machine. */
export interface ProxyServer {
  readonly url: string;
  /** `CONNECT host:port` and `METHOD http://…` of each request, in order. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

const fixtures = new URL('../../fixtures/', import.meta.url);

/** The file of the authority that signed the certificates of test servers. */
export const testAuthority: URL = new URL('test-authority.pem', fixtures);

/** Starts a proxy that resolves names itself, as a real one does. */
export async function startProxy(options: ProxyOptions): Promise<ProxyServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = options.isSecure ? createSecureServer(hostCertificate()) : createServer();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('connect', (request, socket: Socket) => {
    requests.push(`CONNECT ${request.url}`);
    socket.on('error', () => {});
    if (options.isSilent) return;
    const status = refusal(request, options);
    if (status !== undefined)
      return void socket.end(
        `HTTP/1.1 ${status} Refused\r\n${challenge}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
      );
    const upstream = connect(options.portOf(hostOf(request)) ?? 0, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream);
    });
    sockets.add(upstream);
    pass(upstream, socket, options.closesAfter);
  });
  server.on('request', (request: IncomingMessage, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (!options.isSilent) forward(request, response, options);
  });
  const port = await listen(server, options.port);
  return {
    url: `${options.isSecure ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    stop: () => stop(server, sockets),
  };
}

/** Serves the plain server on a port over TLS, with a certificate for `*.robota.test`; returns its port and an end. */
export async function startTlsFront(plainPort: number): Promise<{ port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createTlsServer(hostCertificate(), (socket) => {
    const upstream = connect(plainPort, '127.0.0.1');
    for (const each of [socket, upstream]) {
      sockets.add(each);
      each.on('error', () => {});
      each.on('close', () => {
        socket.destroy();
        upstream.destroy();
      });
    }
    socket.pipe(upstream).pipe(socket);
  });
  server.on('tlsClientError', () => {});
  return { port: await listen(server), stop: () => stop(server, sockets) };
}

/** Some clients, git among them, send credentials only after they were asked for them in this way. */
const challenge = 'proxy-authenticate: Basic realm="proxy"';

function hostCertificate() {
  const read = (name: string) => readFileSync(new URL(name, fixtures));
  return { key: read('test-host-key.pem'), cert: read('test-host-cert.pem') };
}

function refusal(request: IncomingMessage, options: ProxyOptions): number | undefined {
  const { credentials, wrongCredentials = 407 } = options;
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const sent = request.headers['proxy-authorization'];
  if (sent !== (expected || undefined)) return sent === undefined ? 407 : wrongCredentials;
  return options.portOf(hostOf(request)) === undefined ? 403 : undefined;
}

function hostOf({ url = '' }: IncomingMessage): string {
  return new URL(url.includes('://') ? url : `http://${url}`).hostname;
}

function pass(upstream: Socket, socket: Socket, closesAfter = Number.POSITIVE_INFINITY): void {
  let bytes = 0;
  upstream.on('data', (chunk) => {
    bytes += chunk.length;
    socket.write(chunk);
    if (bytes >= closesAfter) socket.destroy();
  });
  upstream.on('error', () => socket.destroy());
  upstream.on('close', () => socket.end());
  socket.on('close', () => upstream.destroy());
}

function forward(request: IncomingMessage, response: ServerResponse, options: ProxyOptions): void {
  const status = refusal(request, options);
  if (status !== undefined) return void response.writeHead(status).end('refused by the proxy');
  const { pathname, search } = new URL(request.url ?? '');
  const { 'proxy-authorization': _, ...headers } = request.headers;
  const sent = openRequest(
    { port: options.portOf(hostOf(request)), path: pathname + search, method: request.method, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  sent.on('error', () => response.destroy());
  request.pipe(sent);
}

async function listen(
  server: { listen(port: number, host: string, done: () => void): unknown; address(): unknown },
  port = 0,
) {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function stop(
  server: { close(done: () => void): unknown },
  sockets: ReadonlySet<Socket>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of sockets) socket.destroy();
  await closed;
}

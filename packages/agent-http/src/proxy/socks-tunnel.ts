import { Agent, type AgentOptions } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ProxyAddress } from './find-proxy.ts';
import { ProxyError } from './proxy-error.ts';

/** A host to reach through a proxy. */
export interface TunnelTarget {
  readonly host?: string | null;
  readonly port?: string | number | null;
  /** Aborted when the request ends before it has a connection. */
  readonly tunnelSignal?: AbortSignal;
}

const version = 5;
const withoutLogin = 0;
const withLogin = 2;

/** Reaches hosts without TLS through a SOCKS proxy, and keeps the connections for later requests. */
export class SocksAgent extends Agent {
  readonly #proxy: ProxyAddress;

  constructor(proxy: ProxyAddress, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(
    options: TunnelTarget,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    openSocksTunnel(this.#proxy, options).then(
      (socket) => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as never),
    );
  }
}

/** Opens a connection to a host through a SOCKS5 proxy (RFC 1928 and 1929), which resolves the name. */
export async function openSocksTunnel(proxy: ProxyAddress, target: TunnelTarget): Promise<Socket> {
  const { tunnelSignal: signal } = target;
  const socket = connect({ host: proxy.hostname, port: proxy.port, noDelay: true });
  const abort = () => socket.destroy(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await logIn(socket, proxy);
    await reach(socket, proxy, target);
    return socket;
  } catch (thrown) {
    socket.on('error', () => {}).destroy();
    if (thrown instanceof ProxyError || signal?.aborted) throw thrown;
    throw ProxyError.unreachable(proxy, thrown as Error);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

async function logIn(socket: Socket, proxy: ProxyAddress): Promise<void> {
  const { login } = proxy;
  socket.write(Buffer.from(login ? [version, 2, withoutLogin, withLogin] : [version, 1, withoutLogin]));
  const [, method] = await answerOf(socket, 2);
  if (method === withoutLogin) return;
  if (method !== withLogin || !login) throw ProxyError.unauthorized(proxy);
  socket.write(Buffer.concat([Buffer.from([1]), sized(login.user), sized(login.password)]));
  const [, status] = await take(socket, 2);
  if (status !== 0) throw ProxyError.unauthorized(proxy);
}

async function reach(socket: Socket, proxy: ProxyAddress, { host, port }: TunnelTarget): Promise<void> {
  const name = String(host);
  const portBytes = Buffer.alloc(2);
  portBytes.writeUInt16BE(Number(port));
  socket.write(Buffer.concat([Buffer.from([version, 1, 0]), addressOf(name), portBytes]));
  const [, reply = 1, , kind] = await answerOf(socket, 4);
  if (reply !== 0) throw ProxyError.declined(proxy, `${name}:${port}`, replies[reply] ?? `reply ${reply}`);
  const length = kind === 1 ? 4 : kind === 4 ? 16 : ((await take(socket, 1))[0] ?? 0);
  // The address of the other end, which says nothing that is needed.
  await take(socket, length + 2);
}

const replies = [
  '',
  'general failure',
  'not allowed by its rules',
  'network unreachable',
  'host unreachable',
  'connection refused',
];

function addressOf(host: string): Buffer {
  const family = isIP(host);
  if (family === 4) return Buffer.from([1, ...host.split('.').map(Number)]);
  if (family === 6) return Buffer.concat([Buffer.from([4]), bytesOfIPv6(host)]);
  return Buffer.concat([Buffer.from([3]), sized(host)]);
}

function bytesOfIPv6(address: string): Buffer {
  // One spelling, without an IPv4 part.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail] = plain.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = tail ? Array<string>(8 - head.length - tail.length).fill('0') : [];
  const groups = [...head, ...zeros, ...(tail ?? [])].map((group) => group.padStart(4, '0'));
  return Buffer.from(groups.join(''), 'hex');
}

/** A text behind its length in one byte. */
function sized(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw protocolFault();
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** The next bytes, which begin with the version of the protocol. */
async function answerOf(socket: Socket, count: number): Promise<Buffer> {
  const bytes = await take(socket, count);
  if (bytes[0] !== version) throw protocolFault();
  return bytes;
}

function protocolFault(): Error {
  return Object.assign(new Error('not SOCKS5'), { code: 'EPROTO' });
}

/** Waits for so many bytes, and leaves all others in the socket. */
function take(socket: Socket, count: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error, bytes?: Buffer) => {
      socket.off('readable', look).off('error', settle).off('close', end);
      if (bytes) return resolve(bytes);
      reject(error);
    };
    const end = () => settle(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const look = () => {
      const bytes: Buffer | null = socket.read(count);
      if (bytes?.length === count) return settle(undefined, bytes);
      if (bytes !== null || socket.readableEnded) end();
    };
    socket.on('readable', look).once('error', settle).once('close', end);
    if (socket.destroyed) return end();
    look();
  });
}

import { type ClientRequest, request as openPlain } from 'node:http';
import { type AgentOptions, request as openSecure, Agent as SecureAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { ProxyAddress } from './find-proxy.ts';
import { ProxyError } from './proxy-error.ts';
import { authorizationFor } from './route-agents.ts';
import type { TunnelTarget } from './socks-tunnel.ts';

interface TunnelOptions extends AgentOptions {
  readonly secureContext?: SecureContext;
}

type OnCreate = (error: Error | null, socket: Duplex) => void;

/** Reaches hosts over TLS through CONNECT tunnels of a proxy, and keeps the tunnels for later requests. */
export class TunnelAgent extends SecureAgent {
  readonly #proxy: ProxyAddress;
  readonly #trust: { readonly secureContext?: SecureContext };
  /** The connection to the proxy below each TLS connection: with a proxy over TLS, only it keeps the process alive. */
  readonly #carriers = new WeakMap<Duplex, Socket>();

  constructor(proxy: ProxyAddress, options: TunnelOptions) {
    super(options);
    this.#proxy = proxy;
    this.#trust = options.secureContext ? { secureContext: options.secureContext } : {};
  }

  override createConnection(options: TunnelTarget, callback?: OnCreate): undefined {
    openCarrier(this.#proxy, { ...options, trust: this.#trust }).then(
      (carrier) => {
        const socket = super.createConnection({ ...options, socket: carrier } as object) as Socket;
        this.#carriers.set(socket, carrier);
        callback?.(null, socket);
      },
      (error: Error) => callback?.(error, undefined as never),
    );
  }

  override keepSocketAlive(socket: Duplex): void {
    this.#carriers.get(socket)?.unref();
    // Node reads the answer, which its types leave out.
    return super.keepSocketAlive(socket);
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    this.#carriers.get(socket)?.ref();
    super.reuseSocket(socket, request);
  }
}

type CarrierTarget = TunnelTarget & { readonly trust: object };

/** A connection to the host, through the proxy, on which TLS can begin. */
export async function openCarrier(proxy: ProxyAddress, target: CarrierTarget): Promise<Socket> {
  if (proxy.protocol !== 'socks5:') return openTunnel(proxy, target);
  const { openSocksTunnel } = await import('./socks-tunnel.ts');
  return openSocksTunnel(proxy, target);
}

function openTunnel(
  proxy: ProxyAddress,
  { host: name, port, tunnelSignal, trust }: CarrierTarget,
): Promise<Socket> {
  const host = String(name);
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const headers = { host: target, ...authorizationFor(proxy) };
  const connect = proxy.protocol === 'https:' ? openSecure : openPlain;
  return new Promise((resolve, reject) => {
    const request = connect({
      ...trust,
      method: 'CONNECT',
      host: proxy.hostname,
      port: proxy.port,
      path: target,
      headers,
      agent: false,
    });
    const abort = () => {
      request.destroy();
      const { reason } = tunnelSignal as AbortSignal;
      reject(reason instanceof Error ? reason : new Error('aborted'));
    };
    const settle = () => tunnelSignal?.removeEventListener('abort', abort);
    request.on('error', (error) => {
      settle();
      reject(ProxyError.unreachable(proxy, error));
    });
    request.once('connect', ({ statusCode = 0 }, socket, head) => {
      settle();
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        return reject(ProxyError.refused(proxy, statusCode, target));
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket as Socket);
    });
    if (tunnelSignal?.aborted) return abort();
    tunnelSignal?.addEventListener('abort', abort, { once: true });
    request.end();
  });
}

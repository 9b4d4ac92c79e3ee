import type { Socket } from 'node:net';
import type { ProxyAddress } from './find-proxy.ts';

/** A host to connect to. */
interface ConnectTarget {
  readonly host: string;
  readonly port: number;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

/** Opens a connection to a host through a proxy, for bytes of any protocol. Throws a `ProxyError` or a `CertificateError`. */
export async function connectThrough(proxy: ProxyAddress, target: ConnectTarget): Promise<Socket> {
  const [{ openCarrier }, { ownSecureContext }] = await Promise.all([
    import('./tunnel-agent.ts'),
    import('../certificate/own-certificates.ts'),
  ]);
  const secureContext = ownSecureContext();
  const { host, port, signal } = target;
  return openCarrier(proxy, {
    host,
    port,
    tunnelSignal: signal,
    trust: secureContext ? { secureContext } : {},
  });
}

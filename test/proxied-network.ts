import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  type ProxyServer,
  startProxy,
  startSocks,
  startTlsFront,
  testAuthority,
} from '@robota-sdk/agent-testing';
import { openStage, type Stage } from './stage.ts';

/** Servers at `https://NAME.robota.test`, which only a proxy with a password reaches: the names resolve nowhere else. */
export interface ProxiedNetwork {
  readonly stage: Stage;
  readonly proxy: ProxyServer;
  /** Variables that lead through the proxy and trust the certificates. */
  readonly env: Readonly<Record<string, string>>;
  /** Serves a name over TLS, by a listener or by the port of a plain server on this machine. */
  serve(name: string, server: RequestListener | number): Promise<void>;
  /** Names that were reached through the proxy, each once, in alphabetical order. */
  reached(): readonly string[];
  /** Called when the network closes. */
  onClose(end: () => unknown): void;
  close(): Promise<void>;
}

export const proxyPassword = 'swordfish';

/** Opens the network, with the stage's model server as `api`. */
export async function openProxiedNetwork({ isSocks = false } = {}): Promise<ProxiedNetwork> {
  const stage = await openStage();
  const ports = new Map<string, number>();
  const credentials = `me:${proxyPassword}`;
  const start = isSocks ? startSocks : startProxy;
  const proxy = await start({ credentials, portOf: (host) => ports.get(host) });
  const ends: (() => unknown)[] = [proxy.stop, () => stage.server.close()];
  const onClose = (end: () => unknown) => void ends.push(end);
  const serve: ProxiedNetwork['serve'] = async (name, server) => {
    const plain = typeof server === 'number' ? server : await listen(server, onClose);
    const front = await startTlsFront(plain);
    onClose(front.stop);
    ports.set(`${name}.robota.test`, front.port);
  };
  await serve('api', Number(new URL(stage.server.url).port));
  return {
    stage,
    proxy,
    serve,
    onClose,
    env: {
      ANTHROPIC_BASE_URL: 'https://api.robota.test',
      HTTPS_PROXY: proxy.url.replace('://', `://${credentials}@`),
      SSL_CERT_FILE: fileURLToPath(testAuthority),
    },
    reached: () => {
      const names = proxy.requests.map(
        (line) => /^(?:CONNECT )?(\w+)\.robota\.test:443$/.exec(line)?.[1] ?? line,
      );
      return [...new Set(names)].sort();
    },
    close: async () => {
      for (const end of ends.splice(0)) await end();
    },
  };
}

async function listen(listener: RequestListener, onClose: ProxiedNetwork['onClose']): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onClose(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentError, errorMessage } from '@robota-sdk/agent-core';

/** The redirect target of a login: a page on this machine that other machines cannot reach. */
export interface WayBack {
  readonly url: string;
  /** Resolves with the redirect URL of the login with this state; other callers are rejected. */
  arrival(state: string, signal: AbortSignal): Promise<URL>;
  close(): void;
}

const path = '/callback';

/** Opens one, at the port that was agreed on, at the one of last time, or at any. */
export async function openWayBack(port: number | undefined, before: string | undefined): Promise<WayBack> {
  const server = createServer();
  const last = before !== undefined && URL.canParse(before) ? Number(new URL(before).port) : 0;
  await listen(server, port ?? last).catch((thrown: unknown) => {
    if (port === undefined) return listen(server, 0);
    const advice = 'End what uses it, or take "callbackPort" out of the server\'s definition.';
    throw new AgentError('config', `Port ${port} cannot be used: ${errorMessage(thrown)}. ${advice}`);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return {
    url,
    arrival: (state, signal) => arrival(server, { url, state }, signal),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function arrival(
  server: Server,
  { url, state }: { readonly url: string; readonly state: string },
  signal: AbortSignal,
): Promise<URL> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    server.on('request', (request, response) => {
      const arrived = new URL(request.url ?? '/', url);
      const { pathname, searchParams } = arrived;
      const isAnswer = searchParams.has('code') || searchParams.has('error');
      // Any program or page on this machine can call this; only the login page knows the state.
      const isIt = pathname === path && isAnswer && searchParams.get('state') === state;
      response.writeHead(isIt ? 200 : 404, {
        'content-type': 'text/plain; charset=utf-8',
        connection: 'close',
      });
      response.end(isIt ? 'Robota has your answer. You can close this page.\n' : 'There is nothing here.\n');
      if (isIt) resolve(arrived);
    });
  });
}

// As a whole: of named imports from it, the bundle keeps functions only.
import * as crypto from 'node:crypto';
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, isIPv6, type ListenOptions } from 'node:net';
import { dirname, resolve } from 'node:path';
import { AgentError, errorMessage, makeDirectories } from '@robota-sdk/agent-core';
import { mostHeaders } from './check-request.ts';
import { type WebAddress, webAddress } from './web-address.ts';
import { serverOptions, type WebLimits } from './web-limits.ts';

/** A target to listen on: a port of this machine alone, a socket file, or every network with a certificate. */
export type WebTarget =
  | { readonly kind: 'loopback'; readonly port: number }
  | { readonly kind: 'socket'; readonly path: string; readonly port: number }
  | { readonly kind: 'lan'; readonly port: number; readonly cert: string; readonly key: string };

/** A server that listens, before it serves. */
export interface Listening {
  readonly server: Server;
  readonly address: WebAddress;
}

const loopback = '127.0.0.1';

/** Starts to listen. */
export async function listen(target: WebTarget, limits: WebLimits): Promise<Listening> {
  const server = createFor(target, limits);
  server.maxConnections = limits.connections;
  server.maxHeadersCount = mostHeaders;
  const names = target.kind === 'lan' ? certificateNames(target.cert) : [loopback];
  if (target.kind === 'socket') await prepareSocket(target.path);
  await listenAt(server, placeOf(target));
  if (target.kind === 'socket') chmodSync(target.path, 0o600);
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : target.port;
  return { server, address: webAddress(names, { port, isSecure: target.kind === 'lan' }) };
}

function createFor(target: WebTarget, limits: WebLimits): Server {
  const options = serverOptions(limits);
  if (target.kind !== 'lan') return createServer(options);
  const { cert, key } = target;
  try {
    return createSecureServer({
      ...options,
      cert,
      key,
      minVersion: 'TLSv1.2',
      handshakeTimeout: limits.headersMs,
    });
  } catch (thrown) {
    throw new AgentError('usage', `The certificate and the key cannot be used: ${errorMessage(thrown)}.`, {
      hint: 'Give --cert and --key PEM files that were made together.',
      cause: thrown,
    });
  }
}

function placeOf(target: WebTarget): ListenOptions {
  if (target.kind === 'socket') return { path: target.path };
  return target.kind === 'lan'
    ? { port: target.port }
    : { port: target.port, host: loopback, exclusive: true };
}

function listenAt(server: Server, place: ListenOptions): Promise<void> {
  return new Promise((resolvePromise, reject) => {
    server.once('error', (error) => reject(cannotListen(error, place)));
    server.listen(place, () => resolvePromise());
  });
}

function cannotListen(error: NodeJS.ErrnoException, { port, path }: ListenOptions): AgentError {
  const hint =
    path === undefined
      ? 'Choose another with --port, or leave it out for a free one.'
      : 'Choose another path.';
  if (error.code === 'EADDRINUSE')
    return new AgentError('usage', `Port ${port} is in use by another program.`, { hint });
  if (error.code === 'EACCES' && port !== undefined)
    return new AgentError('usage', `Port ${port} is for the administrator of this machine.`, { hint });
  return new AgentError('usage', `Cannot listen: ${error.message}.`, { hint });
}

/** The names a browser can check the certificate against; no other one is answered to. */
function certificateNames(cert: string): readonly string[] {
  const listed = new crypto.X509Certificate(cert).subjectAltName ?? '';
  const names = listed.split(', ').flatMap((entry) => {
    const [, kind, name = ''] = /^(DNS|IP Address):([0-9A-Za-z.:-]+)$/.exec(entry) ?? [];
    if (kind === undefined) return [];
    return [isIPv6(name) ? new URL(`http://[${name}]`).hostname : name.toLowerCase()];
  });
  if (names.length > 0) return names;
  throw new AgentError('usage', 'The certificate names no host.', {
    hint: 'It needs a subjectAltName with the name or the address of this machine; a wildcard is not enough.',
  });
}

/** Systems take from 104 to 108 bytes, with a zero at the end. */
const longestSocket = 103;

/** A socket is only as private as its folder, so the folder has to be. */
async function prepareSocket(path: string): Promise<void> {
  const bytes = Buffer.byteLength(path);
  if (bytes > longestSocket)
    throw new AgentError(
      'usage',
      `The path of the socket has ${bytes} bytes; systems take ${longestSocket}.`,
      {
        hint: 'Choose a shorter one, such as ~/.robota-sock/web.',
      },
    );
  const folder = dirname(resolve(path));
  prepareFolder(folder);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isSocket())
    throw new AgentError('usage', `${path} exists and is not a socket.`, {
      hint: 'Choose another path for it.',
    });
  if (await answers(path))
    throw new AgentError('usage', `Another server listens on ${path}.`, {
      hint: 'Stop it, or choose another path.',
    });
  rmSync(path);
}

function prepareFolder(folder: string): void {
  try {
    makeDirectories(folder, 0o700);
  } catch (thrown) {
    throw new AgentError('usage', `The socket cannot be made: ${errorMessage(thrown)}.`, {
      hint: 'Put it into a folder of yours, such as ~/.robota-sock/web.',
      cause: thrown,
    });
  }
  const stats = lstatSync(folder);
  const isOurs = process.getuid === undefined || stats.uid === process.getuid();
  if (!stats.isDirectory() || !isOurs || (stats.mode & 0o077) !== 0)
    throw new AgentError('usage', `${folder} can be used by others, or is a link.`, {
      hint: 'Put the socket into a folder of yours with mode 0700.',
    });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolvePromise) => {
    const socket = connect(path);
    socket.once('connect', () => resolvePromise(true));
    socket.once('error', () => resolvePromise(false));
    socket.once('connect', () => socket.destroy());
  });
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WebLimits } from './web-limits.ts';

interface Connection {
  /** The socket to speak through. */
  socket: Socket;
  readonly address: string;
  /** Requests that are being answered. */
  active: number;
  late?: NodeJS.Timeout | undefined;
}

const tooLate = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

/**
 * The connections of a server. Those that no known device has used are few: the next one takes the place of the oldest, of the
 * address with the most. So the owner gets in, however many a stranger holds open. A timer runs only while a request is awaited,
 * and none while all that is open are streams.
 */
export class Connections {
  readonly #limits: WebLimits;
  readonly #all = new Map<Socket | string, Connection>();
  /** Those of no known device, the oldest first. */
  readonly #strangers = new Set<Connection>();

  constructor(server: Server, limits: WebLimits) {
    this.#limits = limits;
    server.on('connection', (socket: Socket) => this.#open(socket));
    server.on('secureConnection', (socket: Socket) => {
      const connection = this.#all.get(keyOf(socket));
      if (connection) connection.socket = socket;
    });
  }

  /** A request has come with all of its headers. */
  begin({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#all.get(keyOf(socket));
    if (!connection) return;
    connection.active += 1;
    clearTimeout(connection.late);
    response.once('close', () => {
      connection.active -= 1;
      const { keepAliveMs, headersMs } = this.#limits;
      if (connection.active === 0 && !socket.destroyed) this.#await(connection, keepAliveMs + headersMs);
    });
  }

  /** A known device uses a connection: it stays. */
  trust({ socket }: IncomingMessage): void {
    const connection = this.#all.get(keyOf(socket));
    if (connection) this.#strangers.delete(connection);
  }

  #open(socket: Socket): void {
    const key = keyOf(socket);
    const connection: Connection = { socket, address: socket.remoteAddress ?? '', active: 0 };
    this.#all.set(key, connection);
    this.#strangers.add(connection);
    socket.once('close', () => {
      clearTimeout(connection.late);
      this.#strangers.delete(connection);
      if (this.#all.get(key) === connection) this.#all.delete(key);
    });
    this.#await(connection, this.#limits.headersMs);
    if (this.#strangers.size > this.#limits.strangers) this.#makeRoom();
  }

  /** Ends a connection that sends no request. */
  #await(connection: Connection, ms: number): void {
    clearTimeout(connection.late);
    connection.late = setTimeout(() => {
      const { socket } = connection;
      if (socket.writable) socket.write(tooLate);
      socket.destroySoon();
    }, ms);
    connection.late.unref();
  }

  #makeRoom(): void {
    const counts = new Map<string, number>();
    for (const { address } of this.#strangers) counts.set(address, (counts.get(address) ?? 0) + 1);
    const most = Math.max(...counts.values());
    for (const connection of this.#strangers) {
      if (counts.get(connection.address) !== most) continue;
      this.#strangers.delete(connection);
      connection.socket.destroy();
      return;
    }
  }
}

/** A socket within TLS is another object than the one that was accepted, with the same address. */
function keyOf(socket: Socket): Socket | string {
  const { remoteAddress, remotePort } = socket;
  return remotePort === undefined ? socket : `${remoteAddress} ${remotePort}`;
}

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** How a SOCKS proxy behaves. */
export interface SocksOptions {
  /** `user:password` that it wants. */
  readonly credentials?: string;
  /** The port of this machine that a host leads to; a host it does not serve is refused by its rules. */
  portOf(host: string): number | undefined;
  /** Sends each byte on its own. */
  readonly isSlow?: boolean;
  /** Accepts connections and never answers. */
  readonly isSilent?: boolean;
}

/** A SOCKS5 proxy on this machine. */
export interface SocksServer {
  readonly url: string;
  /** `host:port` of each request, in order. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** Starts a SOCKS5 proxy that resolves names itself, with or without a password (RFC 1928 and 1929). */
export async function startSocks(options: SocksOptions): Promise<SocksServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    if (!options.isSilent) serve(socket, { options, requests, sockets }).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

interface Service {
  readonly options: SocksOptions;
  readonly requests: string[];
  readonly sockets: Set<Socket>;
}

async function serve(socket: Socket, { options, requests, sockets }: Service): Promise<void> {
  const { credentials, portOf, isSlow = false } = options;
  const say = async (bytes: readonly number[]) => {
    for (const piece of isSlow ? bytes.map((byte) => [byte]) : [bytes])
      await new Promise((resolve) => socket.write(Buffer.from(piece), resolve));
  };
  const [, count = 0] = await read(socket, 2);
  const wanted = credentials === undefined ? 0 : 2;
  if (!(await read(socket, count)).includes(wanted)) return void socket.end(Buffer.from([5, 0xff]));
  await say([5, wanted]);
  if (wanted === 2) {
    await read(socket, 1);
    const isRight = `${await readText(socket)}:${await readText(socket)}` === credentials;
    await say([1, isRight ? 0 : 1]);
    if (!isRight) return void socket.end();
  }
  const [, , , kind = 0] = await read(socket, 4);
  const host = kind === 3 ? await readText(socket) : addressIn(await read(socket, kind === 1 ? 4 : 16));
  requests.push(`${host}:${(await read(socket, 2)).readUInt16BE()}`);
  const port = portOf(host);
  if (port === undefined) {
    await say([5, 2, 0, 1, 0, 0, 0, 0, 0, 0]);
    return void socket.end();
  }
  const upstream = connect(port, '127.0.0.1');
  sockets.add(upstream.on('error', () => socket.destroy()));
  socket.on('close', () => upstream.destroy());
  // The address of the other end may be a name.
  await say([5, 0, 0, 3, 2, 0x61, 0x62, 0, 80]);
  socket.pipe(upstream).pipe(socket);
}

async function readText(socket: Socket): Promise<string> {
  const [length = 0] = await read(socket, 1);
  return String(await read(socket, length));
}

function addressIn(bytes: Buffer): string {
  return bytes.length === 4 ? bytes.join('.') : (bytes.toString('hex').match(/.{4}/g) ?? []).join(':');
}

async function read(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes: Buffer | null = count === 0 ? Buffer.alloc(0) : socket.read(count);
    if (bytes) return bytes;
    await new Promise<void>((resolve, reject) => {
      const end = () => reject(new Error('closed'));
      socket.once('close', end).once('readable', () => {
        socket.off('close', end);
        resolve();
      });
    });
  }
}

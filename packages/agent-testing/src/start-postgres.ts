import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from './run-robota.ts';

/** A Postgres server for tests; its data is in a temporary directory, and both are gone when the tests end. */
export interface PostgresServer {
  /** The URL of an empty database, with a user who may do everything. */
  readonly url: string;
  readonly pid: number;
  /** A new database, empty or a copy of the one at this URL, to which nothing may be connected. */
  createDatabase(template?: string): Promise<string>;
  /** Ends all connections, and the server with its directory. */
  stop(): Promise<void>;
}

const run = promisify(execFile);
const unprivilegedId = 65534;

/** The directory with `initdb`, `postgres` and `psql`: of the PATH, or where Debian keeps them. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const directories = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  if (process.platform === 'win32') return undefined;
  return directories.find((directory) =>
    ['initdb', 'postgres', 'psql'].every((name) => existsSync(join(directory, name))),
  );
}

/** The end of a title of tests that need Postgres: empty, or the reason why they are skipped. */
export const withoutPostgres = findPostgres() === undefined ? ' (not here: there is no Postgres)' : '';

let shared: Promise<PostgresServer> | undefined;

/** A new empty database on a server that the test files of this process share. */
export async function createPostgresDatabase(): Promise<string> {
  shared ??= startPostgres();
  const server = await shared;
  return server.createDatabase();
}

/** Starts a server on a free port of this machine. It ends with this process, however that ends. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error('Postgres is not installed.');
  const directory = await temporaryDirectory('robota-postgres');
  const password = randomBytes(16).toString('hex');
  writeFileSync(join(directory, 'password'), password);
  const data = join(directory, 'data');
  mkdirSync(data, { mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  // Postgres refuses to run as root.
  const prefix = isRoot
    ? ['setpriv', `--reuid=${unprivilegedId}`, `--regid=${unprivilegedId}`, '--clear-groups', '--']
    : [];
  if (isRoot) for (const path of [directory, data]) chownSync(path, unprivilegedId, unprivilegedId);
  const [initialize = '', ...options] = [...prefix, join(programs, 'initdb'), ...initdbOptions(directory)];
  await run(initialize, options, { cwd: directory });
  for (;;) {
    const port = await freePort();
    const command = [...prefix, join(programs, 'postgres'), ...serverOptions({ data, port })];
    const server = await launch(command, directory);
    if (server !== undefined) return open(server, { programs, port, password });
  }
}

function initdbOptions(directory: string): string[] {
  const password = `--pwfile=${join(directory, 'password')}`;
  const fast = ['--no-sync', '--wal-segsize=1', '--no-locale', '--encoding=UTF8'];
  return ['-D', join(directory, 'data'), '-U', 'robota', '--auth=scram-sha-256', password, ...fast];
}

function serverOptions({ data, port }: { data: string; port: number }): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '32MB',
    // Nothing has to survive the machine.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: 0,
    // Keeps shared memory in the directory, from where it is removed in any case.
    dynamic_shared_memory_type: 'mmap',
  };
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Starts the server; when the standard input ends, ends it and removes the directory. */
const keeper = `directory=$1
shift
"$@" 2>&1 </dev/null &
server=$!
exec >/dev/null 2>&1
read -r _
kill -QUIT $server
wait $server
rm -rf -- "$directory"`;

/** Undefined if another program has taken the port in the meantime. */
async function launch(
  command: readonly string[],
  directory: string,
): Promise<Pick<PostgresServer, 'pid' | 'stop'> | undefined> {
  // Away from the terminal, whose signals are for the tests.
  const child = spawn('/bin/sh', ['-c', keeper, 'sh', directory, ...command], {
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let log = '';
  const isReady = await new Promise<boolean>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      log = `${log}${text}`.slice(-4000);
      if (log.includes('ready to accept connections')) resolve(true);
    });
    child.stdout.once('end', () => resolve(false));
  });
  if (isReady) {
    child.unref();
    for (const stream of [child.stdin, child.stdout]) (stream as Partial<Socket>).unref?.();
    const stop = async () => {
      child.ref();
      child.stdin.end();
      await exit;
    };
    return {
      pid: Number.parseInt(readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8'), 10),
      stop,
    };
  }
  if (log.includes('Address already in use')) return undefined;
  child.stdin.end();
  throw new Error(`Postgres did not start:\n${log}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Access {
  readonly programs: string;
  readonly port: number;
  readonly password: string;
}

function open(
  server: Pick<PostgresServer, 'pid' | 'stop'>,
  { programs, port, password }: Access,
): PostgresServer {
  const urlOf = (database: string) => `postgres://robota:${password}@127.0.0.1:${port}/${database}`;
  let count = 0;
  return {
    ...server,
    url: urlOf('postgres'),
    createDatabase: async (template) => {
      const name = `test_${++count}`;
      const source = template === undefined ? 'template0' : new URL(template).pathname.slice(1);
      const statement = `create database "${name}" template "${source}"`;
      await run(join(programs, 'psql'), ['-qX', '-d', urlOf('postgres'), '-c', statement]);
      return urlOf(name);
    },
  };
}

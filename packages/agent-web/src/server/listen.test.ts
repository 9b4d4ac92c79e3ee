import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WebTarget } from './listen.ts';
import { openServer, type RunningWeb } from './open-server.ts';

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');
const cert = fixture('lan-cert.pem');
const key = fixture('lan-key.pem');

let root: string;
let opened: RunningWeb[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'robota-listen-'));
  opened = [];
});
afterEach(async () => {
  for (const web of opened) await web.close();
  rmSync(root, { recursive: true, force: true });
});

async function open(target: WebTarget): Promise<RunningWeb> {
  const streams = { async *open() {} };
  const web = await openServer({ target, folder: join(root, 'web'), routes: [], streams, log: () => {} });
  opened.push(web);
  return web;
}

const socketAt = (path: string): WebTarget => ({ kind: 'socket', path, port: 7870 });

describe('a port', () => {
  it('belongs to 127.0.0.1 alone, and is not shared', async () => {
    const web = await open({ kind: 'loopback', port: 0 });
    const { port, hostname } = new URL(web.origin);
    expect(hostname).toBe('127.0.0.1');
    await expect(fetch(`http://[::1]:${port}/`)).rejects.toThrow();
    await expect(open({ kind: 'loopback', port: Number(port) })).rejects.toThrow(/Port \d+ is in use/);
  });
});

describe.skipIf(process.platform === 'win32')('a socket', () => {
  it('is for its owner alone, and gone with the server', async () => {
    const path = join(root, 'private', 'web');
    const web = await open(socketAt(path));
    expect(web.origin).toBe('http://127.0.0.1:7870');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'private')).mode & 0o777).toBe(0o700);
    expect(await statusOf(path, '127.0.0.1:7870')).toBe(200);
    expect(await statusOf(path, 'localhost')).toBe(421);
    await expect(open(socketAt(path))).rejects.toThrow(/Another server listens/);
    await web.close();
    opened = [];
    expect(() => statSync(path)).toThrow();
  });

  it('is refused where others could reach or replace it', async () => {
    const folder = join(root, 'shared');
    mkdirSync(folder, { mode: 0o755 });
    await expect(open(socketAt(join(folder, 'web')))).rejects.toThrow(/can be used by others/);
    chmodSync(folder, 0o701);
    await expect(open(socketAt(join(folder, 'web')))).rejects.toThrow(/can be used by others/);
    chmodSync(folder, 0o700);
    const link = join(root, 'link');
    symlinkSync(folder, link);
    await expect(open(socketAt(join(link, 'web')))).rejects.toThrow(/or is a link/);
    const target = join(root, 'precious');
    writeFileSync(target, 'precious');
    symlinkSync(target, join(folder, 'web'));
    await expect(open(socketAt(join(folder, 'web')))).rejects.toThrow(/is not a socket/);
    symlinkSync(join(root, 'missing'), join(folder, 'dangling'));
    await expect(open(socketAt(join(folder, 'dangling')))).rejects.toThrow(/is not a socket/);
    await expect(open(socketAt(target))).rejects.toThrow(/is not a socket|used by others/);
    expect(readFileSync(target, 'utf8')).toBe('precious');
  });

  it('that a killed server left behind is replaced', async () => {
    const folder = join(root, 'private');
    mkdirSync(folder, { mode: 0o700 });
    const path = join(folder, 'web');
    leaveSocket(path);
    await open(socketAt(path));
    expect(await statusOf(path, '127.0.0.1:7870')).toBe(200);
  });
});

describe('a network', () => {
  it('is served with TLS, under the names of the certificate alone', async () => {
    const web = await open({ kind: 'lan', port: 0, cert, key });
    const { port, origin } = new URL(web.origin);
    expect(origin).toBe(`https://devbox.test:${port}`);
    const ask = (host: string, path = '/', headers = {}) =>
      secureStatus(Number(port), { host, path, headers });
    expect(await ask(`devbox.test:${port}`)).toMatchObject({ status: 200 });
    expect(await ask(`127.0.0.1:${port}`)).toMatchObject({ status: 200 });
    for (const host of ['devbox.test', `*.wild.test:${port}`, `a.wild.test:${port}`, `192.168.1.4:${port}`])
      expect(await ask(host)).toMatchObject({ status: 421 });
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    const token = web.createAddress().split('#')[1];
    const post = (name: string) =>
      secureStatus(Number(port), {
        host: `devbox.test:${port}`,
        path: '/api/enter',
        headers: { Origin: `https://${name}:${port}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ token }),
      });
    // Another name of ours is another origin.
    expect(await post('127.0.0.1')).toMatchObject({ status: 403 });
    const { status, cookie } = await post('devbox.test');
    expect(status).toBe(200);
    expect(cookie).toMatch(
      new RegExp(`^__Host-robota-web-${port}=.*; Path=/; HttpOnly; SameSite=Strict;.*; Secure$`),
    );
  });

  it('is refused with a certificate that names no host, or a key that does not fit', async () => {
    const unnamed = readFileSync(
      new URL('../../../../test/fixtures/self-signed.pem', import.meta.url),
      'utf8',
    );
    await expect(open({ kind: 'lan', port: 0, cert: unnamed, key: unnamed })).rejects.toThrow(
      /names no host/,
    );
    await expect(open({ kind: 'lan', port: 0, cert, key: unnamed })).rejects.toThrow(/cannot be used/);
    await expect(open({ kind: 'lan', port: 0, cert: 'no', key: 'no' })).rejects.toThrow(/cannot be used/);
  });
});

/** A socket file that no process listens on. */
function leaveSocket(path: string): void {
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  expect(() => execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' })).toThrow();
  expect(statSync(path).isSocket()).toBe(true);
}

function statusOf(socketPath: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = plainRequest({ socketPath, path: '/', headers: { Host: host } }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    sent.once('error', reject).end();
  });
}

interface SecureRequest {
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function secureStatus(port: number, { host, path, headers, body }: SecureRequest) {
  return new Promise<{ status: number; cookie: string }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, ca: cert, servername: 'devbox.test' };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request({ ...options, method, headers: { ...headers, Host: host } }, (reply) => {
      reply.resume();
      resolve({ status: reply.statusCode ?? 0, cookie: reply.headers['set-cookie']?.[0] ?? '' });
    });
    sent.once('error', reject).end(body);
  });
}

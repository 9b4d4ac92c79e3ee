import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, type RunningWeb } from './open-server.ts';

let folder: string;
let web: RunningWeb;
let host: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'robota-web-'));
  web = await openServer({
    target: { kind: 'loopback', port: 0 },
    folder,
    routes: [],
    streams: {
      async *open({ session, signal }) {
        if (session === 'over') return yield { type: 'reset' };
        if (!signal.aborted) await once(signal, 'abort');
      },
    },
    log: () => {},
  });
  host = new URL(web.origin).host;
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
}

async function ask(path: string, init: RequestInit = {}): Promise<Reply> {
  const reply = await fetch(`${web.origin}${path}`, init);
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.startsWith('application/json');
  return { status: reply.status, headers: reply.headers, json: isJson ? JSON.parse(text) : { text } };
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const usual = { Origin: web.origin, 'Content-Type': 'application/json' };
  return ask(path, { method: 'POST', body: JSON.stringify(body), headers: { ...usual, ...headers } });
}

/** Enters and gives back the headers of a known device. */
async function enter(): Promise<Record<string, string>> {
  const token = web.createAddress().split('#')[1] ?? '';
  const { json, headers } = await post('/api/enter', { token });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  return { Cookie: cookie, 'Robota-Key': String(json.key), 'Sec-Fetch-Site': 'same-origin' };
}

describe('the server', () => {
  it('prints an address with a token behind the hash, at a port of this machine alone', () => {
    expect(web.createAddress()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}$/);
  });

  it('gives one of two pages at the address of every screen, and nothing anywhere else', async () => {
    const page = await ask('/');
    const reports = await ask('/usage');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reports.json).not.toEqual(page.json);
    for (const path of ['/s/abc', '/s/abc/question', '/devices'])
      expect(await ask(path)).toMatchObject({ status: 200, json: page.json });
    for (const path of ['/s/abc/review', '/review', '/fleet', '/tasks/1/review'])
      expect(await ask(path)).toMatchObject({ status: 200, json: reports.json });
    for (const path of ['/index.html', '/s', '/s/', '/s/a/b', '/api', '/favicon.ico'])
      expect((await ask(path, { headers: { 'Sec-Fetch-Site': 'same-origin' } })).status).not.toBe(200);
  });

  it('lets a browser in once per address, and remembers it by cookie and key', async () => {
    const token = web.createAddress().split('#')[1];
    const first = await post('/api/enter', { token });
    expect(first.status).toBe(200);
    const cookie = first.headers.get('set-cookie') ?? '';
    const port = new URL(web.origin).port;
    expect(cookie).toMatch(
      new RegExp(`^robota-web-${port}=[\\w.-]+; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000$`),
    );
    expect(await post('/api/enter', { token })).toMatchObject({ status: 401 });
    const known = await enter();
    expect((await ask('/api/devices', { headers: known })).json).toMatchObject({
      devices: [{ isThis: true }, { isThis: false }],
      address: web.origin,
    });
  });

  it('replies to unknown paths, wrong methods and bad bodies of a known device with an error', async () => {
    const known = await enter();
    expect(await ask('/api/none', { headers: known })).toMatchObject({ status: 404 });
    expect(await ask('/api/pair/new', { headers: known })).toMatchObject({ status: 405 });
    const revoked = await post('/api/devices/revoke', { id: 'none' }, known);
    expect(revoked).toMatchObject({
      status: 400,
      json: { code: 'usage', message: 'No such device.' },
    });
  });

  it('sends the last event of a stream that ends by itself', async () => {
    const { status, json } = await ask('/api/events?session=over', { headers: await enter() });
    expect(status).toBe(200);
    expect(json.text).toBe('retry: 1000\n\ndata: {"type":"reset"}\n\n');
  });

  it('lets in another device by a code, and locks it out again while it has a stream open', async () => {
    const first = await enter();
    const { json } = await post('/api/pair/new', {}, first);
    const paired = await post('/api/pair', { code: json.code });
    const { id } = paired.json.device as { id: string };
    const second = {
      Cookie: paired.headers.get('set-cookie')?.split(';')[0] ?? '',
      'Robota-Key': String(paired.json.key),
      'Sec-Fetch-Site': 'same-origin',
    };
    const stream = openStream(second);
    await expect.poll(() => stream.text).toContain('retry: 1000');
    expect(await post('/api/devices/revoke', { id }, first)).toMatchObject({ status: 200 });
    await stream.closed;
    expect(await ask('/api/devices', { headers: second })).toMatchObject({ status: 401 });
    expect(await ask('/api/devices', { headers: first })).toMatchObject({ status: 200 });
  });
});

/** A stream over a socket of its own, with everything that came. */
function openStream(headers: Record<string, string>): { text: string; readonly closed: Promise<void> } {
  const socket = connect(Number(new URL(web.origin).port), '127.0.0.1');
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`GET /api/events HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  const stream = { text: '', closed: new Promise<void>((resolve) => socket.once('close', () => resolve())) };
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', (text: string) => {
    stream.text += text;
  });
  return stream;
}

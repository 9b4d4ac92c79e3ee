import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StreamEvent } from '../contract/stream.ts';
import { writeEvents } from './event-stream.ts';
import { type AttackedServer, jsonOf, openAttackedServer, secret } from './fixtures/attacked-server.ts';

let server: AttackedServer;
beforeAll(async () => {
  server = await openAttackedServer();
});
afterAll(() => server.close());

describe('an event of a stream', () => {
  it('cannot make another one, whatever its id and its texts hold', async () => {
    const forged = '\n\nid: evil\ndata: {"type":"reset"}\n\n';
    const texts = [
      forged,
      forged.replaceAll('\n', '\r'),
      forged.replaceAll('\n', '\r\n'),
      'a\u2028b\u0085c\0d',
    ];
    const events = texts.map(
      (text) => ({ type: 'entry', id: text, entry: { text } }) as unknown as StreamEvent,
    );
    async function* all() {
      yield* events;
    }
    const { signal } = new AbortController();
    const sending = createServer(async (_, response) => {
      await writeEvents(response, all(), { signal, slowMs: 1000 });
      response.end();
    }).listen(0, '127.0.0.1');
    await once(sending, 'listening');
    const { port } = sending.address() as AddressInfo;
    const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    sending.close();
    const blocks = text.split('\n\n').filter((block) => block.includes('data:'));
    expect(blocks).toHaveLength(events.length);
    for (const [index, block] of blocks.entries()) {
      const lines = block.split(/\r\n|\r|\n/);
      expect(lines.map((line) => line.slice(0, line.indexOf(':')))).toEqual(['id', 'data']);
      expect(JSON.parse(lines[1]?.slice('data: '.length) ?? '')).toEqual(events[index]);
    }
  });

  it.each(['__proto__', '-1', '1e309', ' 1', '9'.repeat(4_000), '\u00e9', '"', '1\t2'])(
    'is not lost to a last id of %.10s',
    async (id) => {
      const stream = server.stream({ ...server.known, 'Last-Event-ID': id });
      await expect.poll(() => stream.text).toContain('HTTP/1.1 200');
      stream.socket.destroy();
      expect((await server.send('GET /api/secret', server.known)).status).toBe(200);
    },
  );
});

describe('a code that many devices use at the same moment', () => {
  it('lets one of them in', async () => {
    const { code } = jsonOf(await server.post('/api/pair/new', {}, server.known)) as { code: string };
    const replies = await Promise.all(Array.from({ length: 20 }, () => server.post('/api/pair', { code })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)]);
  });

  it('is over after five wrong ones, also if the right one comes among them', async () => {
    const { code } = jsonOf(await server.post('/api/pair/new', {}, server.known)) as { code: string };
    const wrong = Array.from({ length: 5 }, (_, at) =>
      server.post('/api/pair', { code: `2222222${at + 2}` }),
    );
    expect((await Promise.all(wrong)).every(({ status }) => status === 401)).toBe(true);
    expect((await server.post('/api/pair', { code })).status).toBe(401);
  });

  it('ends with the next one, and is no token', async () => {
    const { code } = jsonOf(await server.post('/api/pair/new', {}, server.known)) as { code: string };
    await server.post('/api/pair/new', {}, server.known);
    expect((await server.post('/api/pair', { code })).status).toBe(401);
    expect((await server.post('/api/enter', { token: code })).status).toBe(401);
    expect((await server.post('/api/pair', { code: server.token() })).status).toBe(401);
  });
});

describe('cookies that a page of another port plants', () => {
  it('keep the owner neither out nor in the name of another', async () => {
    const own = server.known.Cookie ?? '';
    const [name = ''] = own.split('=');
    const planted = Array.from({ length: 40 }, (_, at) => `${name}=planted-${at}.x`).join('; ');
    const reply = await server.send('GET /api/secret', { ...server.known, Cookie: `${planted}; ${own}` });
    expect(reply.text).toContain(secret);
    const without = await server.send('GET /api/secret', { ...server.known, Cookie: planted });
    expect(without.status).toBe(401);
    for (const trick of [
      `${name.toUpperCase()}=${own.split('=')[1]}`,
      ` ${name} =${own.split('=')[1]}`,
      `x=";${own}"`,
    ])
      expect((await server.send('GET /api/secret', { ...server.known, Cookie: trick })).status).toBe(401);
  });
});

describe('a part of a reply', () => {
  it('is not given: ranges, conditions and other types change nothing', async () => {
    const whole = await server.send('GET /api/secret', server.known);
    for (const more of [
      { Range: 'bytes=0-1' },
      { Range: `bytes=${Array.from({ length: 500 }, (_, at) => `${at}-`).join(',')}` },
      { 'If-None-Match': '*' },
      { 'If-Modified-Since': 'Fri, 31 Dec 9999 23:59:59 GMT' },
      { Accept: 'text/html' },
      { 'Accept-Encoding': 'gzip;q=1, *;q=0' },
    ]) {
      const reply = await server.send('GET /api/secret', { ...server.known, ...more });
      expect(reply.status).toBe(200);
      expect(jsonOf(reply)).toEqual(jsonOf(whole));
      expect(reply.text).toContain('Content-Type: application/json');
    }
  });
});

describe('a stranger with many requests', () => {
  it('on one connection reads nothing and keeps the owner from nothing', async () => {
    const one = `GET /api/secret HTTP/1.1\r\nHost: ${server.host}\r\nSec-Fetch-Site: same-origin\r\n`;
    const flood = server.raw(`${`${one}\r\n`.repeat(2_000)}${one}Connection: close\r\n\r\n`);
    expect((await server.send('GET /api/secret', server.known)).status).toBe(200);
    const { text } = await flood;
    expect(text).not.toContain(secret);
    expect(new Set(text.match(/^HTTP\/1\.1 \d+/gm))).toEqual(new Set(['HTTP/1.1 401']));
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AttackedServer, openAttackedServer, postOf, secret } from './fixtures/attacked-server.ts';

let server: AttackedServer;
beforeAll(async () => {
  server = await openAttackedServer();
});
afterAll(() => server.close());
afterEach(() => {
  expect(server.changes).toBe(0);
  expect(server.log).toEqual([]);
});

/** The start of a change by a known device, without the headers of its body. */
function head(...more: readonly string[]): string {
  const headers = { Host: server.host, Origin: server.web.origin, ...server.known };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ['POST /api/change HTTP/1.1', ...lines, ...more, '', ''].join('\r\n');
}

const json = 'Content-Type: application/json';
const close = 'Connection: close';

function tryBody(body: string, more: Readonly<Record<string, string>> = {}) {
  const [line, headers] = postOf(server.web.origin, '/api/change', body);
  return server.send(line, { ...server.known, ...headers, ...more }, body);
}

describe('a path', () => {
  it.each([
    '/../../../../etc/passwd',
    '/..',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/%252e%252e/etc/passwd',
    '/..\\..\\windows\\win.ini',
    '/s/../api/secret',
    '/api/./secret',
    '/api/../api/secret',
    '/api//secret',
    '//evil.example/',
    '/api/secret/',
    '/api/secret%00',
    '/api/%73ecret',
    '/api/secret;a=b',
    '/API/secret',
    '/.git/config',
    '/.env',
    '/src/server/page.json',
    '/page.json',
    '/robots.txt',
    '/s/%00',
    '/s/..',
    '/cgi-bin/sh',
    '/api/shell',
    '/api/pty',
    '/api/exec',
    '/api/files',
    '/api/files/etc/passwd',
    '/__proto__',
    '/api/__proto__',
    '/api/constructor',
    `/s/${'a'.repeat(3_000)}`,
  ])('%.40s leads to nothing', async (path) => {
    for (const headers of [{}, server.known]) {
      const reply = await server.send(`GET ${path}`, headers);
      expect([400, 401, 403, 404]).toContain(reply.status);
      expect(reply.text).not.toMatch(/root:|<html/);
      expect(reply.text).not.toContain(secret);
    }
  });
});

describe('a request in a request (smuggling)', () => {
  const smuggled = (bytes: string) => `${bytes}${head(json, 'Content-Length: 2', close)}{}`;

  it.each([
    [
      'a length and chunks',
      () => `${head(json, 'Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
    [
      'chunks and a length',
      () => `${head(json, 'Transfer-Encoding: chunked', 'Content-Length: 4')}0\r\n\r\n`,
    ],
    ['two lengths', () => `${head(json, 'Content-Length: 2', 'Content-Length: 0')}{}`],
    ['a list of lengths', () => `${head(json, 'Content-Length: 2, 0')}{}`],
    ['a negative length', () => head(json, 'Content-Length: -1')],
    ['a length with a sign', () => `${head(json, 'Content-Length: +2')}{}`],
    ['a length in hexadecimal', () => `${head(json, 'Content-Length: 0x2')}{}`],
    ['an unknown encoding', () => `${head(json, 'Transfer-Encoding: xchunked')}{}`],
    ['two encodings', () => `${head(json, 'Transfer-Encoding: chunked, identity')}0\r\n\r\n`],
    ['an encoding behind a tab', () => `${head(json, 'Content-Length: 2', 'Transfer-Encoding:\tchunked')}{}`],
    ['a bad chunk', () => `${head(json, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`],
    ['a chunk longer than told', () => `${head(json, 'Transfer-Encoding: chunked')}1\r\n{}x\r\n0\r\n\r\n`],
    [
      'a chunk of unending length',
      () => `${head(json, 'Transfer-Encoding: chunked')}ffffffffffffffffff\r\n{}`,
    ],
    ['a space before the colon', () => `${head(json, 'Content-Length : 2')}{}`],
    ['a folded header', () => `${head(json, 'Content-Length: 2', 'X: a', ' Transfer-Encoding: chunked')}{}`],
    ['a null character in a header', () => head(json, 'X: a\0b')],
    ['a bare carriage return', () => head(json, 'X: a\rTransfer-Encoding: chunked')],
    ['a header without a name', () => head(json, ': a')],
  ])('by %s is refused, and the connection ends', async (_, bytesOf) => {
    const { status, text } = await server.raw(smuggled(bytesOf()));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text.match(/^HTTP\/1\.1/gm)).toHaveLength(1);
  });

  it('is checked on its own where requests follow each other', async () => {
    const first = `GET / HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`;
    const read = `GET /api/secret HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`;
    const rebound = `GET /api/secret HTTP/1.1\r\nHost: evil.example\r\n${close}\r\n\r\n`;
    const { text } = await server.raw(first + rebound);
    expect(text.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 421']);
    const { text: second } = await server.raw(first + first + read);
    expect(second.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 403']);
    expect(second).not.toContain(secret);
  });
});

describe('another protocol', () => {
  it('is not spoken: HTTP/1.0, 0.9, 2 and 3.7', async () => {
    const { host, known } = server;
    const headers = Object.entries({ Host: host, ...known }).map(([name, value]) => `${name}: ${value}`);
    for (const version of ['1.0', '2.0', '3.7', '9.9']) {
      const reply = await server.raw(`GET /api/secret HTTP/${version}\r\n${headers.join('\r\n')}\r\n\r\n`);
      expect(reply.status).not.toBe(200);
      expect(reply.text).not.toContain(secret);
    }
    expect((await server.raw('GET /\r\n\r\n')).status).not.toBe(200);
    expect((await server.raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).status).not.toBe(200);
    expect((await server.raw(Buffer.from([0x16, 0x03, 0x01, 0, 5, 1, 2, 3, 4, 5]))).status).not.toBe(200);
  });

  it('is not changed to: WebSocket, h2c, CONNECT and expectations', async () => {
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
    const key = { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    const h2c = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABk' };
    for (const path of ['/', '/api/events', '/ws']) {
      for (const headers of [{ ...upgrade, ...key }, h2c]) {
        const reply = await server.send(`GET ${path}`, { ...server.known, ...headers });
        expect(reply.status).toBe(417);
      }
    }
    const tunnel = await server.raw(`CONNECT evil.example:443 HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`);
    expect(tunnel.status).not.toBe(200);
    const [line, headers, body] = postOf(server.web.origin, '/api/change', {});
    const expecting = await server.send(line, { ...server.known, ...headers, Expect: '100-continue' }, body);
    expect(expecting.status).toBe(417);
    expect(expecting.text).not.toContain('100 Continue');
  });
});

describe('too much', () => {
  it('of headers is refused, by size and by number', async () => {
    expect((await server.send('GET /', { 'X-Long': 'x'.repeat(20_000) })).status).toBe(431);
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`X-${index}`, 'x']));
    expect((await server.send('GET /', many)).status).toBe(431);
    expect((await server.send(`GET /?${'x'.repeat(20_000)}`)).status).toBe(431);
  });

  it('of a body is refused, announced or not', async () => {
    const large = `{"a":"${'x'.repeat(1_000_001)}"}`;
    expect((await tryBody(large)).status).toBe(413);
    const told = await server.raw(`${head(json, 'Content-Length: 99999999999', close)}{`);
    expect(told.status).toBe(413);
    const chunk = `${(600_000).toString(16)}\r\n${' '.repeat(600_000)}\r\n`;
    const chunked = await server.raw(`${head(json, 'Transfer-Encoding: chunked', close)}${chunk}${chunk}`);
    expect(chunked.status).toBe(413);
  });

  it('of nesting is refused, and so are keys of prototypes', async () => {
    const deep = (count: number) => `{"a":${'['.repeat(count)}${']'.repeat(count)}}`;
    for (const body of [deep(33), deep(400_000), '['.repeat(900_000), `{"a":${'{"a":'.repeat(100_000)}`])
      expect((await tryBody(body)).status).toBe(400);
    for (const body of [
      '{"__proto__":{"isAdmin":true}}',
      '{"a":{"__proto__":1,"__proto__":2}}',
      '{"\\u005f_proto__":{}}',
    ])
      expect((await tryBody(body)).status).toBe(400);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it.each(['', 'null', '[]', '"text"', '1', '{', '{"a":1}{"b":2}', '\ufeff{', '{"a":NaN}', "{'a':1}"])(
    'or something else than an object is refused: %j',
    async (body) => {
      expect((await tryBody(body)).status).toBe(400);
    },
  );

  it('is refused as text that is not UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from(head(json, 'Content-Length: 9', close)),
      Buffer.from('{"a":"\xff"}', 'latin1'),
    ]);
    expect((await server.raw(bytes)).status).toBe(400);
  });

  it.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/jsonp',
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json; boundary=x',
    'application/octet-stream',
    '',
  ])('or a body of type "%s", as forms and no-cors requests send it, is refused', async (type) => {
    expect((await tryBody('{}', { 'Content-Type': type })).status).toBe(415);
  });

  it('packed into little is refused', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'identity'])
      expect((await tryBody('{}', { 'Content-Encoding': encoding })).status).toBe(415);
  });
});

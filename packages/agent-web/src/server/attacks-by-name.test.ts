import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type AttackedServer,
  jsonOf,
  openAttackedServer,
  postOf,
  secret,
} from './fixtures/attacked-server.ts';

let server: AttackedServer;
beforeAll(async () => {
  server = await openAttackedServer();
});
afterAll(() => server.close());
afterEach(() => {
  expect(server.changes).toBe(0);
  expect(server.log).toEqual([]);
});

const change = (origin = server.web.origin) => postOf(origin, '/api/change', {});

/** A change by a device with both of its secrets, as far as headers do not say otherwise. */
function tryChange(more: Record<string, string>) {
  const [line, headers, body] = change();
  return server.send(line, { ...server.known, ...headers, ...more }, body);
}

describe('a request to another name (DNS rebinding)', () => {
  const hosts: readonly (readonly [string, (port: number) => string])[] = [
    ['of a foreign site', (port) => `evil.example:${port}`],
    ['of a foreign site without port', () => 'evil.example'],
    ['localhost', (port) => `localhost:${port}`],
    ['LOCALHOST in capitals', (port) => `LOCALHOST:${port}`],
    ['our address without port', () => '127.0.0.1'],
    ['our address with another port', (port) => `127.0.0.1:${port + 1}`],
    ['our address as a prefix', (port) => `127.0.0.1:${port}.evil.example`],
    ['our address as a suffix', (port) => `evil.example127.0.0.1:${port}`],
    ['our address with a user', (port) => `evil@127.0.0.1:${port}`],
    ['our address with a dot at its end', (port) => `127.0.0.1.:${port}`],
    ['the short form of our address', (port) => `127.1:${port}`],
    ['our address as a number', (port) => `2130706433:${port}`],
    ['any address', (port) => `0.0.0.0:${port}`],
    ['IPv6 loopback', (port) => `[::1]:${port}`],
    ['two names with a comma', (port) => `127.0.0.1:${port}, evil.example`],
  ];

  it.each(hosts)('%s gets 421 for the page, a secret and a change', async (_, nameFor) => {
    const Host = nameFor(server.port);
    for (const reply of [
      await server.send('GET /', { Host }),
      await server.send('GET /api/secret', { ...server.known, Host }),
      await tryChange({ Host }),
    ]) {
      expect(reply.status).toBe(421);
      expect(reply.text).not.toMatch(/<html|only the owner|^set-cookie|^access-control/im);
    }
  });

  it('gets 421 although a proxy header names us', async () => {
    const { host: ours } = server;
    const forwarded = { 'X-Forwarded-Host': ours, Forwarded: `host=${ours}`, 'X-Original-Host': ours };
    const reply = await server.send('GET /api/secret', {
      ...server.known,
      Host: 'evil.example',
      ...forwarded,
    });
    expect(reply.status).toBe(421);
  });

  it('without Host, or with two, is refused', async () => {
    expect((await server.raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).status).toBe(400);
    const two = `GET / HTTP/1.1\r\nHost: ${server.host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
    expect((await server.raw(two)).status).toBe(400);
    const again = `GET / HTTP/1.1\r\nHost: ${server.host}\r\nHOST: ${server.host}\r\nConnection: close\r\n\r\n`;
    expect((await server.raw(again)).status).toBe(400);
  });

  it('with a whole address as its target is refused, ours or not', async () => {
    expect((await server.send(`GET ${server.web.origin}/api/secret`, server.known)).status).toBe(400);
    expect((await server.send('GET http://evil.example/', {})).status).toBe(400);
    const rebound = await server.send(`GET ${server.web.origin}/`, { Host: 'evil.example' });
    expect(rebound.status).toBe(421);
  });
});

describe('a change from another origin', () => {
  const origins: readonly (readonly [string, (port: number) => string])[] = [
    ['that is not told', () => ''],
    ['null, as sandboxed frames and files have', () => 'null'],
    ['of a foreign site', () => 'https://evil.example'],
    ['with ours as a prefix', (port) => `http://127.0.0.1:${port}.evil.example`],
    ['with ours as a suffix', (port) => `http://evil.example:127.0.0.1:${port}`],
    ['with ours as its path', (port) => `http://evil.example/http://127.0.0.1:${port}`],
    ['with ours and a slash', (port) => `http://127.0.0.1:${port}/`],
    ['with another port', (port) => `http://127.0.0.1:${port + 1}`],
    ['with a longer port', (port) => `http://127.0.0.1:${port}0`],
    ['without a port', () => 'http://127.0.0.1'],
    ['with another scheme', (port) => `https://127.0.0.1:${port}`],
    ['with the scheme in capitals', (port) => `HTTP://127.0.0.1:${port}`],
    ['localhost', (port) => `http://localhost:${port}`],
    ['of a browser extension', () => 'chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['that equals a foreign Host', () => 'http://evil.example'],
  ];

  it.each(origins)('%s gets 403', async (_, originFor) => {
    const Origin = originFor(server.port);
    expect((await tryChange({ Origin })).status).toBe(403);
    expect((await tryChange({ Origin, Referer: `${server.web.origin}/` })).status).toBe(403);
    const [line, headers, body] = postOf(server.web.origin, '/api/enter', { token: server.token() });
    const entered = await server.send(line, { ...headers, Origin }, body);
    expect(entered.status).toBe(403);
    expect(entered.text).not.toMatch(/^set-cookie/im);
  });

  it('gets 400 with two origins, of which one is ours', async () => {
    const [, , body] = change();
    const head = Object.entries({ Host: server.host, ...server.known }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const origins = [`Origin: ${server.web.origin}`, 'Origin: http://evil.example'];
    const rest = ['Content-Type: application/json', 'Content-Length: 2', 'Connection: close'];
    const bytes = ['POST /api/change HTTP/1.1', ...head, ...origins, ...rest, '', body].join('\r\n');
    expect((await server.raw(bytes)).status).toBe(400);
  });
});

describe('what a browser says of the sender', () => {
  it.each(['cross-site', 'same-site', 'none', 'SAME-ORIGIN', 'same-origin, cross-site'])(
    'refuses a change, a secret and a stream from "%s"',
    async (site) => {
      const told = { 'Sec-Fetch-Site': site };
      expect((await tryChange(told)).status).toBe(403);
      for (const path of ['/api/secret', '/api/events', '/api/devices'])
        expect((await server.send(`GET ${path}`, { ...server.known, ...told })).status).toBe(403);
    },
  );

  it('refuses to read where neither Origin nor the sender is told', async () => {
    const { Cookie = '', 'Robota-Key': key = '' } = server.known;
    for (const path of ['/api/secret', '/api/events'])
      expect((await server.send(`GET ${path}`, { Cookie, 'Robota-Key': key })).status).toBe(403);
    const foreign = { ...server.known, Origin: 'http://evil.example' };
    expect((await server.send('GET /api/secret', foreign)).status).toBe(403);
  });

  it.each(['image', 'script', 'style', 'iframe', 'frame', 'embed', 'object', 'document', 'worker', 'video'])(
    'refuses a secret that is wanted as %s',
    async (use) => {
      const told = { 'Sec-Fetch-Dest': use };
      expect((await server.send('GET /api/secret', { ...server.known, ...told })).status).toBe(403);
    },
  );

  it.each(['iframe', 'frame', 'embed', 'object', 'script', 'image', 'serviceworker', 'empty'])(
    'refuses the page that is wanted as %s',
    async (use) => {
      const told = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': use };
      expect((await server.send('GET /', told)).status).toBe(403);
    },
  );
});

describe('the methods of a cross-origin page', () => {
  it('get no permission from a preflight', async () => {
    for (const origin of ['http://evil.example', server.web.origin]) {
      const asked = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
      const more = {
        'Access-Control-Request-Headers': 'robota-key',
        'Access-Control-Request-Private-Network': 'true',
      };
      const reply = await server.send('OPTIONS /api/change', { ...asked, ...more });
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(reply.text).not.toMatch(/^access-control/im);
    }
  });

  it.each(['TRACE', 'OPTIONS', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'QUERY'])(
    '%s does nothing',
    async (method) => {
      const [, headers, body] = change();
      const all = { ...server.known, ...headers };
      for (const path of ['/', '/api/change', '/api/secret']) {
        const reply = await server.send(`${method} ${path}`, all, body);
        expect([400, 405]).toContain(reply.status);
        expect(reply.text).not.toContain(secret);
        // TRACE would send a cookie back to the page.
        expect(reply.text).not.toContain(server.known.Cookie);
      }
    },
  );

  it('cannot be changed by a header or by a parameter', async () => {
    const told = { 'X-HTTP-Method-Override': 'POST', 'X-Method-Override': 'POST' };
    expect((await server.send('GET /api/change?_method=POST', { ...server.known, ...told })).status).toBe(
      405,
    );
    expect((await server.send('POST /', { Origin: server.web.origin })).status).toBe(405);
  });

  it('get no secret as a script', async () => {
    const reply = await server.send('GET /api/secret?callback=steal', server.known);
    expect(jsonOf(reply)).toEqual({ secret });
    expect(reply.text).toMatch(/^content-type: application\/json/im);
    expect(reply.text).toMatch(/^x-content-type-options: nosniff/im);
  });
});

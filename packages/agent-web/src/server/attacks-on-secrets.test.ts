import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeviceFolder } from '../access/device-folder.ts';
import { matchesHash } from '../access/secret.ts';
import {
  type AttackedServer,
  headersOf,
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

const read = (headers: Readonly<Record<string, string>>) => server.send('GET /api/secret', headers);

describe('the token of the address', () => {
  it('cannot be guessed, and guessing does not lock the owner out', async () => {
    const token = server.token();
    const guesses = [
      '',
      'x',
      token.slice(0, -1),
      `${token}A`,
      token.toLowerCase(),
      ` ${token}`,
      randomBytes(32).toString('base64url'),
    ];
    for (const guess of guesses) {
      const reply = await server.post('/api/enter', { token: guess });
      expect(reply.status).toBe(401);
      expect(reply.text).not.toMatch(/^set-cookie/im);
    }
    expect((await server.post('/api/enter', { token })).status).toBe(200);
  });

  it.each([[['TOKEN']], [{ toString: 'TOKEN' }], [null], [true], [1e308], [{}]])(
    'is not taken as %j',
    async (token) => {
      expect((await server.post('/api/enter', { token })).status).toBe(401);
    },
  );

  it('works once, also for two requests at the same moment', async () => {
    const token = server.token();
    const both = await Promise.all([
      server.post('/api/enter', { token }),
      server.post('/api/enter', { token }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await server.post('/api/enter', { token })).status).toBe(401);
  });

  it('ends with the next one', async () => {
    const stale = server.token();
    server.token();
    expect((await server.post('/api/enter', { token: stale })).status).toBe(401);
  });

  it('is not taken from the address, a header, a cookie or another field', async () => {
    const token = server.token();
    const { host } = server;
    expect((await server.post(`/api/enter?token=${token}`, {})).status).toBe(401);
    expect((await server.post('/api/enter', {}, { Authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await server.post('/api/enter', {}, { Cookie: `token=${token}` })).status).toBe(401);
    expect((await server.post('/api/enter', { code: token })).status).toBe(401);
    expect((await server.post('/api/pair', { code: token })).status).toBe(401);
    const site = { Host: host, 'Sec-Fetch-Site': 'same-origin' };
    for (const path of [
      `/api/secret?token=${token}`,
      `/api/secret?key=${token}`,
      `/api/enter?token=${token}`,
    ]) {
      const reply = await server.send(`GET ${path}`, { ...site, Authorization: `Bearer ${token}` });
      expect([401, 404, 405]).toContain(reply.status);
    }
    const page = await server.send(`GET /?token=${token}`, {});
    expect(page.text).not.toContain(token);
    expect(page.text).not.toMatch(/^set-cookie/im);
    expect((await server.post('/api/enter', { token })).status).toBe(200);
  });
});

describe('the secrets of a device', () => {
  it('are needed both, for reading, changes and streams', async () => {
    const { Cookie = '', 'Robota-Key': key = '', 'Sec-Fetch-Site': site = '' } = await server.enter();
    const other = await server.enter();
    const told = { 'Sec-Fetch-Site': site };
    const partial = [
      told,
      { ...told, Cookie },
      { ...told, 'Robota-Key': key },
      { ...told, Cookie, 'Robota-Key': other['Robota-Key'] ?? '' },
      { ...told, Cookie, 'Robota-Key': Cookie.split('=')[1] ?? '' },
      { ...told, Cookie: Cookie.split('.')[0] ?? '', 'Robota-Key': key },
      { ...told, Cookie: `${Cookie.split('.')[0]}.`, 'Robota-Key': key },
    ];
    for (const headers of partial) {
      expect((await read(headers)).status).toBe(401);
      expect((await server.send('GET /api/events', headers)).status).toBe(401);
      expect((await server.post('/api/change', {}, headers)).status).toBe(401);
      expect((await server.post('/api/pair/new', {}, headers)).status).toBe(401);
    }
    expect(server.changes).toBe(0);
    expect((await read({ ...told, Cookie, 'Robota-Key': key })).text).toContain(secret);
  });

  it('are not taken from a query', async () => {
    const { Cookie = '', 'Robota-Key': key = '' } = server.known;
    const site = { 'Sec-Fetch-Site': 'same-origin' };
    const paths = [`/api/secret?key=${key}`, `/api/secret?Robota-Key=${key}&cookie=${Cookie}`];
    for (const path of paths) {
      expect((await server.send(`GET ${path}`, { ...site, Cookie })).status).toBe(401);
      expect((await server.send(`GET ${path}`, site)).status).toBe(401);
    }
  });

  it('end when the device is revoked, by the page or by the command', async () => {
    const byPage = await server.enter();
    const byCommand = await server.enter();
    const rows = jsonOf(await server.send('GET /api/devices', byPage)).devices as {
      id: string;
      isThis: boolean;
    }[];
    const own = rows.find(({ isThis }) => isThis)?.id;
    const [, id = ''] = /=([0-9a-f]{16})\./.exec(byCommand.Cookie ?? '') ?? [];
    const stream = server.stream(byCommand);
    await expect.poll(() => stream.text).toContain('retry');
    expect(new DeviceFolder(`${server.folder}/web`).remove(id)).toBe(true);
    await expect.poll(() => stream.isClosed).toBe(true);
    expect((await server.post('/api/devices/revoke', { id: own }, server.known)).status).toBe(200);
    for (const headers of [byPage, byCommand]) expect((await read(headers)).status).toBe(401);
    expect((await read(server.known)).status).toBe(200);
  });

  it('leave nothing behind: no code that was made before, and no request under way', async () => {
    const revoked = await server.enter();
    const [, id = ''] = /=([0-9a-f]{16})\./.exec(revoked.Cookie ?? '') ?? [];
    const { code } = jsonOf(await server.post('/api/pair/new', {}, revoked));
    const changes = server.changes;
    const slow = connect(server.port, '127.0.0.1');
    const body = JSON.stringify({ by: 'the revoked device' });
    const [line, headers] = postOf(server.web.origin, '/api/change', body);
    const all = { Host: server.host, Connection: 'close', ...headers, ...revoked };
    const text = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    let reply = '';
    slow.setEncoding('utf8').on('data', (part: string) => {
      reply += part;
    });
    slow.write(`${line} HTTP/1.1\r\n${text.join('')}\r\n${body.slice(0, 5)}`);
    // A later request was answered, so the server has read the beginning of the first one.
    expect((await read(revoked)).status).toBe(200);
    expect((await server.post('/api/devices/revoke', { id }, server.known)).status).toBe(200);
    slow.write(body.slice(5));
    await once(slow, 'close');
    expect(reply).toMatch(/^HTTP\/1\.1 401 /);
    expect(server.changes).toEqual(changes);
    expect((await server.post('/api/pair', { code })).status).toBe(401);
  });

  it('are new at every entry: a planted cookie is worth nothing', async () => {
    const [name = '', mine = ''] = (await server.enter()).Cookie?.split('=') ?? [];
    const token = server.token();
    const entered = await server.post('/api/enter', { token }, { Cookie: `${name}=${mine}` });
    const { Cookie: fresh = '', 'Robota-Key': key = '' } = headersOf(entered);
    expect(fresh).not.toContain(mine.slice(0, 16));
    const site = { 'Sec-Fetch-Site': 'same-origin' };
    expect((await read({ ...site, Cookie: `${name}=${mine}`, 'Robota-Key': key })).status).toBe(401);
    // Cookies of other ports and paths come first in the header; they do not keep the owner out.
    const planted = `${name}=${mine}; ${`${name}=x; `.repeat(30)}other=1; ${fresh}`;
    expect((await read({ ...site, Cookie: planted, 'Robota-Key': key })).status).toBe(200);
  });

  it('of another server on this machine are worth nothing', async () => {
    const other = await openAttackedServer();
    try {
      const { Cookie = '' } = other.known;
      expect(Cookie.split('=')[0]).not.toBe(server.known.Cookie?.split('=')[0]);
      expect((await read(other.known)).status).toBe(401);
      const renamed = { ...other.known, Cookie: Cookie.replace(/^[^=]+/, `robota-web-${server.port}`) };
      expect((await read(renamed)).status).toBe(401);
      // A local server that a browser also visits sees the cookie, but never the key.
      const { 'Robota-Key': _, ...seen } = server.known;
      expect((await read(seen)).status).toBe(401);
    } finally {
      await other.close();
    }
  });

  it.each([
    '../../etc/passwd',
    '..%2f..%2fx',
    'a/b',
    '\\0',
    '%00',
    '__proto__',
    'constructor',
    `${'a'.repeat(9_000)}`,
  ])('are not read from a file named %.20s', async (id) => {
    const Cookie = `robota-web-${server.port}=${id}.x`;
    expect((await read({ ...server.known, Cookie })).status).toBe(401);
  });

  it('are compared as hashes of one length, in constant time', () => {
    expect(matchesHash('a', '')).toBe(false);
    expect(matchesHash('', '')).toBe(false);
    expect(matchesHash('a', 'not hex at all')).toBe(false);
    expect(matchesHash('a', 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb')).toBe(true);
    expect(matchesHash('a', 'CA978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48b')).toBe(false);
  });
});

describe('the code for another device', () => {
  it('cannot be found by trying', async () => {
    const { code } = jsonOf(await server.post('/api/pair/new', {}, server.known)) as { code: string };
    for (let tries = 0; tries < 200; tries++) {
      const guess = String(tries).padStart(8, '2');
      expect((await server.post('/api/pair', { code: guess })).status).toBe(401);
    }
    expect((await server.post('/api/pair', { code })).status).toBe(401);
  });

  it('is only made for a known device, and works once', async () => {
    expect((await server.post('/api/pair/new', {}, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(401);
    expect((await server.post('/api/pair', { code: '' })).status).toBe(401);
    const { code } = jsonOf(await server.post('/api/pair/new', {}, server.known)) as { code: string };
    expect((await server.post(`/api/pair?code=${code}`, {})).status).toBe(401);
    expect((await server.post('/api/pair', { code })).status).toBe(200);
    expect((await server.post('/api/pair', { code })).status).toBe(401);
  });
});

describe('replies', () => {
  it('are cached, framed, sniffed and referred to by none, and name no other origin', async () => {
    const file = await server.send('GET /api/file', server.known);
    const replies = [
      await server.send('GET /', {}),
      await read(server.known),
      await read({}),
      await server.send('GET /nothing', {}),
      await server.send('GET /', { Host: 'evil.example' }),
      file,
    ];
    for (const { text } of replies) {
      const head = text.slice(0, text.indexOf('\r\n\r\n')).toLowerCase();
      expect(head).toContain('\r\ncache-control: no-store\r\n');
      expect(head).toContain('\r\nx-content-type-options: nosniff');
      expect(head).toContain('\r\nreferrer-policy: no-referrer');
      expect(head).toContain('\r\nx-frame-options: deny');
      expect(head).toContain('\r\ncross-origin-resource-policy: same-origin');
      expect(head).toContain('\r\ncross-origin-opener-policy: same-origin');
      expect(head).toMatch(/\r\ncontent-security-policy: default-src 'none';.*frame-ancestors 'none'/);
      expect(head).not.toMatch(/\r\n(?:access-control-|server:|x-powered-by|etag|set-cookie)/);
    }
    expect(file.text).toContain('Content-Disposition: attachment; filename="a___Set-Cookie__b"\r\n');
  });

  it('say nothing of a bug, which the terminal gets', async () => {
    const reply = await server.post('/api/bug', {}, server.known);
    expect(reply.status).toBe(500);
    expect(reply.text).not.toContain('internals');
    expect(server.log.join()).toContain('internals');
    for (const secrets of [server.known.Cookie ?? '', server.known['Robota-Key'] ?? ''])
      expect(server.log.join()).not.toContain(secrets.slice(-20));
  });
});

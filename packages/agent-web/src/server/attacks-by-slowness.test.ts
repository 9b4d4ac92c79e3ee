import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AttackedServer, openAttackedServer } from './fixtures/attacked-server.ts';

let server: AttackedServer;
beforeAll(async () => {
  const body = { bytes: 1_000_000, milliseconds: 1_500 };
  server = await openAttackedServer({ body, headersMs: 1_500, keepAliveMs: 500, slowReaderMs: 1_500 });
});
afterAll(() => server.close());

describe('a slow client', () => {
  it('that sends nothing, or headers or a body by drops, is cut off', async () => {
    const start = `GET / HTTP/1.1\r\nHost: ${server.host}\r\n`;
    const { Cookie = '', 'Robota-Key': key = '' } = server.known;
    const device = `Cookie: ${Cookie}\r\nRobota-Key: ${key}\r\nOrigin: ${server.web.origin}\r\n`;
    const json = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n';
    const post = `POST /api/change HTTP/1.1\r\nHost: ${server.host}\r\n${device}${json}{"a":`;
    const replies = await Promise.all([
      server.raw(''),
      server.raw(start),
      dripped(start, 'X: y\r\n'),
      server.raw(post),
      dripped(post, ' '),
      // The next request on a connection that was of use.
      dripped(`GET / HTTP/1.1\r\nHost: ${server.host}\r\n\r\n${start}`, 'X: y\r\n'),
      // A body where none belongs would never end beside a stream.
      dripped(
        `GET /api/events HTTP/1.1\r\nHost: ${server.host}\r\n${device}Content-Length: 9999\r\n\r\n`,
        ' ',
      ),
    ]);
    for (const { text } of replies.slice(0, 5)) expect(text).not.toContain('200 OK');
    expect(replies[5]?.text.match(/HTTP\/1\.1 \d+/g)?.slice(0, 2)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 408']);
    expect(replies[6]?.text).toMatch(/^HTTP\/1\.1 400 /);
    expect(replies[1]?.status).toBe(408);
    expect(replies[3]?.status).toBe(408);
    expect(server.changes).toBe(0);
  });

  it('that does not read its stream is dropped, and continues after its last entry', async () => {
    const slow = server.stream();
    await expect.poll(() => slow.text).toContain('retry');
    server.emit('first');
    await expect.poll(() => slow.text).toContain('first');
    slow.socket.pause();
    // More than the buffers of the system hold.
    const large = 'x'.repeat(1_000_000);
    let last = 1;
    for (; last < 20; last++) server.emit(`${large} ${last + 1}`);
    await expect.poll(() => isEnded(slow.socket)).toBe(true);
    const again = server.stream({ ...server.known, 'Last-Event-ID': '1' });
    await expect.poll(() => again.text).toContain(` ${last}"`);
    const ids = [...again.text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: last - 1 }, (_, index) => index + 2));
    again.socket.destroy();
  });

  it('that holds connections open without end keeps the owner neither out nor off', async () => {
    const stream = server.stream();
    await expect.poll(() => stream.text).toContain('retry');
    const held: Socket[] = [];
    for (let count = 0; count < 300; count++) {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => {});
      if (count % 2 === 0) socket.write(`GET / HTTP/1.1\r\nHost: ${server.host}\r\n`);
      held.push(socket);
    }
    await expect.poll(() => held.filter(({ closed }) => closed).length).toBeGreaterThan(100);
    expect((await server.send('GET /api/secret', server.known)).status).toBe(200);
    expect((await server.send('GET /', {})).status).toBe(200);
    server.emit('still here');
    await expect.poll(() => stream.text).toContain('still here');
    expect(held.some(({ closed }) => !closed)).toBe(true);
    for (const socket of [...held, stream.socket]) socket.destroy();
  });

  it('with 65 streams gets 64, and another when one ends', async () => {
    const open = Array.from({ length: 64 }, () => server.stream());
    await expect.poll(() => open.every(({ text }) => text.includes('retry'))).toBe(true);
    expect((await server.send('GET /api/events', server.known)).status).toBe(503);
    expect((await server.send('GET /api/secret', server.known)).status).toBe(200);
    open.pop()?.socket.destroy();
    await expect
      .poll(async () => {
        const next = server.stream();
        open.push(next);
        await expect.poll(() => next.text).not.toBe('');
        return next.text;
      })
      .toContain('200 OK');
    for (const { socket } of open) socket.destroy();
  });
});

/** Sends some bytes, and more of them again and again until the connection is closed. */
function dripped(start: string, drop: string): Promise<{ readonly text: string; readonly status: number }> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1');
    const drops = setInterval(() => socket.write(drop), 50);
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      clearInterval(drops);
      resolve({ text, status: 0 });
    });
    socket.write(start);
  });
}

/** A paused socket notices its end only by an error on writing. */
function isEnded(socket: Socket): boolean {
  socket.write('\r\n');
  return socket.destroyed || socket.errored !== null;
}

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { isSendable, post } from './post.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const listening = createServer(listener);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`;
}

async function ask(url: string, headers: Record<string, string> = {}) {
  const answer = await post(url, {
    headers,
    body: [Buffer.from('ä'), Buffer.from('sk')],
    signal: new AbortController().signal,
  });
  const pieces: string[] = await answer.body.toArray();
  return { ...answer, text: pieces.join('') };
}

describe('post', () => {
  it('sends the whole body with its length, and the headers as given', async () => {
    const url = await serve((request, response) => {
      const { method, headers } = request;
      response.end(
        JSON.stringify({ method, length: headers['content-length'], agent: headers['user-agent'] }),
      );
    });
    expect(JSON.parse((await ask(url)).text)).toEqual({ method: 'POST', length: '4', agent: 'robota' });
    expect(JSON.parse((await ask(url, { 'user-agent': 'mine' })).text)).toMatchObject({ agent: 'mine' });
  });

  it('hands on status and headers, and follows no redirect', async () => {
    const url = await serve((_, response) => {
      response.writeHead(307, { location: '/elsewhere', 'x-twice': ['a', 'b'] }).end();
    });
    const { status, headers } = await ask(url);
    expect([status, headers.get('location'), headers.get('x-twice'), headers.get('x-none')]).toEqual([
      307,
      '/elsewhere',
      'a, b',
      null,
    ]);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('reads an answer in %s that nobody asked for', async (encoding, compress) => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('grüße'));
    });
    expect((await ask(url)).text).toBe('grüße');
  });

  it('uses a connection again', async () => {
    const sockets = new Set<Socket>();
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      response.end('here');
    });
    await ask(url);
    // It is free a moment after the body ended.
    await new Promise(setImmediate);
    await ask(url);
    expect(sockets.size).toBe(1);
  });

  it('fails where a connection is closed without an answer', async () => {
    let asked = 0;
    const url = await serve((request) => {
      asked++;
      request.socket.destroy();
    });
    await expect(ask(url)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(asked).toBe(1);
  });
});

it('knows what can be sent as a header', () => {
  expect(isSendable('x-key', 'sk-123 é')).toBe(true);
  expect(isSendable('x-key', 'two\nlines')).toBe(false);
  expect(isSendable('x-key', '鍵')).toBe(false);
  expect(isSendable('x key', 'a')).toBe(false);
});

describe('a kept connection', () => {
  it('that dies before any answer costs one request and no error', async () => {
    let asked = 0;
    const served = new Map<Socket, number>();
    const url = await serve((request, response) => {
      asked++;
      const count = (served.get(request.socket) ?? 0) + 1;
      served.set(request.socket, count);
      if (count > 1) request.socket.destroy();
      else response.end('here');
    });
    for (let turn = 0; turn < 3; turn++) {
      expect((await ask(url)).text).toBe('here');
      await new Promise(setImmediate);
    }
    expect(asked).toBe(5);
  });

  it('that dies within its answer is not asked again', async () => {
    let asked = 0;
    const url = await serve((request, response) => {
      if (++asked === 1) return void response.end('here');
      request.socket.end('HTTP/1.1 200 OK\r\ncontent-le');
    });
    await ask(url);
    await new Promise(setImmediate);
    await expect(ask(url)).rejects.toThrow();
    expect(asked).toBe(2);
  });
});

describe('content encodings', () => {
  it('that were applied one after the other are undone in reverse', async () => {
    const url = await serve((_, response) => {
      const twice = brotliCompressSync(gzipSync('grüße'));
      response.writeHead(200, { 'content-encoding': 'gzip, BR' }).end(twice);
    });
    expect((await ask(url)).text).toBe('grüße');
  });

  it('that are unknown are named', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip, lz4' }).end('?');
    });
    await expect(ask(url)).rejects.toThrow('content-encoding "gzip, lz4" is not supported');
  });
});

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, describe, expect, it } from 'vitest';
import { guardedFetch } from './guarded-fetch.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function fetchFrom(listener: RequestListener, body?: string): Promise<Response> {
  server = createServer(listener);
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const init = body === undefined ? {} : { method: 'POST', body };
  return guardedFetch(fetch)(`http://127.0.0.1:${port}/`, init);
}

const request = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call' });
const events = { 'content-type': 'text/event-stream' };
const megabyte = 'x'.repeat(1024 * 1024);

function errorIn(text: string): unknown {
  const [, json = 'null'] = /data: (\{"jsonrpc".*"error".*\})/.exec(text) ?? [];
  return JSON.parse(json);
}

describe('answers over HTTP', () => {
  it('are what they are, with their address', async () => {
    proves('R-75');
    const response = await fetchFrom((_, answer) => answer.writeHead(201).end('{"fine":true}'));
    expect(response.status).toBe(201);
    expect(response.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(await response.json()).toEqual({ fine: true });
  });

  it('that are far too long are not read to their end', async () => {
    proves('R-75');
    const response = await fetchFrom((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' });
      for (let count = 0; count < 20; count++) answer.write(megabyte);
      answer.end();
    });
    await expect(response.text()).rejects.toThrow('larger than the 16 MB that are read');
  });

  it('as a stream of many events may be longer than one message', async () => {
    proves('R-75');
    const response = await fetchFrom((_, answer) => {
      answer.writeHead(200, events);
      for (let count = 0; count < 20; count++) answer.write(`data: ${megabyte}\r\n\r\n`);
      answer.end('id: 1\ndata: last\n\n');
    }, request);
    const text = await response.text();
    expect(text.length).toBeGreaterThan(20 * 1024 * 1024);
    expect(errorIn(text)).toBeNull();
  });

  it('as one event that is far too long fail the request they answer', async () => {
    proves('R-75');
    const response = await fetchFrom((_, answer) => {
      answer.writeHead(200, events);
      answer.write('data: ');
      for (let count = 0; count < 20; count++) answer.write(megabyte);
    }, request);
    const error = { code: -32_000, message: expect.stringContaining('larger than the 16 MB') };
    expect(errorIn(await response.text())).toMatchObject({ id: 9, error });
  });

  it('that break off fail the request they answer, unless they can be taken up again', async () => {
    proves('R-75');
    const breaking: RequestListener = (_, answer) => {
      answer.writeHead(200, events);
      answer.write('data: 1\n\n', () => answer.destroy());
    };
    const broken = await fetchFrom(breaking, request);
    const error = { code: -32_000, message: 'the connection was closed before the answer came' };
    expect(errorIn(await broken.text())).toMatchObject({ id: 9, error });
    const resumable = await fetchFrom((_, answer) => {
      answer.writeHead(200, events).end('id: 4\ndata: \n\n');
    }, request);
    expect(await resumable.text()).toBe('id: 4\ndata: \n\n');
  });
});

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createNetServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  type Chunk,
  eventStream,
  jsonReply,
  sse,
  startModelServer,
  startProxy,
  testModel,
} from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ModelEvent, ModelFailure } from '../message/model-event.ts';
import type { JsonObject } from '../shape/json.ts';
import { endWithError, streamEvents } from './event-stream.ts';
import { StreamFailure } from './failure.ts';
import type { Connection } from './model.ts';
import type { ModelRequest } from './provider.ts';
import { eventsOf } from './provider.ts';
import type { SseEvent } from './sse.ts';

const server = modelServerPerTest();

interface Options {
  readonly connection?: Partial<Connection>;
  readonly body?: JsonObject;
  readonly signal?: AbortSignal;
}

function start({ connection, body = {}, signal }: Options = {}) {
  const request: ModelRequest = {
    model: testModel({ id: 'big-1' }),
    system: '',
    messages: [],
    tools: [],
    thinking: 'off',
    signal: signal ?? new AbortController().signal,
  };
  const where = { vendor: 'acme', baseUrl: server.url, ...connection };
  return streamEvents({ connection: where, request, path: '/x', headers: { 'x-key': 'k' }, body });
}

async function collect(options: Options = {}): Promise<SseEvent[]> {
  const events: SseEvent[] = [];
  for await (const batch of start(options)) events.push(...batch);
  return events;
}

async function failureOf(run: Promise<unknown>): Promise<ModelFailure> {
  const thrown: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(thrown instanceof StreamFailure)) throw new Error(`expected a StreamFailure, got ${String(thrown)}`);
  return thrown.failure;
}

/** A bare TCP server for answers no HTTP library would send. */
async function rawServer(
  answer: (write: (text: string) => void) => void,
): Promise<{ server: Server; url: string }> {
  const raw = createNetServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer((text) => socket.write(text)));
  });
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  return { server: raw, url: `http://127.0.0.1:${(raw.address() as AddressInfo).port}` };
}

describe('streamEvents', () => {
  it('posts JSON with the given headers, the user’s own last', async () => {
    server.reply(eventStream([sse({ a: 1 }, 'x')]));
    expect(
      await collect({
        body: { n: 1 },
        connection: { baseUrl: `${server.url}//`, headers: { 'x-key': 'mine' } },
      }),
    ).toEqual([{ event: 'x', data: '{"a":1}' }]);
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/x', body: { n: 1 } });
    expect(server.requests[0]?.headers).toMatchObject({
      'x-key': 'mine',
      'content-type': 'application/json',
    });
  });

  it('replaces half surrogate pairs, and nothing that only looks like them', async () => {
    server.reply(eventStream([]));
    const text = 'half \ud83d| whole 😀| escaped \\ud83d| \\\\\udc00| end \udfff';
    await collect({ body: { text, key: { '\ud800': 1 } } });
    expect(server.requests[0]?.body).toEqual({
      text: 'half \ufffd| whole 😀| escaped \\ud83d| \\\\\ufffd| end \ufffd',
      key: { '\ufffd': 1 },
    });
  });

  it('any text reaches the server as it is, apart from half surrogate pairs', async () => {
    server.handle(() => eventStream([]));
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('\\', 'u', 'd', '8', '0', '"', '\ud800', '\udc00', '😀') }),
        async (text) => {
          await collect({ body: { text } });
          const expected = Buffer.from(text, 'utf8').toString('utf8');
          expect(server.requests.at(-1)?.body).toEqual({ text: expected });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('gives the same events for any chunking of the bytes', async () => {
    const text = `${sse({ text: 'grüße 😀 漢字' }, 'a')}: ping\r\n\r\ndata: é\r\n\r\n`;
    server.reply(eventStream([text]));
    const whole = await collect();
    expect(whole).toHaveLength(2);
    for (const chunkBytes of [1, 2, 3, 7]) {
      server.reply(eventStream([text], { chunkBytes }));
      expect(await collect()).toEqual(whole);
    }
  });

  it('refuses a 200 that is no event stream and shows its beginning', async () => {
    server.reply({ headers: { 'content-type': 'text/html' }, chunks: ['<html>Welcome to the hotel</html>'] });
    const failure = await failureOf(collect());
    expect(failure).toMatchObject({ code: 'not-event-stream', retryable: false, status: 200 });
    expect(failure.message).toContain('Welcome to the hotel');
  });

  it('refuses redirects, which would carry the key elsewhere', async () => {
    server.reply({ status: 307, headers: { location: 'https://elsewhere.test/' }, chunks: [] });
    expect((await failureOf(collect())).message).toContain('https://elsewhere.test/');
    expect(server.requests).toHaveLength(1);
  });

  it('a connection reset is a failure that may be retried', async () => {
    server.reply(eventStream([sse({ n: 1 }), { reset: true }]));
    const seen: SseEvent[] = [];
    const run = (async () => {
      for await (const batch of start()) seen.push(...batch);
    })();
    expect(await failureOf(run)).toMatchObject({ code: 'network', retryable: true });
    expect(seen).toHaveLength(1);
  });

  it('gives up when nothing arrives, before or after the first byte', async () => {
    const connection = { idleTimeoutMs: 60 };
    const silent = await rawServer(() => {});
    const before = await failureOf(collect({ connection: { ...connection, baseUrl: silent.url } }));
    silent.server.close();
    expect(before).toMatchObject({ code: 'stalled', retryable: true });
    server.reply(eventStream([sse({ n: 1 }), { hang: true }]));
    const after = await failureOf(collect({ connection }));
    expect(after).toMatchObject({ code: 'stalled', retryable: true });
    expect(after.message).toContain('no data for 0.1 s');
  });

  it('any byte keeps it waiting, also a comment', async () => {
    const pings: Chunk[] = Array.from({ length: 12 }, () => [{ pauseMs: 50 }, ': ping\n\n']).flat();
    server.reply(eventStream([...pings, sse({ n: 1 })]));
    expect(await collect({ connection: { idleTimeoutMs: 400 } })).toHaveLength(1);
  });

  it('does not count the time for which the whole process was stopped', async () => {
    server.reply(eventStream([sse({ n: 1 }), { pauseMs: 100 }, sse({ n: 2 })]));
    const seen: SseEvent[] = [];
    for await (const batch of start({ connection: { idleTimeoutMs: 1_000 } })) {
      seen.push(...batch);
      if (seen.length !== 1) continue;
      // Nothing runs for longer than the limit, as after Ctrl+Z, while the rest of the answer arrives.
      setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500), 1);
    }
    expect(seen).toHaveLength(2);
  });

  it('does not count the time its reader takes', async () => {
    server.reply(eventStream([sse({ n: 1 }), { pauseMs: 20 }, sse({ n: 2 })]));
    const seen: SseEvent[] = [];
    for await (const batch of start({ connection: { idleTimeoutMs: 150 } })) {
      seen.push(...batch);
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    expect(seen).toHaveLength(2);
  });

  it('stops at once when it is interrupted, before and while it streams', async () => {
    proves('P-50');
    server.reply(eventStream([sse({ n: 1 }), { hang: true }]));
    const controller = new AbortController();
    const run = (async () => {
      for await (const _ of start({ signal: controller.signal })) controller.abort();
    })();
    expect(await failureOf(run)).toMatchObject({ code: 'aborted', retryable: false });
    expect(await failureOf(collect({ signal: AbortSignal.abort() }))).toMatchObject({ code: 'aborted' });
    expect(server.requests).toHaveLength(1);
  });

  it('uses a connection again when its reader stops at the last event', async () => {
    let connections = 0;
    let finish = async (): Promise<void> => {};
    // A reader that stops gives the server a moment to end; on a busy machine it passes before the end has come.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const plain = createServer(async (incoming, outgoing) => {
      for await (const _ of incoming);
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write(sse({ n: 1 }));
      finish = async () => {
        const closed = once(outgoing, 'close');
        outgoing.end();
        await closed;
      };
    });
    plain.on('connection', () => connections++);
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`;
    for (let count = 0; count < 3; count++) {
      for await (const _ of start({ connection: { baseUrl } })) break;
      await finish();
      // Both ends are in this process, so that turns of its loop are enough.
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    plain.closeAllConnections();
    plain.close();
    expect(connections).toBe(1);
  });

  it('a reader that stops early is not held up by a server that never ends', async () => {
    const own = await startModelServer();
    own.reply(eventStream([sse({ n: 1 }), { hang: true }]));
    for await (const _ of start({ connection: { baseUrl: own.url } })) break;
    await own.close();
  });

  it('never sends a key over plain http beyond this machine, unless told to', async () => {
    for (const baseUrl of ['http://example.com', 'ftp://127.0.0.1', 'not a url']) {
      expect(await failureOf(collect({ connection: { baseUrl } }))).toMatchObject({
        code: 'refused-url',
        retryable: false,
      });
    }
    server.reply(eventStream([sse({ n: 1 })]));
    expect(await collect({ connection: { allowInsecureHttp: true } })).toHaveLength(1);
  });

  it('says what is wrong with a base URL, and never repeats a password in it', async () => {
    const said = async (baseUrl: string) => (await failureOf(collect({ connection: { baseUrl } }))).message;
    expect(await said('ftp://x')).toContain('"ftp://x/x" is not http or https');
    const secret = await said(server.url.replace('://', '://someone:swordfish@'));
    expect(secret).toContain('a user name or password');
    expect(secret).not.toContain('swordfish');
    expect(server.requests).toHaveLength(0);
  });

  it.each(['sk-one\nsk-two', 'sk-\u2026', 'sk-\0'])(
    'does not send or repeat a key that no header can hold',
    async (key) => {
      const failure = await failureOf(collect({ connection: { headers: { 'x-key': key } } }));
      expect(failure).toMatchObject({ code: 'auth', retryable: false });
      expect(failure.message).toContain('the header x-key can');
      expect(failure.message).not.toContain('sk-');
      expect(server.requests).toHaveLength(0);
    },
  );

  it('does not accept an untrusted certificate, and says what to do', async () => {
    const fixture = (name: string) =>
      readFileSync(new URL(`../../../agent-testing/fixtures/${name}`, import.meta.url));
    const options = { key: fixture('self-signed-key.pem'), cert: fixture('self-signed-cert.pem') };
    const https = createHttpsServer(options, (_, response) => response.end());
    await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
    const baseUrl = `https://127.0.0.1:${(https.address() as AddressInfo).port}`;
    const failure = await failureOf(collect({ connection: { baseUrl } }));
    https.close();
    expect(failure).toMatchObject({ code: 'certificate', retryable: false });
    expect(failure.message).toContain('NODE_EXTRA_CA_CERTS');
  });

  it('names a proxy that fails, but not for what the server itself says', async () => {
    const port = Number(new URL(server.url).port);
    const proxy = await startProxy({ portOf: (host) => (host === 'api.robota.test' ? port : 0) });
    vi.stubEnv('http_proxy', proxy.url);
    vi.stubEnv('no_proxy', '');
    const connection = { baseUrl: 'http://api.robota.test', allowInsecureHttp: true };
    server.reply(jsonReply(429, { error: { message: 'slow down' } }));
    const limited = await failureOf(collect({ connection }));
    server.reply(eventStream(['data: 1\n\n', { reset: true }]));
    const broken = await failureOf(collect({ connection }));
    await proxy.stop();
    const unreachable = await failureOf(collect({ connection }));
    vi.unstubAllEnvs();
    expect(limited).toMatchObject({ code: 'rate-limit', retryable: true, status: 429 });
    expect(limited.message).not.toContain('proxy');
    expect(broken).toMatchObject({ code: 'network', retryable: true });
    expect(broken.message).toContain(`through the proxy ${proxy.url} failed`);
    expect(unreachable).toMatchObject({ code: 'network', retryable: true });
    expect(unreachable.message).toContain(`the proxy ${proxy.url} cannot be reached (connection refused)`);
  });

  it('says so when https meets a server without TLS', async () => {
    const failure = await failureOf(
      collect({ connection: { baseUrl: server.url.replace('http:', 'https:') } }),
    );
    expect(failure).toMatchObject({ code: 'network', retryable: false });
    expect(failure.message).toContain('http://');
  });

  it('cuts off an event without end, with memory far below its size', async () => {
    await expectCutOff([gzipSync('data: '), ...bomb({ megabytes: 256, of: 'x' })]);
  });

  it('cuts off an endless stream of small events', async () => {
    await expectCutOff(bomb({ megabytes: 256, of: ': ping\n\n' }));
  });

  async function expectCutOff(zipped: readonly Uint8Array[]): Promise<void> {
    server.reply(eventStream([Buffer.concat(zipped)], { headers: { 'content-encoding': 'gzip' } }));
    let peak = 0;
    const before = used();
    const sampler = setInterval(() => {
      peak = Math.max(peak, used() - before);
    }, 5);
    const failure = await failureOf(collect());
    clearInterval(sampler);
    expect(failure).toMatchObject({ code: 'protocol', retryable: false });
    expect(failure.message).toContain('cut off');
    expect(peak).toBeLessThan(128 * 1024 * 1024);
  }

  it('does not read huge headers or huge error pages', async () => {
    const huge = await rawServer((write) => {
      write('HTTP/1.1 200 OK\r\n');
      for (let count = 0; count < 64; count++) write(`x-${count}: ${'y'.repeat(4_000)}\r\n`);
    });
    const failure = await failureOf(collect({ connection: { baseUrl: huge.url } }));
    huge.server.close();
    expect(failure).toMatchObject({ code: 'protocol', retryable: false });
    server.reply({
      status: 500,
      headers: { 'content-encoding': 'gzip' },
      chunks: [gzipSync(Buffer.alloc(50 * 1024 * 1024, 'e'))],
    });
    expect((await failureOf(collect())).message.length).toBeLessThan(1_000);
  });
});

/** Gzip members in a row are one gzip file. */
function bomb({ megabytes, of }: { megabytes: number; of: string }): Uint8Array[] {
  return Array<Uint8Array>(megabytes).fill(gzipSync(Buffer.alloc(1024 * 1024, of)));
}

function used(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

it('says how large a refused request was', async () => {
  server.reply({ status: 413, headers: { 'content-type': 'text/plain' }, chunks: ['too big'] });
  const failure = await failureOf(collect({ body: { text: 'x'.repeat(1_200_000) } }));
  expect(failure.code).toBe('context-overflow');
  expect(failure.message).toContain('The request had 1.2 MB.');
});

it('names an encoding it cannot read, and does not try again', async () => {
  server.reply(eventStream(['?'], { headers: { 'content-encoding': 'lz4' } }));
  const failure = await failureOf(collect());
  expect(failure).toMatchObject({ code: 'protocol', retryable: false });
  expect(failure.message).toContain('content-encoding "lz4" is not supported');
});

it('shows the words of an error page, not its tags', async () => {
  const page =
    '<!DOCTYPE html><html><head><style>p { color: red }</style><title>404</title></head><body><script>x()</script><h1>Not&nbsp;found</h1><p>No <b>such</b> path &amp; host.</body></html>';
  server.reply({ status: 404, headers: { 'content-type': 'text/html' }, chunks: [page] });
  expect((await failureOf(collect())).message).toMatch(
    / not found: 404 Not found No such path & host\. Check /,
  );
});

describe('endWithError', () => {
  it('gives up a server that only says it is alive', async () => {
    async function* alive(): AsyncGenerator<readonly ModelEvent[]> {
      yield [{ type: 'text-start', index: 0 }];
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield [];
        yield [{ type: 'text-delta', index: 0, text: '' }];
      }
    }
    const seen: ModelEvent[] = [];
    for await (const event of eventsOf(endWithError(alive(), { idleTimeoutMs: 20 }))) seen.push(event);
    expect(seen.at(-2)).toEqual({ type: 'text-end', index: 0 });
    expect(seen.at(-1)).toMatchObject({ type: 'error', failure: { code: 'stalled', retryable: false } });
  });

  async function run(events: () => AsyncGenerator<ModelEvent>): Promise<ModelEvent[]> {
    const seen: ModelEvent[] = [];
    const usage = { input: 3, output: 0, cacheRead: 0, cacheWrite: 0 };
    for await (const event of eventsOf(endWithError(events(), { usage: () => usage }))) seen.push(event);
    return seen;
  }

  it('ends every open block before the error, and says what was used', async () => {
    const seen = await run(async function* () {
      yield { type: 'text-start', index: 0 };
      yield { type: 'text-end', index: 0 };
      yield { type: 'thinking-start', index: 1 };
      yield { type: 'tool-call-start', index: 2, id: 'a', name: 'Read' };
      throw new StreamFailure({ code: 'network', message: 'gone', retryable: true });
    });
    expect(seen.slice(4)).toEqual([
      { type: 'thinking-end', index: 1 },
      { type: 'tool-call-end', index: 2, input: {}, invalid: expect.stringContaining('cut off') },
      {
        type: 'error',
        failure: { code: 'network', message: 'gone', retryable: true },
        usage: { input: 3, output: 0, cacheRead: 0, cacheWrite: 0 },
      },
    ]);
  });

  it('an answer without end is incomplete, a bug in an adapter is no retry', async () => {
    expect((await run(async function* () {})).at(-1)).toMatchObject({
      failure: { code: 'network', retryable: true },
    });
    const broken = await run(async function* () {
      yield* [];
      throw new TypeError('undefined is not a function');
    });
    expect(broken).toEqual([
      expect.objectContaining({ failure: expect.objectContaining({ code: 'protocol', retryable: false }) }),
    ]);
  });
});

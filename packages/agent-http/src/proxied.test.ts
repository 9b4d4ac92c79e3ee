import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  eventStream,
  jsonReply,
  type ModelServer,
  type ProxyOptions,
  type ProxyServer,
  type RecordedRequest,
  startModelServer,
  startProxy,
  startTlsFront,
  temporaryDirectory,
  testAuthority,
} from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkNetwork } from './check-network.ts';
import { httpFetch } from './http-fetch.ts';
import { post } from './post.ts';

const host = 'api.robota.test';
const authority = fileURLToPath(testAuthority);

let model: ModelServer;
let front: Awaited<ReturnType<typeof startTlsFront>>;
const ends: (() => Promise<void>)[] = [];

beforeEach(async () => {
  for (const name of [
    'HTTPS_PROXY',
    'HTTP_PROXY',
    'ALL_PROXY',
    'NO_PROXY',
    'SSL_CERT_FILE',
    'NODE_EXTRA_CA_CERTS',
    'AWS_CA_BUNDLE',
  ])
    for (const each of [name, name.toLowerCase()]) vi.stubEnv(each, undefined);
  model = await startModelServer();
  model.handle(() => eventStream(['hello']));
  front = await startTlsFront(Number(new URL(model.url).port));
  ends.push(() => model.close(), front.stop);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0)) await end();
});

async function proxy(options: Partial<ProxyOptions> = {}): Promise<ProxyServer> {
  const started = await startProxy({ portOf: portOf(front.port), ...options });
  ends.push(started.stop);
  return started;
}

const portOf = (port: number) => (name: string) => (name === host ? port : undefined);

async function ask(url: string): Promise<string> {
  const signal = AbortSignal.timeout(30_000);
  const answer = await post(url, { headers: { 'x-key': 'k' }, body: [Buffer.from('{}')], signal });
  try {
    return (await answer.body.toArray()).join('');
  } catch (thrown) {
    throw answer.explain(thrown as Error);
  }
}

describe('a request over TLS', () => {
  beforeEach(() => vi.stubEnv('SSL_CERT_FILE', authority));

  it.each([false, true])(
    'goes through tunnels that are used again (proxy over TLS: %s)',
    async (isSecure) => {
      const { url, requests } = await proxy({ isSecure, credentials: 'me:pass word' });
      vi.stubEnv('HTTPS_PROXY', url.replace('://', '://me:pass%20word@'));
      for (let turn = 0; turn < 3; turn++) {
        expect(await ask(`https://${host}/v1`)).toContain('hello');
        await new Promise(setImmediate);
      }
      const response = await httpFetch(`https://${host}/again`, { method: 'POST' });
      expect([response.status, response.url]).toEqual([200, `https://${host}/again`]);
      expect(await response.text()).toContain('hello');
      expect(requests).toEqual([`CONNECT ${host}:443`]);
      expect(model.requests.map(({ path }) => path)).toEqual(['/v1', '/v1', '/v1', '/again']);
      expect(model.requests[0]?.headers).toMatchObject({ host, 'x-key': 'k' });
      expect(JSON.stringify(model.requests)).not.toContain('proxy-authorization');
    },
  );

  it('survives that the proxy closes a tunnel it kept', async () => {
    const first = await proxy();
    vi.stubEnv('HTTPS_PROXY', first.url);
    expect(await ask(`https://${host}/`)).toContain('hello');
    await first.stop();
    ends.splice(-1);
    const port = Number(new URL(first.url).port);
    const second = await startProxyAt(port);
    expect(await ask(`https://${host}/`)).toContain('hello');
    expect(second.requests).toEqual([`CONNECT ${host}:443`]);
  });

  it.each([
    [
      { credentials: 'me:secret' },
      /wants a user name and a password \(HTTP 407\)\. Set HTTPS_PROXY=http:\/\/USER:PASSWORD@127/,
      false,
    ],
    [{ portOf: () => undefined }, /does not connect to api\.robota\.test:443 \(HTTP 403\).*NO_PROXY/, false],
    [{ portOf: portOf(1) }, /gave no valid answer \(ECONNRESET\).*HTTPS_PROXY/, true],
  ])('fails with the proxy and what to do: %#', async (options, message, retryable) => {
    const { url } = await proxy(options);
    vi.stubEnv('HTTPS_PROXY', url);
    const failure = ask(`https://${host}/`);
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toThrow(`the proxy ${url}`);
    await expect(failure).rejects.toMatchObject({ retryable });
  });

  it.each([407, 401])('says that credentials are refused with %i, and never shows them', async (status) => {
    const { url } = await proxy({ credentials: 'me:secret', wrongCredentials: status });
    vi.stubEnv('HTTPS_PROXY', url.replace('://', '://me:swordfish@'));
    const failure = await ask(`https://${host}/`).catch((thrown: Error) => thrown);
    expect(String(failure)).toContain(`refused the credentials (HTTP ${status}). Set HTTPS_PROXY=`);
    expect(JSON.stringify(failure) + String(failure) + (failure as Error).stack).not.toContain('swordfish');
  });

  it.each([
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['has headers without end', `HTTP/1.1 200 OK\r\n${`X: ${'y'.repeat(1_000)}\r\n`.repeat(100)}`],
    [
      'says yes and goes on in plain text',
      'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi',
    ],
    ['wants credentials again and again', 'HTTP/1.1 407 Again\r\nproxy-authenticate: Basic\r\n\r\n'],
    ['sends the request elsewhere', 'HTTP/1.1 302 Found\r\nlocation: http://evil.test/\r\n\r\n'],
    ['closes at once', ''],
  ])('is never answered by a proxy that %s, and shows no password', async (_, said) => {
    const asked: string[] = [];
    const liar = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        asked.push(String(data));
        socket.end(said);
      });
    });
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
    ends.push(async () => void liar.close());
    const { port } = liar.address() as { port: number };
    vi.stubEnv('HTTPS_PROXY', `http://me:swordfish@127.0.0.1:${port}`);
    const failure = await ask(`https://${host}/`).catch((thrown: Error) => thrown);
    expect(String(failure)).toContain(`127.0.0.1:${port}`);
    expect(JSON.stringify(failure) + String(failure) + (failure as Error).stack).not.toMatch(
      /swordfish|bWU6/,
    );
    // One question is enough to know it.
    expect(asked).toHaveLength(1);
    expect(model.requests).toEqual([]);
  });

  it('names a proxy that refuses connections', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as { port: number };
    await new Promise((resolve) => closed.close(resolve));
    vi.stubEnv('ALL_PROXY', `127.0.0.1:${port}`);
    const message = `the proxy http://127.0.0.1:${port} cannot be reached (connection refused). Start it, correct ALL_PROXY`;
    await expect(ask(`https://${host}/`)).rejects.toThrow(message);
    await expect(ask(`http://${host}/`)).rejects.toThrow(message);
    await expect(httpFetch(`https://${host}/`)).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { message: expect.stringContaining(message) },
    });
  });

  it('names the certificate of a proxy over TLS, and a scheme that the proxy does not speak', async () => {
    const secure = await proxy({ isSecure: true });
    const plain = await proxy();
    const check = async (url: string) => {
      vi.stubEnv('HTTPS_PROXY', url);
      const failure = await ask(`https://${host}/`).catch((thrown: Error) => thrown.message);
      const [found] = await checkNetwork(process.env, { connects: true });
      return [failure, found?.problem];
    };
    const mistaken = plain.url.replace('http:', 'https:');
    const invalid = expect.stringMatching(
      `^the proxy ${mistaken} gave no valid answer \\(.*\\)\\. Check it, and the scheme and the port in HTTPS_PROXY\\.$`,
    );
    expect(await check(mistaken)).toEqual([invalid, invalid]);
    vi.stubEnv('SSL_CERT_FILE', '');
    const untrusted = expect.stringMatching(
      `^the certificate of the proxy ${secure.url} was not accepted \\(.*name its file in SSL_CERT_FILE`,
    );
    expect(await check(secure.url)).toEqual([untrusted, untrusted]);
  });

  it('ends at once where the proxy is silent and the user interrupts', async () => {
    const { url, requests } = await proxy({ isSilent: true });
    vi.stubEnv('HTTPS_PROXY', url);
    const stopped = new AbortController();
    const answer = post(`https://${host}/`, { headers: {}, body: [], signal: stopped.signal });
    await expect.poll(() => requests.length).toBe(1);
    stopped.abort();
    await expect(answer).rejects.toThrow();
    const fetched = httpFetch(`https://${host}/`, { signal: AbortSignal.timeout(20) });
    await expect(fetched).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('names a proxy that stays silent', async () => {
    const { url } = await proxy({ isSilent: true });
    vi.stubEnv('HTTPS_PROXY', url);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const answer = ask(`https://${host}/`).catch((thrown: Error) => thrown);
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
      vi.advanceTimersByTime(10_000);
      expect(await answer).toMatchObject({ code: 'ETIMEDOUT', retryable: true });
      expect(String(await answer)).toContain(`the proxy ${url} gave no connection within 10 s`);
    } finally {
      vi.useRealTimers();
    }
  });

  it('names a proxy that closes the connection in the stream', async () => {
    model.handle(() => eventStream(['one', 'x'.repeat(100_000), { hang: true }]));
    const { url } = await proxy({ closesAfter: 20_000 });
    vi.stubEnv('HTTPS_PROXY', url);
    const message = `the connection to ${host} through the proxy ${url} failed`;
    await expect(ask(`https://${host}/`)).rejects.toThrow(message);
  });

  it('goes directly where NO_PROXY says so', async () => {
    const { url, requests } = await proxy();
    vi.stubEnv('ALL_PROXY', url);
    vi.stubEnv('NO_PROXY', 'robota.test');
    await expect(ask(`https://${host}/`)).rejects.toMatchObject({ code: /ENOTFOUND|EAI_AGAIN/ as never });
    expect(requests).toEqual([]);
  });
});

describe('a plain request', () => {
  it('asks the proxy for the whole address, on one connection', async () => {
    const { url, requests } = await proxy({
      portOf: portOf(Number(new URL(model.url).port)),
      credentials: 'a:b',
    });
    vi.stubEnv('HTTP_PROXY', url.replace('://', '://a:b@'));
    expect(await ask(`http://${host}:8080/v1?x=1`)).toContain('hello');
    expect(requests).toEqual([`POST http://${host}:8080/v1?x=1`]);
    expect(model.requests[0]).toMatchObject({ path: '/v1?x=1', headers: { host: `${host}:8080` } });
    vi.stubEnv('HTTP_PROXY', url);
    await expect(ask(`http://${host}/`)).rejects.toThrow('wants a user name and a password (HTTP 407)');
    const fetched = httpFetch(`http://${host}/`);
    await expect(fetched).rejects.toMatchObject({ cause: { code: 'ERR_PROXY_AUTH' } });
  });
});

describe('certificates', () => {
  const local = () => `https://127.0.0.1:${front.port}/`;

  it.each(['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'AWS_CA_BUNDLE'])(
    'trusts the authority that %s names',
    async (variable) => {
      await expect(ask(local())).rejects.toThrow(
        /certificate of 127\.0\.0\.1:\d+ was not accepted \(.+\)\..*SSL_CERT_FILE or NODE_EXTRA_CA_CERTS/,
      );
      vi.stubEnv(variable, authority);
      expect(await ask(local())).toContain('hello');
      expect(await (await httpFetch(local(), { method: 'POST' })).text()).toContain('hello');
    },
  );

  it('names a file that cannot be used, and the proxy in between', async () => {
    vi.stubEnv('SSL_CERT_FILE', '/none/there.pem');
    await expect(ask(local())).rejects.toThrow(
      'SSL_CERT_FILE names /none/there.pem, which cannot be read (ENOENT)',
    );
    const empty = join(await temporaryDirectory(), 'empty.pem');
    writeFileSync(empty, '-----BEGIN CERTIFICATE-----\nbm90IG9uZQ==\n-----END CERTIFICATE-----\n');
    vi.stubEnv('SSL_CERT_FILE', empty);
    const { url } = await proxy();
    vi.stubEnv('HTTPS_PROXY', url);
    const failure = ask(`https://${host}/`);
    await expect(failure).rejects.toThrow(`${host} through the proxy ${url} was not accepted`);
    await expect(failure).rejects.toThrow('holds no certificate in PEM form');
  });
});

describe('httpFetch', () => {
  it('follows, refuses or hands on redirects, and keeps keys with their origin', async () => {
    const other = await startModelServer();
    ends.push(() => other.close());
    const asked: RecordedRequest[] = [];
    other.handleQuestions((request) => {
      asked.push(request);
      return jsonReply(200, { at: 'other' });
    });
    model.handle(() => ({ status: 302, headers: { location: `${other.url}/there` }, chunks: [] }));
    const init = { method: 'POST', body: '{"a":1}', headers: { authorization: 'Bearer k', 'x-mine': '1' } };
    const followed = await httpFetch(model.url, init);
    expect([followed.url, followed.redirected, await followed.json()]).toEqual([
      `${other.url}/there`,
      true,
      { at: 'other' },
    ]);
    expect(asked[0]).toMatchObject({ method: 'GET', headers: { 'x-mine': '1' }, text: '' });
    expect(asked[0]?.headers).not.toHaveProperty('authorization');
    expect((await httpFetch(model.url, { ...init, redirect: 'manual' })).status).toBe(302);
    await expect(httpFetch(model.url, { ...init, redirect: 'error' })).rejects.toThrow('fetch failed');
  });

  it('sends texts, bytes and forms, and reads answers without a body', async () => {
    model.handle(() => ({ status: 204, chunks: [] }));
    const bodies = ['text', new Uint8Array([104, 105]), new URLSearchParams({ a: 'b c' })];
    for (const body of bodies) expect((await httpFetch(model.url, { method: 'PUT', body })).body).toBeNull();
    expect(model.requests.map(({ text, headers }) => [text, headers['content-type']])).toEqual([
      ['text', 'text/plain;charset=UTF-8'],
      ['hi', undefined],
      ['a=b+c', 'application/x-www-form-urlencoded;charset=UTF-8'],
    ]);
  });

  it('ends a body that is cancelled or aborted', async () => {
    model.handle(() => eventStream(['one', { hang: true }]));
    const stopped = new AbortController();
    const { body } = await httpFetch(model.url, { method: 'POST', signal: stopped.signal });
    const reader = body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    stopped.abort(new Error('enough'));
    await expect(reader?.read()).rejects.toThrow('enough');
    const { body: other } = await httpFetch(model.url, { method: 'POST' });
    await other?.cancel();
  });
});

async function startProxyAt(port: number): Promise<ProxyServer> {
  const started = await startProxy({ portOf: portOf(front.port), port });
  ends.push(started.stop);
  return started;
}

import { fileURLToPath } from 'node:url';
import {
  eventStream,
  type ModelServer,
  type SocksOptions,
  startModelServer,
  startProxy,
  startSocks,
  startTlsFront,
  testAuthority,
} from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { httpFetch } from '../http-fetch.ts';

let model: ModelServer;
let securePort: number;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  model = await startModelServer();
  model.handle(() => eventStream(['hello']));
  const front = await startTlsFront(Number(new URL(model.url).port));
  securePort = front.port;
  ends.push(() => model.close(), front.stop);
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'])
    for (const each of [name, name.toLowerCase()]) vi.stubEnv(each, undefined);
  vi.stubEnv('SSL_CERT_FILE', fileURLToPath(testAuthority));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0)) await end();
});

/** Starts a proxy and leads requests through it; returns it. */
async function through(options: Partial<SocksOptions> = {}, login = '') {
  const plainPort = Number(new URL(model.url).port);
  const ports: Record<string, number> = { 'api.robota.test': securePort, '10.9.8.7': plainPort };
  const portOf = (host: string) => ports[host] ?? (host.includes(':') ? plainPort : undefined);
  const proxy = await startSocks({ portOf, ...options });
  ends.push(proxy.stop);
  vi.stubEnv('ALL_PROXY', proxy.url.replace('://', `://${login}`));
  return proxy;
}

const ask = async (url: string) => (await httpFetch(url, { method: 'POST' })).text();

/** Why a request failed. */
async function failure(url = 'https://api.robota.test/'): Promise<Error> {
  const thrown = await ask(url).catch((error: Error) => error);
  return (thrown as Error).cause as Error;
}

describe('a SOCKS proxy', () => {
  it.each([false, true])(
    'is used for both schemes, with connections that are kept (slow: %s)',
    async (isSlow) => {
      const credentials = 'us er:p@ss:ö';
      const proxy = await through({ isSlow, credentials }, 'us%20er:p%40ss%3A%C3%B6@');
      for (let turn = 0; turn < 3; turn++) {
        expect(await ask('https://api.robota.test/')).toContain('hello');
        expect(await ask('http://10.9.8.7:8080/')).toContain('hello');
        await new Promise(setImmediate);
      }
      expect(proxy.requests).toEqual(['api.robota.test:443', '10.9.8.7:8080']);
      expect(model.requests).toHaveLength(6);
    },
  );

  it('gets addresses as such, and resolves names itself', async () => {
    const proxy = await through();
    for (const host of ['10.9.8.7', '[2001:db8::1]', '[::ffff:1.2.3.4]', '[fd00::]'])
      expect(await ask(`http://${host}/`)).toContain('hello');
    expect(proxy.requests).toEqual([
      '10.9.8.7:80',
      '2001:0db8:0000:0000:0000:0000:0000:0001:80',
      '0000:0000:0000:0000:0000:ffff:0102:0304:80',
      'fd00:0000:0000:0000:0000:0000:0000:0000:80',
    ]);
  });

  it.each([
    [
      { credentials: 'me:secret' },
      '',
      /^the proxy SOCKS wants a user name and a password\. Set ALL_PROXY=socks5:/,
    ],
    [
      { credentials: 'me:secret' },
      'me:swordfish@',
      /^the proxy SOCKS refused the credentials\. Set ALL_PROXY=/,
    ],
    [
      { portOf: () => undefined },
      '',
      /^the proxy SOCKS does not connect to api\.robota\.test:443 \(not allowed/,
    ],
  ])('is named where it refuses, without the password: %#', async (options, login, message) => {
    const { url } = await through(options, login);
    const error = await failure();
    expect(error.message.replace(url, 'SOCKS')).toMatch(message);
    expect(error).toMatchObject({ retryable: false });
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain('swordfish');
  });

  it('is named where it speaks another protocol, or where nothing listens', async () => {
    const http = await startProxy({ portOf: () => undefined });
    vi.stubEnv('ALL_PROXY', http.url.replace('http:', 'socks5h:'));
    const label = http.url.replace('http:', 'socks5:');
    expect(await failure()).toMatchObject({
      message: expect.stringContaining(
        `the proxy ${label} gave no valid answer (EPROTO). Check it, and the scheme`,
      ),
      retryable: false,
    });
    await http.stop();
    expect((await failure('http://10.9.8.7/')).message).toContain(`the proxy ${label} cannot be reached`);
  });

  it('that is silent ends with the request', async () => {
    await through({ isSilent: true });
    for (const url of ['https://api.robota.test/', 'http://10.9.8.7/'])
      await expect(httpFetch(url, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
        name: 'TimeoutError',
      });
  });
});

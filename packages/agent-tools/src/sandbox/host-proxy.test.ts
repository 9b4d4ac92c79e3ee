import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type LookupFunction } from 'node:net';
import { type ProxyServer, startProxy, startSocks } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { HostProxy } from './host-proxy.ts';

/** Every name leads to this machine. */
const toLoopback: LookupFunction = (_, options, callback) => {
  if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
};

async function startHostProxy(
  allow: (port: number) => string[],
): Promise<{ proxy: HostProxy; port: number }> {
  const server = createServer((incoming, response) => {
    response.setHeader('x-seen', JSON.stringify(incoming.headers));
    response.end(`${incoming.headers.host} ${incoming.url}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy = await HostProxy.start({ allow: allow(port), lookup: toLoopback });
  onTestFinished(() => {
    proxy.close();
    server.closeAllConnections();
    server.close();
  });
  return { proxy, port };
}

function get(
  proxy: HostProxy,
  url: string,
  headers = {},
): Promise<{ status?: number | undefined; text: string; seen: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: proxy.port, path: url, headers: { host: 'ignored', ...headers } },
      (reply) => {
        let text = '';
        reply.on('data', (chunk) => {
          text += chunk;
        });
        reply.on('end', () =>
          resolve({ status: reply.statusCode, text, seen: String(reply.headers['x-seen']) }),
        );
      },
    );
    sent.on('error', reject).end();
  });
}

/** Sends raw bytes and gives everything that comes back. */
function send(proxy: HostProxy, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(proxy.port ?? 0, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      received += chunk;
      if (received.includes('hello.example')) socket.end();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
}

it('forwards to allowed hosts by the name in the address, without what is meant for the proxy', async () => {
  const { proxy, port } = await startHostProxy((target) => [`hello.example:${target}`]);
  const reply = await get(proxy, `http://hello.example:${port}/a?b=1`, {
    'proxy-authorization': 'Basic x',
    'x-mine': '1',
  });
  expect(reply).toMatchObject({ status: 200, text: `hello.example:${port} /a?b=1` });
  expect(JSON.parse(reply.seen)).toMatchObject({ 'x-mine': '1' });
  expect(reply.seen).not.toContain('proxy-authorization');
  expect(proxy.blocked).toEqual([]);
});

it('opens tunnels to allowed hosts', async () => {
  const { proxy, port } = await startHostProxy((target) => [`hello.example:${target}`]);
  const head = `CONNECT hello.example:${port} HTTP/1.1\r\nHost: x\r\n\r\nGET /t HTTP/1.1\r\nHost: hello.example\r\n\r\n`;
  const text = await send(proxy, head);
  expect(text).toContain('200 Connection Established');
  expect(text).toContain('hello.example /t');
});

it('refuses other hosts and remembers each once', async () => {
  const { proxy, port } = await startHostProxy(() => ['hello.example']);
  expect(await get(proxy, 'http://evil.example/')).toMatchObject({
    status: 403,
    text: expect.stringContaining('evil.example'),
  });
  expect((await get(proxy, 'http://evil.example/again')).status).toBe(403);
  expect((await get(proxy, `http://hello.example:${port}/`)).status).toBe(403);
  expect(await send(proxy, 'CONNECT evil.example:443 HTTP/1.1\r\n\r\n')).toContain('403 Forbidden');
  expect(proxy.blocked).toEqual(['evil.example', `hello.example:${port}`]);
});

it('does not follow a wildcard into this machine or its network', async () => {
  const { proxy, port } = await startHostProxy((target) => [`*.rebound.example:${target}`]);
  const reply = await get(proxy, `http://a.rebound.example:${port}/`);
  expect(reply).toMatchObject({ status: 502, text: expect.stringContaining('private address') });
  expect(await send(proxy, `CONNECT a.rebound.example:${port} HTTP/1.1\r\n\r\n`)).toContain(
    '502 Bad Gateway',
  );
});

it.each([
  'CONNECT nonsense HTTP/1.1\r\n\r\n',
  'CONNECT user@h:80 HTTP/1.1\r\n\r\n',
  'GET /relative HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET ftp://h/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
])('answers %j with 400', async (text) => {
  const { proxy } = await startHostProxy(() => ['h']);
  expect(await send(proxy, text)).toContain('400 Bad Request');
});

it('survives bytes that are no HTTP', async () => {
  const { proxy, port } = await startHostProxy((target) => [`hello.example:${target}`]);
  await send(proxy, '\u0000\u0001garbage\r\n\r\n');
  expect((await get(proxy, `http://hello.example:${port}/`)).status).toBe(200);
});

describe.each(['http', 'socks5'])('behind a proxy of the user (%s)', (protocol) => {
  const ports = new Map<string, number>();
  let outer: ProxyServer;
  beforeEach(async () => {
    const start = protocol === 'http' ? startProxy : startSocks;
    outer = await start({ credentials: 'me:hush', portOf: (host) => ports.get(host) });
    onTestFinished(outer.stop);
    vi.stubEnv('ALL_PROXY', outer.url.replace('://', '://me:hush@'));
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'])
      for (const each of [name, name.toLowerCase()]) vi.stubEnv(each, undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
  });

  const tunnel = (proxy: HostProxy, host: string) =>
    send(proxy, `CONNECT ${host} HTTP/1.1\r\nhost: x\r\n\r\nGET / HTTP/1.1\r\nhost: hello.example\r\n\r\n`);

  it('reaches allowed hosts through it, which resolves their names', async () => {
    const { proxy, port } = await startHostProxy(() => ['named.robota.test', '*.wild.robota.test:8443']);
    for (const host of ['named.robota.test', 'a.wild.robota.test']) ports.set(host, port);
    expect(await tunnel(proxy, 'named.robota.test:443')).toContain('hello.example /');
    expect(await tunnel(proxy, 'a.wild.robota.test:8443')).toContain('hello.example /');
    expect(await get(proxy, 'http://named.robota.test/x')).toMatchObject({ text: 'named.robota.test /x' });
    expect(outer.requests.join()).toMatch(/named\.robota\.test:443,.*a\.wild\.robota\.test:8443,.*named/);
  });

  it('never asks it for other hosts, nor for a wildcard that may lead into the network of the user', async () => {
    const { proxy } = await startHostProxy(() => ['*.corp', '*.localhost', '*.wild.robota.test']);
    for (const host of ['other.robota.test:443', 'wiki.corp:443', '127.0.0.1:443'])
      expect(await tunnel(proxy, host)).toMatch(/^HTTP\/1\.1 (?:403|502)/);
    expect((await get(proxy, 'http://wiki.corp/')).text).toContain('leads to a private address');
    expect(outer.requests).toEqual([]);
  });

  it('says why it does not connect, without the password', async () => {
    const { proxy } = await startHostProxy(() => ['named.robota.test']);
    ports.clear();
    const said = await tunnel(proxy, 'named.robota.test:443');
    expect(said).toContain(`the proxy ${outer.url} does not connect to named.robota.test:443`);
    vi.stubEnv('ALL_PROXY', outer.url.replace('://', '://me:wrong-hush@'));
    const refused = [
      await tunnel(proxy, 'named.robota.test:443'),
      (await get(proxy, 'http://named.robota.test/')).text,
    ];
    for (const text of refused) expect(text).toContain('refused the credentials');
    expect(said + refused.join()).not.toContain('hush');
  });
});

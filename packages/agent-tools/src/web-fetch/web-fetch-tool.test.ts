import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startProxy } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { textOfOutput, toolContext } from '../bash/fixtures/tool-context.ts';
import { webAccess } from './web-access.ts';
import { webFetchTool } from './web-fetch-tool.ts';

async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (type: string, body: string | Buffer, headers = {}) =>
  startServer((_request, response) => {
    response.writeHead(200, { ...(type === '' ? {} : { 'content-type': type }), ...headers });
    response.end(body);
  });

interface Fetching {
  readonly format?: 'markdown' | 'raw';
  readonly allowPrivate?: boolean;
  readonly signal?: AbortSignal;
}

async function fetchText(
  url: string,
  { format, allowPrivate = true, signal }: Fetching = {},
): Promise<string> {
  const context = toolContext(signal ? { signal } : {});
  context.state.get(webAccess).allowPrivate = allowPrivate;
  return textOfOutput(await webFetchTool.execute({ url, ...(format ? { format } : {}) }, context));
}

const page = `<!doctype html><html><head><title>The  page</title><style>p{}</style></head>
<body><h1>Head</h1><p>Some <b>bold</b> and a <a href="/x">link</a>.</p><script>alert(1)</script>
<pre><code class="language-js">let a = 1;</code></pre><table><tr><th>A</th></tr><tr><td>1</td></tr></table></body></html>`;

describe('WebFetch', () => {
  it('makes Markdown of a page, without scripts and styles', async () => {
    proves('R-32');
    const text = await fetchText(await serve('text/html; charset=utf-8', page));
    expect(text).toContain('Title: The page');
    expect(text).toContain('# Head');
    expect(text).toContain('Some **bold** and a [link](/x).');
    expect(text).toContain('```js\nlet a = 1;\n```');
    expect(text).not.toMatch(/alert|p\{\}|<h1>/);
  });

  it('gives the plain text of a page that is too complex for Markdown', async () => {
    const deep = `<title>Deep</title>${'<div>'.repeat(20_000)}The words`;
    const text = await fetchText(await serve('text/html', deep));
    expect(text).toContain('Title: Deep');
    expect(text).toContain('too complex to convert to Markdown');
    expect(text).toContain('The words');
  });

  it('gives the page itself when asked for it raw', async () => {
    proves('R-32');
    expect(await fetchText(await serve('text/html', page), { format: 'raw' })).toBe(page);
  });

  it('gives text and JSON as they are', async () => {
    proves('R-32');
    expect(await fetchText(await serve('application/json', '{"a": [1,  2]}'))).toBe('{"a": [1,  2]}');
    expect(await fetchText(await serve('text/plain', 'a < b\n'))).toBe('a < b\n');
    expect(await fetchText(await serve('application/vnd.api+json', '{}'))).toBe('{}');
    expect(await fetchText(await serve('text/plain', ''))).toBe('(The page is empty.)');
  });

  it('refuses what is not text, with its type and size', async () => {
    proves('R-32');
    const image = await serve('image/png', Buffer.alloc(1234), { 'content-length': '1234' });
    await expect(fetchText(image)).rejects.toThrow('This is image/png (1234 bytes), not text.');
    const unknown = await serve('', Buffer.from([1, 0, 2]));
    await expect(fetchText(unknown)).rejects.toThrow('application/octet-stream (3 bytes)');
  });

  it('guesses the type of a page that has none', async () => {
    expect(await fetchText(await serve('', page))).toContain('# Head');
    expect(await fetchText(await serve('', 'plain'))).toBe('plain');
  });

  it('decodes by header, by mark, by the page itself, and old pages without any', async () => {
    proves('R-32');
    const latin = Buffer.from('caf\xe9', 'latin1');
    expect(await fetchText(await serve('text/plain; charset=iso-8859-1', latin))).toBe('café');
    expect(await fetchText(await serve('text/plain', latin))).toBe('café');
    expect(await fetchText(await serve('text/plain; charset=no-such-thing', 'café'))).toBe('café');
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('é', 'utf16le')]);
    expect(await fetchText(await serve('text/plain', utf16))).toBe('é');
    const japanese = Buffer.concat([
      Buffer.from('<html><head><meta charset="shift_jis"></head><body>'),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
    ]);
    expect(await fetchText(await serve('text/html', japanese))).toContain('日本');
  });

  it('unpacks compressed pages', async () => {
    const gzip = await serve('text/plain', gzipSync('zipped'), { 'content-encoding': 'gzip' });
    expect(await fetchText(gzip)).toBe('zipped');
    const brotli = await serve('text/plain', brotliCompressSync('packed'), { 'content-encoding': 'br' });
    expect(await fetchText(brotli)).toBe('packed');
    const broken = await serve('text/plain', 'not zipped', { 'content-encoding': 'gzip' });
    await expect(fetchText(broken)).rejects.toThrow(/could not be fetched/);
  });

  it('stops at the size limit, also for a small file that unpacks to a large one', async () => {
    proves('R-32');
    const large = await serve('text/plain', Buffer.alloc(6 * 1024 * 1024, 'a'));
    await expect(fetchText(large)).rejects.toThrow('larger than 5 MB');
    const bomb = await serve('text/plain', gzipSync(Buffer.alloc(64 * 1024 * 1024)), {
      'content-encoding': 'gzip',
    });
    await expect(fetchText(bomb)).rejects.toThrow('larger than 5 MB');
  });

  it('shortens a long page and keeps all of it in a file', async () => {
    proves('R-32', 'C-78');
    const lines = Array.from({ length: 9000 }, (_, index) => `line ${index}`).join('\n');
    const text = await fetchText(await serve('text/plain', lines));
    expect(text.length).toBeLessThanOrEqual(30_000);
    const file = /(\/[^\s\]"]+\.txt)/.exec(text)?.[1] ?? '';
    expect(readFileSync(file, 'utf8')).toBe(lines);
  });

  it('follows redirects within the host and says where they led', async () => {
    proves('R-32');
    const base = await startServer((request, response) => {
      if (request.url === '/new/') response.end('arrived');
      else response.writeHead(302, { location: request.url === '/a' ? 'b' : '/new/' }).end();
    });
    expect(await fetchText(`${base}/a`)).toBe(`Redirected to ${base}/new/\n\narrived`);
  });

  it('leaves a redirect to another host to a call of its own', async () => {
    proves('R-32');
    const base = await startServer((_request, response) => {
      response.writeHead(301, { location: 'https://elsewhere.example/page' }).end();
    });
    expect(await fetchText(base)).toBe(
      `${base}/ redirects to another host. To read it, fetch https://elsewhere.example/page`,
    );
  });

  it.each([
    ['file:///etc/passwd', /Only http and https/],
    ['http://user:secret@127.0.0.1/', /holds a name or password/],
  ])('checks a redirect like the first address: %s', async (location, message) => {
    proves('R-32');
    const base = await startServer((_request, response) => void response.writeHead(302, { location }).end());
    await expect(fetchText(base)).rejects.toThrow(message);
  });

  it('gives up on a circle of redirects', async () => {
    let hops = 0;
    const base = await startServer((_request, response) => {
      hops++;
      response.writeHead(302, { location: '/again' }).end();
    });
    await expect(fetchText(base)).rejects.toThrow('redirects more than 5 times');
    expect(hops).toBe(6);
  });

  it('reports an HTTP error with what the server said', async () => {
    const base = await startServer((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Gone fishing</h1>');
    });
    await expect(fetchText(base)).rejects.toThrow(/HTTP 404 Not Found for .*Gone fishing/);
  });

  it.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://[fd00::1]/',
    'http://１２７.０.０.１/',
  ])('refuses the private address %s unless it is allowed', async (url) => {
    proves('R-32');
    await expect(fetchText(url, { allowPrivate: false })).rejects.toThrow(/not a public address/);
  });

  it.each([
    ['ftp://example.com/', /Only http and https are fetched, not ftp:/],
    ['file:///etc/passwd', /not file:/],
    ['example.com', /is not a URL/],
    ['http://me:secret@example.com/', /holds a name or password/],
  ])('refuses %s', async (url, message) => {
    proves('R-32');
    const refusal = await fetchText(url).catch((error: Error) => error.message);
    expect(refusal).toMatch(message);
    expect(refusal).not.toContain('secret');
  });

  it('connects to the address that was checked for a name', async () => {
    proves('R-32');
    const base = await serve('text/plain', 'by name');
    expect(await fetchText(base.replace('127.0.0.1', 'localhost'))).toBe('by name');
  });

  it('says plainly that nothing answers', async () => {
    await expect(fetchText('http://127.0.0.1:1/')).rejects.toThrow(/could not be fetched: .*ECONNREFUSED/);
    await expect(fetchText('http://localhost:1/')).rejects.toThrow(/could not be fetched: .*ECONNREFUSED/);
  });

  it('stops at once when it is interrupted', async () => {
    const controller = new AbortController();
    const base = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('start');
      controller.abort();
    });
    await expect(fetchText(base, { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('says who it is', async () => {
    let agent = '';
    const base = await startServer((request, response) => {
      agent = request.headers['user-agent'] ?? '';
      response.end('x');
    });
    await fetchText(base);
    expect(agent).toMatch(/^Robota/);
  });

  it('declares the address it touches, and costs few bytes in every request', () => {
    proves('R-32');
    const { name, description, input } = webFetchTool;
    expect(webFetchTool.access({ url: 'HTTP://Example.com' }, toolContext())).toEqual([
      { kind: 'fetch', url: 'http://example.com/' },
    ]);
    expect(JSON.stringify({ name, description, input: input.json }).length).toBeLessThanOrEqual(300);
  });
});

describe('behind a proxy', () => {
  async function behindProxy(): Promise<readonly string[]> {
    const port = Number(new URL(await serve('text/plain', 'the page')).port);
    const proxy = await startProxy({ portOf: () => port });
    vi.stubEnv('http_proxy', proxy.url);
    vi.stubEnv('no_proxy', '');
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await proxy.stop();
    });
    return proxy.requests;
  }

  it('fetches a public name that only the proxy resolves', async () => {
    proves('R-32');
    const requests = await behindProxy();
    expect(await fetchText('http://page.robota.test/x', { allowPrivate: false })).toBe('the page');
    expect(requests).toEqual(['GET http://page.robota.test/x']);
  });

  it.each([
    'http://192.168.1.1/',
    'http://169.254.169.254/',
    'http://[fd00::1]/',
    'http://localhost:1/',
    'http://intranet/',
    'http://wiki.corp/',
    'http://vault.internal/',
  ])('refuses %s as it does without one', async (url) => {
    proves('R-32');
    const requests = await behindProxy();
    await expect(fetchText(url, { allowPrivate: false })).rejects.toMatchObject({ code: 'refused-url' });
    expect(requests).toEqual([]);
  });

  it('fetches internal names where the settings allow private addresses', async () => {
    await behindProxy();
    expect(await fetchText('http://intranet/')).toBe('the page');
  });

  it('names a proxy that refuses, as the reason of the failure', async () => {
    const proxy = await startProxy({ portOf: () => undefined, credentials: 'a:b' });
    vi.stubEnv('http_proxy', proxy.url);
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await proxy.stop();
    });
    await expect(fetchText('http://page.robota.test/')).rejects.toThrow(
      `http://page.robota.test/ could not be fetched: the proxy ${proxy.url} wants a user name and a password`,
    );
  });
});

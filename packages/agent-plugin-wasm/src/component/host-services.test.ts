import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostServices, type HostServicesOptions } from './host-services.ts';
import type { Grants } from './plugin-manifest.ts';

const { signal } = new AbortController();
let cwd: string;
let server: Server | undefined;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'robota-grants-'));
  await mkdir(join(cwd, 'docs'));
  await writeFile(join(cwd, 'docs/a.txt'), 'read me');
  await writeFile(join(cwd, 'secret.txt'), 'not me');
});
afterEach(() => server?.close());

function services(grants: Partial<Grants>, more: Partial<HostServicesOptions> = {}): HostServices {
  const full = { files: [], network: [], env: [], ...grants };
  return new HostServices({ grants: full, config: {}, cwd, home: cwd, env: {}, ...more });
}

async function told(work: Promise<unknown>): Promise<string> {
  return work.then(
    (value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : JSON.stringify(value)),
    (thrown: Error) => thrown.message,
  );
}

describe('files', () => {
  const read = [{ path: 'docs', access: 'read' }] as const;

  it('are refused without a grant, and read with one', async () => {
    proves('P-132');
    expect(await told(services({}).serve('readFile', ['docs/a.txt'], signal))).toBe(
      'reading docs/a.txt is not granted',
    );
    const granted = services({ files: read });
    expect(await told(granted.serve('readFile', ['docs/a.txt'], signal))).toBe('read me');
    expect(await granted.serve('listFiles', ['docs'], signal)).toEqual(['a.txt']);
  });

  it.each([
    '../outside.txt',
    'docs/../secret.txt',
    'docs/link.txt',
    'docs/folder/passwd',
    '/etc/passwd',
    '~/secret.txt',
    '',
    'docs/a\0',
  ])('a grant gives no other access: %j', async (path) => {
    proves('P-132');
    await symlink(join(cwd, 'secret.txt'), join(cwd, 'docs/link.txt'));
    await symlink('/etc', join(cwd, 'docs/folder'));
    const answer = await told(services({ files: read }).serve('readFile', [path], signal));
    expect(answer).toMatch(/is not granted|is not a path/);
  });

  it('are written only where writing was granted, and never through a link', async () => {
    proves('P-132');
    const content = Buffer.from('new');
    const granted = services({ files: [...read, { path: 'out', access: 'write' }] });
    await granted.serve('writeFile', ['out/deep/b.txt', content], signal);
    expect(await readFile(join(cwd, 'out/deep/b.txt'), 'utf8')).toBe('new');
    expect(await told(granted.serve('writeFile', ['docs/b.txt', content], signal))).toContain('not granted');
    await symlink(join(cwd, 'secret.txt'), join(cwd, 'out/link'));
    expect(await told(granted.serve('writeFile', ['out/link', content], signal))).toContain('not granted');
    expect(await readFile(join(cwd, 'secret.txt'), 'utf8')).toBe('not me');
  });

  it('what rules deny stays denied', async () => {
    proves('P-132');
    const judge = async (_: string, path: string) =>
      path.endsWith('a.txt') ? 'a rule denies it' : undefined;
    const granted = services({ files: [{ path: '.', access: 'write' }] }, { judge });
    expect(await told(granted.serve('readFile', ['docs/a.txt'], signal))).toBe('a rule denies it');
    expect(await told(granted.serve('readFile', ['secret.txt'], signal))).toBe('not me');
    expect(existsSync(join(cwd, 'docs/a.txt'))).toBe(true);
  });
});

describe('variables', () => {
  it('are seen only by the names that were granted', async () => {
    proves('P-132');
    const env = { LANG: 'C', SECRET: 'x' };
    const granted = services({ env: ['LANG', 'GONE'] }, { env });
    expect(await granted.serve('environment', ['LANG'], signal)).toBe('C');
    expect(await granted.serve('environment', ['SECRET'], signal)).toBeUndefined();
    expect(granted.environment()).toEqual([['LANG', 'C']]);
  });
});

describe('network', () => {
  async function serve(): Promise<string> {
    server = createServer((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      else if (request.url === '/on') response.writeHead(302, { location: '/here' }).end();
      else response.end(`${request.method} ${request.url} ${request.headers['x-a'] ?? ''}`);
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const request = (url: string) => [{ method: 'GET', url, headers: [['x-a', 'b']], body: undefined }];

  it('is reached at granted hosts only, redirections included', async () => {
    proves('P-132');
    const host = await serve();
    const granted = services({ network: [host] });
    const answer = (await granted.serve('fetch', request(`http://${host}/on`), signal)) as {
      readonly status: number;
      readonly body: Uint8Array;
    };
    expect(answer.status).toBe(200);
    expect(Buffer.from(answer.body).toString()).toBe('GET /here b');
    const away = await told(granted.serve('fetch', request(`http://${host}/away`), signal));
    expect(away).toBe('connecting to 127.0.0.1:1 is not granted');
    expect(await told(services({}).serve('fetch', request(`http://${host}/`), signal))).toBe(
      `connecting to ${host} is not granted`,
    );
  });

  it.each([
    ['http://example.com/', 'only https is used'],
    ['file:///etc/passwd', 'only https is used'],
    ['https://user:word@example.com/', 'an address with a password in it is refused'],
    ['https://example.com:8443/', 'is not granted'],
    ['https://example.com.evil.org/', 'is not granted'],
    ['https://deep.example.org:8443/', 'is not granted'],
    ['not a URL', 'is not a URL'],
  ])('refuses %s', async (url, message) => {
    proves('P-132');
    const granted = services({ network: ['example.com', '*.example.org'] });
    expect(await told(granted.serve('fetch', request(url), signal))).toContain(message);
  });
});

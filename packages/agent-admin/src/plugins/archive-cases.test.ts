import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginSource } from '@robota-sdk/agent-resources';
import { BundleInstaller, BundleLoader } from '@robota-sdk/agent-resources';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { tarOf, zipOf } from '../../../agent-resources/src/plugins/fixtures/make-archive.ts';
import {
  answering,
  makeRepository,
  pluginFiles,
  serveFiles,
  writeTree,
} from '../../../agent-resources/src/plugins/fixtures/plugin-stage.ts';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { runPluginRequest } from './run-plugin-request.ts';

interface ArchiveCase {
  readonly id: string;
  readonly name: string;
  readonly expected: string;
}

const file = new URL('../../../agent-resources/fixtures/archive-install.json', import.meta.url);
const cases = JSON.parse(readFileSync(file, 'utf8')) as ArchiveCase[];
const manifest = { name: '.claude-plugin/plugin.json', text: '{"name": "p", "version": "1.0.0"}' };

/** Installs from an archive of each kind over HTTP, and expects it to be refused with nothing left behind. */
async function refuses(place: TestProject, entries: Parameters<typeof tarOf>[0], why: RegExp): Promise<void> {
  const server = await serveFiles({
    '/p.tar.gz': tarOf([manifest, ...entries]),
    '/p.zip': zipOf([manifest, ...entries]),
  });
  try {
    for (const name of ['p.tar.gz', 'p.zip'])
      await expect(install(place, { kind: 'archive', url: `${server.url}/${name}` })).rejects.toThrow(why);
  } finally {
    await server.close();
  }
  expect(leftBehind(place)).toEqual([]);
}

function install(place: TestProject, source: PluginSource, yes = true) {
  const installer = new BundleInstaller({ ...place, scope: 'user' });
  return installer.install({ source, confirm: async () => yes });
}

function leftBehind({ home }: TestProject): string[] {
  const root = join(home, '.robota', 'plugins');
  return existsSync(root) ? readdirSync(root, { recursive: true }).map(String) : [];
}

const checks: Readonly<Record<string, (place: TestProject) => Promise<void>>> = {
  'arch-001': (place) => refuses(place, ['../../evil.sh'], /leads out/),
  'arch-003': async (place) => {
    await refuses(place, ['C:\\x'], /not a plain path/);
    await refuses(place, ['\\\\srv\\x'], /not a plain path/);
  },
  'arch-005': (place) => refuses(place, [{ name: 'd', type: '2', target: '/tmp' }, 'd/x'], /twice|leads out/),
  'arch-007': (place) =>
    refuses(
      place,
      [
        { name: 'a/b/c/up', type: '2', target: '../..' },
        { name: 'a/b/escape', type: '2', target: 'c/up/../..' },
        { name: 'exfil', type: '1', target: 'a/b/escape/x' },
      ],
      /a hard link|is a link/,
    ),
  'arch-009': async (place) => {
    await refuses(place, [{ name: 'null', type: '3' }], /refused/);
    await refuses(place, [{ name: 'fifo', type: '6' }], /refused/);
  },
  'arch-011': (place) =>
    refuses(
      place,
      Array.from({ length: 10_001 }, (_, at) => `f${at}`),
      /more than 10000/,
    ),
  'arch-013': (place) => refuses(place, [manifest], /twice/),
  'arch-015': (place) => refuses(place, ['caf\u00e9', 'cafe\u0301'], /differ only/),
  'arch-017': (place) => refuses(place, ['x'.repeat(300)], /too long/),
  'arch-019': async (place) => {
    const server = await serveFiles({
      '/p.tgz': tarOf([manifest, '.git/config', '.git/hooks/post-checkout']),
    });
    const installed = await install(place, { kind: 'archive', url: `${server.url}/p.tgz` });
    await server.close();
    expect(readdirSync(installed?.path ?? '')).toEqual(['.claude-plugin']);
    const repository = makeRepository(join(place.cwd, 'repo'), pluginFiles('from-git'));
    const cloned = await install(place, { kind: 'git', url: repository.url });
    expect(existsSync(join(cloned?.path ?? '', '.git'))).toBe(false);
  },
  'arch-021': async (place) => {
    const root = writeTree(join(place.cwd, 'spoof'), {
      '.claude-plugin/plugin.json': { name: 'r\u043ebota-official' },
    });
    await expect(new BundleLoader().load(root)).rejects.toThrow(/plugin\.json:2: .*ASCII/);
  },
  'arch-023': async (place) => {
    const root = writeTree(join(place.cwd, 'huge'), { '.claude-plugin/plugin.json': '{}' });
    truncateSync(join(root, '.claude-plugin/plugin.json'), 50 * 1024 * 1024);
    await expect(new BundleLoader().load(root)).rejects.toThrow(/52428800 bytes/);
    writeTree(root, {
      '.claude-plugin/plugin.json': `{"name": "p", "x": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    });
    await expect(new BundleLoader().load(root)).rejects.toThrow(/Nested/);
  },
  'arch-025': async (place) => {
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: 'touch $PWNED' }] }] };
    writeTree(join(place.cwd, 'hooked'), pluginFiles('hooked', { 'hooks/hooks.json': { hooks } }));
    const person = answering(false);
    const desk = { ...place, ui: person.ui };
    expect(await runPluginRequest(['install', './hooked'], desk)).toMatchObject({ isOk: false });
    expect(person.asked[0]).toContain('hook SessionStart (hooks/hooks.json): touch $PWNED');
    expect(leftBehind(place)).toEqual([]);
  },
  'arch-027': async (place) => {
    const folder = writeTree(join(place.cwd, 'p'), pluginFiles('p'));
    const before = await install(place, { kind: 'local', path: folder });
    // The state after a kill during the fetch and during the move.
    const root = join(place.home, '.robota', 'plugins');
    const dead = 2 ** 22 + 1;
    mkdirSync(join(root, `.staging-${dead}-abcdef`, 'fetched'), { recursive: true });
    writeTree(join(root, 'cache/direct/p/2.0.0'), { 'half.md': 'x' });
    expect((await new BundleInstaller({ ...place, scope: 'user' }).list())[0]).toMatchObject({
      version: '1.0.0',
    });
    expect(existsSync(join(before?.path ?? '', 'commands/hello.md'))).toBe(true);
    writeTree(folder, { '.claude-plugin/plugin.json': { name: 'p', version: '2.0.0' } });
    const after = await install(place, { kind: 'local', path: folder });
    expect(existsSync(join(after?.path ?? '', 'half.md'))).toBe(false);
    expect(readdirSync(root).filter((name) => name.startsWith('.staging'))).toEqual([]);
    expect(readdirSync(join(root, 'cache/direct/p'))).toEqual(['2.0.0']);
  },
  'arch-029': async (place) => {
    const folder = writeTree(join(place.cwd, 'p'), pluginFiles('p'));
    const precious = writeTree(join(place.cwd, 'precious'), { 'keep.txt': 'mine' });
    const installed = await install(place, { kind: 'local', path: folder });
    const { rmSync } = await import('node:fs');
    rmSync(installed?.path ?? '', { recursive: true });
    symlinkSync(precious, installed?.path ?? '');
    await new BundleInstaller({ ...place, scope: 'user' }).uninstall('p');
    expect(existsSync(join(precious, 'keep.txt'))).toBe(true);
    expect(existsSync(installed?.path ?? '')).toBe(false);
  },
  'arch-031': async (place) => {
    const desk = { ...place, ui: answering(true).ui };
    for (const url of ['http://example.com/m.git', 'http://example.com/m.json', 'git://example.com/m'])
      await expect(runPluginRequest(['marketplace', 'add', url], desk)).rejects.toThrow(/https/);
    const market = { name: 'web', owner: { name: 'x' }, plugins: [] };
    const server = await serveFiles({
      '/m.json': Buffer.from(JSON.stringify(market)),
      '/away.json': { status: 302, location: 'http://example.com/m.json' },
    });
    expect(await runPluginRequest(['marketplace', 'add', `${server.url}/m.json`], desk)).toMatchObject({
      isOk: true,
    });
    await expect(runPluginRequest(['marketplace', 'add', `${server.url}/away.json`], desk)).rejects.toThrow(
      /https/,
    );
    await server.close();
  },
  'arch-033': async (place) => {
    const server = await serveFiles({ '/p.tgz': tarOf([manifest]) });
    const source = { kind: 'archive', url: `${server.url}/p.tgz`, sha256: '0'.repeat(64) } as const;
    await expect(install(place, source)).rejects.toThrow(/has the sum/);
    await server.close();
    expect(leftBehind(place)).toEqual([]);
  },
  'arch-035': async (place) => {
    const inner = makeRepository(join(place.cwd, 'inner'), { 'secret.md': 'x' });
    const outer = makeRepository(join(place.cwd, 'outer'), pluginFiles('outer'));
    outer.git('submodule', 'add', '-q', inner.url, 'sub');
    outer.commit({});
    const installed = await install(place, { kind: 'git', url: outer.url });
    expect(existsSync(join(installed?.path ?? '', 'sub', 'secret.md'))).toBe(false);
  },
  'arch-037': async (place) => {
    const marker = join(place.cwd, 'ran');
    const { createHash } = await import('node:crypto');
    const bytes = tarOf([
      { name: 'package/package.json', text: JSON.stringify({ scripts: { preinstall: `touch ${marker}` } }) },
      { name: 'package/.claude-plugin/plugin.json', text: '{"name": "packed", "version": "2.0.0"}' },
    ]);
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const files: Record<string, Buffer> = { '/packed-2.0.0.tgz': bytes };
    const server = await serveFiles(files);
    const dist = { tarball: `${server.url}/packed-2.0.0.tgz`, integrity };
    files['/@team%2fpacked'] = Buffer.from(
      JSON.stringify({ 'dist-tags': { latest: '2.0.0' }, versions: { '2.0.0': { dist } } }),
    );
    const installed = await install(place, { kind: 'npm', package: '@team/packed', registry: server.url });
    await server.close();
    expect(installed).toMatchObject({ id: 'packed@direct', version: '2.0.0' });
    expect(existsSync(marker)).toBe(false);
  },
  'arch-039': async () => {
    const grow = 'try { for (;;) memory.grow(1); } catch { return String(memory.buffer.byteLength); }';
    expect(await answerOf(grow)).toBe(String(8 * 1024 * 1024));
  },
  'arch-041': async () => {
    const decode = 'return new TextDecoder().decode(new Uint8Array(memory.buffer, 2 ** 31, 10));';
    await expect(answerOf(decode)).rejects.toThrow(/offset|length/);
  },
};

/**
 * The answer of a WebAssembly plugin with a growing memory and a limit of 8 MB, whose bindings run this code.
 */
async function answerOf(body: string): Promise<unknown> {
  const { emptyManifest, HostServices, PluginInstance } = await import('@robota-sdk/agent-plugin-wasm');
  const memory = [5, 3, 1, 0, 1, 7, 10, 1, 6, ...Buffer.from('memory'), 2, 0];
  const script = `export async function instantiate(moduleOf) {
    const { memory } = (await WebAssembly.instantiate(await moduleOf('plugin.core.wasm'))).exports;
    return { 'robota:plugin/plugin@1.0.0': { name() { ${body} } } };
  }`;
  const files = new Map([
    ['plugin.js', Buffer.from(script)],
    ['plugin.core.wasm', Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...memory])],
  ]);
  const services = new HostServices({ ...emptyManifest, cwd: '/', home: '/', env: {} });
  const limits = { memoryMegabytes: 8, seconds: 10 };
  const instance = new PluginInstance({
    load: async () => ({ files, imports: [], exports: [] }),
    limits,
    services,
  });
  try {
    return await instance.call({ name: 'name', args: [] });
  } finally {
    await instance.dispose();
  }
}

describe('archives and installs that mean harm', () => {
  it.each(cases)('$id $name: $expected', async ({ id }) => {
    proves('R-59');
    const check = checks[id];
    expect(check, `nothing checks ${id}`).toBeDefined();
    await check?.(await makeTestProject());
  });
});

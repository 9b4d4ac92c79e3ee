import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface LocalRegistry {
  readonly url: string;
  /** The names of packages that were asked for. */
  readonly asked: ReadonlySet<string>;
  close(): Promise<void>;
}

interface Release {
  readonly manifest: Readonly<Record<string, unknown>>;
  tarball(): Promise<Buffer>;
}

/** A registry of npm on this machine: packed files, and the packages that are installed in a folder. */
export async function startRegistry(
  packed: ReadonlyMap<string, string>,
  installed: string,
): Promise<LocalRegistry> {
  const asked = new Set<string>();
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname).slice(1);
    const name = path.replace(/\/-\/.*$/, '');
    const release = await releaseOf(name, { packed, installed });
    if (release === undefined) return response.writeHead(404).end('{}');
    const tarball = await release.tarball();
    if (path !== name) return response.end(tarball);
    asked.add(name);
    const { version } = release.manifest as { readonly version: string };
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const dist = { integrity, tarball: `http://${request.headers.host}/${name}/-/${version}.tgz` };
    const versions = { [version]: { ...release.manifest, dist } };
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const made = new Map<string, Promise<Buffer>>();

async function releaseOf(
  name: string,
  { packed, installed }: { readonly packed: ReadonlyMap<string, string>; readonly installed: string },
): Promise<Release | undefined> {
  const file = packed.get(name);
  if (file !== undefined) {
    const { stdout } = await promisify(execFile)('tar', ['-xzOf', file, 'package/package.json']);
    return { manifest: JSON.parse(stdout), tarball: () => readFile(file) };
  }
  const folder = join(installed, name);
  if (!existsSync(join(folder, 'package.json'))) return undefined;
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const tarball = made.get(name) ?? tarballOf(await realpath(folder));
  made.set(name, tarball);
  return { manifest, tarball: () => tarball };
}

async function tarballOf(folder: string): Promise<Buffer> {
  const options = ['-cz', '--exclude=node_modules', '-C', dirname(folder), basename(folder)];
  const { stdout } = await promisify(execFile)('tar', options, {
    encoding: 'buffer',
    maxBuffer: 256 * 1024 * 1024,
  });
  return stdout;
}

import { readdir, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, isWithin, makeDirectories, pluralize, readRegularFile } from '@robota-sdk/agent-core';
import { archiveLimits } from '../archive/archive-entry.ts';
import { copyTree } from './copy-tree.ts';
import { isArchive } from './parse-source.ts';
import { describeSource, type PluginSource } from './plugin-source.ts';

/** The services that fetching needs. */
export interface FetchContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** Receives progress messages. */
  onProgress(text: string): void;
}

/** The result of a fetch. */
export interface Fetched {
  /** The folder with the content. */
  readonly root: string;
  /** The commit, if it came from git. */
  readonly commit?: string;
  /** Skipped links, which lead out of the source. */
  readonly skipped?: readonly string[];
}

/** Fetches a source into a new folder. Folders of the same marketplace are looked up in `inside`. */
export async function fetchSource(
  source: PluginSource,
  directory: string,
  context: FetchContext & { readonly inside?: string | undefined },
): Promise<Fetched> {
  context.signal?.throwIfAborted();
  context.onProgress(`Fetching ${describeSource(source) || 'the whole marketplace'}`);
  switch (source.kind) {
    case 'local':
      return copied(source.path, directory, context);
    case 'inside':
      return copiedInside(source.path, directory, context.inside);
    case 'git': {
      const { fetchGit } = await import('./fetch-git.ts');
      const commit = await fetchGit(source, directory, context);
      return { root: await folderIn(directory, source.path), commit };
    }
    case 'archive': {
      const { downloadFile, requireSum } = await import('./download-file.ts');
      const bytes = await downloadFile(source.url, {
        maxBytes: archiveLimits.maxBytes / 2,
        signal: context.signal,
      });
      if (source.sha256 !== undefined) requireSum(bytes, source.sha256, { of: source.url });
      return { root: await folderIn(await unpacked(bytes, directory, context), source.path) };
    }
    case 'npm':
      return { root: await unpacked(await packageOf(source, context), directory, context) };
    case 'manifest':
      await fetchManifest(source.url, directory, context);
      return { root: directory };
  }
}

async function copied(path: string, directory: string, context: FetchContext): Promise<Fetched> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isFile() && isArchive(path)) {
    const maxBytes = archiveLimits.maxBytes / 2;
    if (info.size > maxBytes)
      throw new AgentError('config', `${path} has more than the ${maxBytes} bytes an archive may have.`);
    return { root: await unpacked(await readRegularFile(path), directory, context) };
  }
  if (!info?.isDirectory())
    throw new AgentError('config', `No folder or archive (.tar.gz, .tgz, .zip) at ${path}.`);
  return { root: directory, skipped: await copyTree(path, directory) };
}

async function copiedInside(path: string, directory: string, inside: string | undefined): Promise<Fetched> {
  if (inside === undefined)
    throw new AgentError('config', `"${path}" is a folder of a marketplace, which has to be added first.`);
  const skipped = await copyTree(await folderIn(inside, path), directory, { root: inside });
  return { root: directory, skipped };
}

/** A folder below another one, with links resolved. */
async function folderIn(directory: string, path: string | undefined): Promise<string> {
  if (path === undefined || path === '') return directory;
  const folder = await realpath(join(directory, path)).catch(() => undefined);
  if (folder === undefined || !(await stat(folder)).isDirectory())
    throw new AgentError('config', `No folder "${path}" in it.`);
  if (!isWithin(await realpath(directory), folder))
    throw new AgentError('config', `The folder "${path}" is a link that leads out of it.`);
  return folder;
}

/** Archives often have one folder around everything. */
async function unpacked(bytes: Buffer, directory: string, { onProgress }: FetchContext): Promise<string> {
  const { unpackArchive } = await import('../archive/unpack-archive.ts');
  makeDirectories(directory, 0o700);
  const count = await unpackArchive(bytes, directory);
  onProgress(`Unpacked ${pluralize(count, 'file')}`);
  const [first, ...others] = await readdir(directory, { withFileTypes: true });
  if (!first?.isDirectory() || others.length > 0 || first.name.startsWith('.')) return directory;
  return join(directory, first.name);
}

/** The archive of a package from its registry; nothing of the package runs, and no dependency is fetched. */
async function packageOf(
  { package: name, version, registry }: PluginSource & { readonly kind: 'npm' },
  { signal }: FetchContext,
): Promise<Buffer> {
  const { askRegistry, fetchRelease } = await import('./npm-registry.ts');
  const offer = await askRegistry(name, { url: registry }, signal);
  const release = offer.find(version ?? 'latest');
  return fetchRelease(release, { url: registry }, { maxBytes: archiveLimits.maxBytes / 2, signal });
}

async function fetchManifest(url: string, directory: string, { signal }: FetchContext): Promise<void> {
  const { downloadFile } = await import('./download-file.ts');
  const bytes = await downloadFile(url, { maxBytes: 4 * 1024 * 1024, signal });
  makeDirectories(join(directory, '.claude-plugin'), 0o700);
  await writeFile(join(directory, '.claude-plugin', 'marketplace.json'), bytes, { mode: 0o600 });
}

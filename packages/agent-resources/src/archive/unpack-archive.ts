import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { makeDirectories } from '@robota-sdk/agent-core';
import { type ArchiveEntry, type ArchiveLimits, archiveLimits, refuseArchive } from './archive-entry.ts';
import { checkNames } from './check-names.ts';
import { copyLinks } from './copy-links.ts';

/** Unpacks a `.tar.gz`, `.tar` or `.zip` into an empty folder, after checking all of it. */
export async function unpackArchive(
  bytes: Buffer,
  directory: string,
  limits: ArchiveLimits = archiveLimits,
): Promise<number> {
  const entries = checkNames(copyLinks(checkNames(await readArchive(bytes, limits)), limits));
  const files = entries.filter(({ kind }) => kind === 'file');
  if (files.length === 0) refuseArchive('it contains no file');
  for (const { name, kind } of entries)
    makeDirectories(join(directory, kind === 'file' ? dirname(name) : name), 0o700);
  for (const { name, content, isExecutable } of files)
    await writeFile(join(directory, name), content, { flag: 'wx', mode: isExecutable ? 0o700 : 0o600 });
  return files.length;
}

/** A file, an empty archive, and one in parts. */
const zipStarts: readonly string[] = ['504b0304', '504b0506', '504b0708'];

/** Detects the format by the first bytes, since a name can be wrong. */
async function readArchive(bytes: Buffer, limits: ArchiveLimits): Promise<readonly ArchiveEntry[]> {
  // The name of a file in a tar may begin with PK, too.
  if (zipStarts.includes(bytes.toString('hex', 0, 4)))
    return (await import('./read-zip.ts')).readZip(bytes, limits);
  const { readTar } = await import('./read-tar.ts');
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return readTar(bytes, limits);
  // Headers and padding add to the size of the files.
  const maxOutputLength = limits.maxBytes + limits.maxFiles * 1024 + 1024 * 1024;
  const tar = await promisify(gunzip)(bytes, { maxOutputLength }).catch((thrown: NodeJS.ErrnoException) =>
    refuseArchive(
      thrown.code === 'ERR_BUFFER_TOO_LARGE'
        ? `it unpacks to more than ${limits.maxBytes} bytes`
        : 'it is damaged, or not all of it is there',
    ),
  );
  return readTar(tar, limits);
}

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, lstat, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentError, errorMessage } from '@robota-sdk/agent-core';

export interface WriteExportOptions {
  /** Replace a file that is there; otherwise that is an error. */
  readonly overwrite?: boolean;
}

/**
 * Writes an export as a whole or not at all, readable by its owner only. It is made beside its place and put there in one
 * step, so that neither a full disk nor a crash leaves half of it.
 */
export async function writeExport(
  file: string,
  pieces: AsyncIterable<string>,
  { overwrite = false }: WriteExportOptions = {},
): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found && !overwrite) throw alreadyThere(file);
  if (found && !found.isFile() && !found.isSymbolicLink())
    throw new AgentError(
      'session',
      `${file} is not a file, so nothing is written there. Use --output - for standard output.`,
    );
  // The target of a link is what must be new.
  const place = found?.isSymbolicLink() ? await realpath(file).catch(() => file) : file;
  const temporary = join(dirname(place), `.robota-export-${randomUUID().slice(0, 8)}`);
  try {
    await writePieces(temporary, pieces);
    await put(temporary, place, { overwrite });
  } catch (error) {
    if (AgentError.is(error)) throw error;
    throw new AgentError('session', `${file} could not be written: ${advice(error, dirname(place))}`, {
      cause: error,
    });
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

async function writePieces(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const piece of pieces) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A link fails where a file came into being meanwhile; file systems without links leave only the check before. */
async function put(temporary: string, file: string, { overwrite }: { overwrite: boolean }): Promise<void> {
  if (overwrite) return rename(temporary, file);
  try {
    await link(temporary, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw alreadyThere(file);
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    await rename(temporary, file);
  }
}

function alreadyThere(file: string): AgentError {
  return new AgentError(
    'session',
    `${file} already exists and was not changed. Choose another name, or use --force.`,
  );
}

function advice(error: unknown, directory: string): string {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      if (existsSync(directory) && code === 'ENOENT')
        return 'no files can be created there. Choose another place.';
      return 'its directory does not exist. Create it first, or choose another place.';
    case 'EACCES':
    case 'EPERM':
      return 'that is not allowed there. Choose another place.';
    case 'EROFS':
      return 'the file system is read-only. Choose another place.';
    case 'EISDIR':
      return 'it is a directory. Name a file.';
    case 'ENOSPC':
      return 'the disk is full. Nothing was left behind.';
    default:
      return `${errorMessage(error)}.`;
  }
}

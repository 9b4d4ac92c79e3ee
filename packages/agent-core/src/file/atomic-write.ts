import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { AgentError, errorMessage } from '../problem/agent-error.ts';
import { makeDirectories } from './make-directories.ts';
import { renameOver } from './rename-over.ts';
import { temporaryBeside, temporaryGone } from './temporary-files.ts';

export interface AtomicWriteOptions {
  /** The file's mode afterwards. Default: its current mode, or the usual one for a new file. */
  readonly mode?: number;
  /** Called when the new content is on disk, right before the rename; throwing cancels the write. */
  beforeReplace?(): void;
}

/**
 * Replaces a file's content in one step: a reader sees the old or the new bytes, never a mix, even after a crash.
 * Missing directories are created; the mode and, if possible, the owner are kept. `path` must be resolved: a symlink
 * would be replaced. Hard links are broken on purpose: their other names keep the old content.
 */
export async function atomicWrite(
  path: string,
  bytes: Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const directory = dirname(path);
  const temporary = temporaryBeside(path);
  try {
    makeDirectories(directory);
    await writeTemporary(temporary, bytes, { ...options, existing: await existingFile(path) });
    options.beforeReplace?.();
    await renameOver(temporary, path);
  } catch (thrown) {
    await unlink(temporary).catch(() => {});
    const reason = reasonOf(thrown as NodeJS.ErrnoException);
    throw new AgentError('tool', `${path} could not be written (${reason}). It is as it was.`, {
      cause: thrown,
    });
  } finally {
    temporaryGone(temporary);
  }
  await syncDirectory(directory);
}

async function writeTemporary(
  temporary: string,
  bytes: Uint8Array,
  { mode, existing }: AtomicWriteOptions & { readonly existing: Stats | undefined },
): Promise<void> {
  const handle = await open(temporary, 'wx', existing ? 0o600 : (mode ?? 0o666));
  try {
    await handle.writeFile(bytes);
    if (existing) await copyOwnership(handle, existing);
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The message of a system error names the temporary file, so only its reason is shown. */
function reasonOf(thrown: NodeJS.ErrnoException): string {
  const [, reason] = getSystemErrorMap().get(thrown.errno ?? 0) ?? [];
  return reason ?? errorMessage(thrown);
}

async function existingFile(path: string): Promise<Stats | undefined> {
  try {
    const stats = await lstat(path);
    // Renaming over a file needs no right to write it, so a read-only file would be overwritten without this.
    if (stats.isFile()) await assertWritable(path);
    return stats;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  }
}

async function assertWritable(path: string): Promise<void> {
  try {
    await (await open(path, constants.O_WRONLY)).close();
  } catch (thrown) {
    // A program that is running can't be written, but it can be replaced.
    if ((thrown as NodeJS.ErrnoException).code !== 'ETXTBSY') throw thrown;
  }
}

async function copyOwnership(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const isOther = process.getuid !== undefined && (uid !== process.getuid() || gid !== process.getgid?.());
  if (isOther) await handle.chown(uid, gid).catch(() => {});
  await handle.chmod(mode & 0o7777);
}

async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, constants.O_RDONLY);
    await handle.sync().finally(() => handle.close());
  } catch {
    // Not every file system can sync a directory; the file itself is safe.
  }
}

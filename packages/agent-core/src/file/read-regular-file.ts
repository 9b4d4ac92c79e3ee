import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** How a file is opened. */
export interface RegularFileOptions {
  /** Refuses a symbolic link as the last path segment. */
  readonly noFollow?: boolean;
  /** Bytes above which a file is refused. */
  readonly largest?: number;
}

/**
 * Opens a regular file for reading. Pipes and devices are refused, because reading them may never end. Directories
 * pass: reading them fails with EISDIR.
 */
export function openRegularFileSync(path: string, options: RegularFileOptions = {}): number {
  assertRegular(statSync(path), path, options);
  const file = openSync(path, flagsOf(options));
  try {
    // The file may have been replaced meanwhile.
    assertRegular(fstatSync(file), path, options);
    return file;
  } catch (thrown) {
    closeSync(file);
    throw thrown;
  }
}

/** Asynchronous `openRegularFileSync`. */
export async function openRegularFile(path: string, options: RegularFileOptions = {}): Promise<FileHandle> {
  assertRegular(statSync(path), path, options);
  const handle = await open(path, flagsOf(options));
  try {
    assertRegular(await handle.stat(), path, options);
    return handle;
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** Reads a regular file; anything else is refused without being opened. */
export function readRegularFileSync(path: string, options?: RegularFileOptions): Buffer {
  const file = openRegularFileSync(path, options);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Asynchronous `readRegularFileSync`. */
export async function readRegularFile(path: string, options?: RegularFileOptions): Promise<Buffer> {
  const handle = await openRegularFile(path, options);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function flagsOf({ noFollow = false }: RegularFileOptions): number {
  // Windows has neither flag.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  return O_RDONLY | O_NONBLOCK | (noFollow ? O_NOFOLLOW : 0);
}

function assertRegular(stats: Stats, path: string, { largest }: RegularFileOptions): void {
  if (!stats.isFile() && !stats.isDirectory())
    throw Object.assign(new Error('it is not a regular file'), { code: 'ENOTREG', path });
  if (largest !== undefined && stats.size > largest)
    throw Object.assign(new Error(`it is larger than ${sizeText(largest)}`), { code: 'EFBIG', path });
}

function sizeText(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return Number.isInteger(megabytes) ? `${megabytes} MB` : `${bytes} bytes`;
}

import {
  close,
  closeSync,
  constants,
  fdatasync,
  fsync,
  ftruncateSync,
  open,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import {
  AgentError,
  acquireLock,
  diskAdvice,
  errorMessage,
  makeDirectories,
  orElse,
} from '@robota-sdk/agent-core';
import { decodeLine } from '../entry/codec.ts';
import type { Entry } from '../entry/entry.ts';
import type { LinePosition } from '../entry/tree.ts';
import type { AppendOptions, LineSink } from './line-sink.ts';
import { isInPlace, putInPlace } from './lost-file.ts';
import { rescueSession } from './rescue-session.ts';
import type { SessionProblem } from './session-problem.ts';

export interface AppendLogOptions {
  readonly file: string;
  /** A new file is created with its directories at the first write, and must not exist by then. */
  readonly isNew: boolean;
  /** The size up to which the file is sound. */
  readonly size: number;
  /** True if the file lacks a final line feed; the next line must not be appended to the last. */
  readonly unterminated: boolean;
  /** Releases the lock; a new file takes its own. */
  readonly release?: () => void;
  readonly onProblem: (problem: SessionProblem) => void;
}

/**
 * Appends lines to a file. Writing is synchronous: a line in the page cache survives the death of the process and
 * costs less than a trip through the thread pool. Only waiting for the disk itself is asynchronous.
 * When the disk fails, lines wait in memory and every later write tries again.
 */
export class AppendLog implements LineSink {
  #file: string;
  readonly #onProblem: (problem: SessionProblem) => void;
  #isNew: boolean;
  #release: (() => void) | undefined;
  #fd: number | undefined;
  #size: number;
  #unterminated: boolean;
  #waiting: string[] = [];
  #failing = false;
  #unconfirmed = false;
  #syncedSize: number;
  #syncing: Promise<void> | undefined;
  #directoryUnsynced: boolean;

  constructor({ file, isNew, size, unterminated, release, onProblem }: AppendLogOptions) {
    this.#file = file;
    this.#isNew = isNew;
    this.#directoryUnsynced = isNew;
    this.#size = size;
    this.#syncedSize = size;
    this.#unterminated = unterminated;
    this.#release = release;
    this.#onProblem = onProblem;
    if (!isNew) this.#fd = openedAtOnce(file);
  }

  async write(lines: string, { durable }: AppendOptions): Promise<void> {
    if (lines !== '') this.#waiting.push(lines);
    this.#drain();
    if (!durable) return;
    await this.#keepPlace();
    await this.#sync();
  }

  get end(): number | undefined {
    return this.#waiting.length === 0 ? this.#size : undefined;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  read({ offset, bytes }: LinePosition): Entry | undefined {
    const isOpen = this.#fd !== undefined;
    const fd = this.#fd ?? openSync(this.#file, 'r');
    try {
      const buffer = Buffer.allocUnsafe(bytes);
      let read = 0;
      for (let count = -1; count !== 0 && read < bytes; read += count)
        count = readSync(fd, buffer, read, bytes - read, offset + read);
      const line = decodeLine(buffer.toString('utf8', 0, read).replace(/\n$/, ''));
      return line.kind === 'entry' ? line.entry : undefined;
    } finally {
      if (!isOpen) closeSync(fd);
    }
  }

  async close(): Promise<void> {
    this.#drain();
    await this.#keepPlace();
    await this.#syncing;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#release?.();
    if (this.#waiting.length === 0) return;
    const rescue = { file: this.#file, size: this.#size, lines: this.#waiting.join('') };
    this.#onProblem({ code: 'unsaved', count: this.#waiting.length, message: rescueSession(rescue) });
  }

  /** Writes all that waits. A failure leaves it waiting. */
  #drain(): void {
    if (this.#waiting.length === 0) return;
    try {
      this.#fd ??= this.#open();
      const text = this.#waiting.length === 1 ? (this.#waiting[0] ?? '') : this.#waiting.join('');
      this.#writeAll(this.#fd, Buffer.from(this.#unterminated ? `\n${text}` : text));
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#unterminated = false;
    this.#waiting = [];
    if (!this.#failing) return;
    this.#failing = false;
    const message = `The session is saved to ${this.#file} again; nothing is missing.`;
    this.#onProblem({ code: 'disk-recovered', count: 1, message });
  }

  #open(): number {
    if (!this.#isNew) return openSync(this.#file, 'a+', 0o600);
    makeDirectories(dirname(this.#file), 0o700);
    this.#release ??= acquireLock(this.#file);
    const fd = openSync(this.#file, 'ax+', 0o600);
    this.#isNew = false;
    return fd;
  }

  /** Lines in an unlinked file would be lost. */
  async #keepPlace(): Promise<void> {
    await this.#syncing;
    const fd = this.#fd;
    if (fd === undefined) return;
    try {
      if (isInPlace({ fd, file: this.#file })) return;
      const found = putInPlace({ fd, file: this.#file, size: this.#size });
      this.#fd = found.fd;
      this.#file = found.file;
      closeSync(fd);
      this.#lockAgain();
      this.#onProblem({ code: 'moved', count: 1, message: found.message });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The lock may have been deleted with the file. */
  #lockAgain(): void {
    try {
      this.#release?.();
      this.#release = acquireLock(this.#file);
    } catch {
      this.#release = undefined;
    }
  }

  #writeAll(fd: number, bytes: Buffer): void {
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(fd, bytes, written);
    } catch (error) {
      if (written > 0) this.#takeBack(fd);
      throw error;
    }
    this.#size += bytes.length;
  }

  /** Half a line must not stay: it would be glued to the next one. */
  #takeBack(fd: number): void {
    try {
      ftruncateSync(fd, this.#size);
    } catch {
      this.#unterminated = true;
    }
  }

  #fail(error: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    const why = AgentError.is(error)
      ? error.message
      : `${errorMessage(error)}. ${diskAdvice(error, this.#file)}`;
    const message = `The session cannot be saved to ${this.#file}: ${why}`;
    const hint = 'It continues in memory and is saved as soon as that works again.';
    this.#onProblem({ code: 'disk', count: 1, message, hint });
  }

  /** One fsync serves all callers whose lines were written before it began. */
  async #sync(): Promise<void> {
    const wanted = this.#size;
    while (this.#syncedSize < wanted && this.#fd !== undefined) {
      this.#syncing ??= this.#startSync(this.#fd);
      await this.#syncing;
    }
  }

  async #startSync(fd: number): Promise<void> {
    const size = this.#size;
    try {
      await dataSynced(fd);
      if (this.#directoryUnsynced) await syncDirectory(dirname(this.#file));
      this.#directoryUnsynced = false;
    } catch (error) {
      const message = `The disk did not confirm that ${this.#file} is safe: ${errorMessage(error)}. The session continues.`;
      if (!this.#unconfirmed) this.#onProblem({ code: 'disk', count: 1, message });
      this.#unconfirmed = true;
    }
    this.#syncedSize = size;
    this.#syncing = undefined;
  }
}

/**
 * Opened early, the file stays readable even if it is renamed or deleted. If that fails, it is opened with the first
 * line.
 */
function openedAtOnce(file: string): number | undefined {
  return orElse(() => openSync(file, constants.O_RDWR | constants.O_APPEND), undefined);
}

function dataSynced(fd: number): Promise<void> {
  return new Promise((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve())));
}

/** Makes the name of a new file durable; not every system can, and the file's content does not depend on it. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    const fd = await promisify(open)(directory, 'r');
    await promisify(fsync)(fd).finally(() => promisify(close)(fd));
  } catch {
    // Not supported on Windows.
  }
}

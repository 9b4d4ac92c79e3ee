import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeLine, type Entry, type LinePosition } from '@robota-sdk/agent-sessions';

const pieceBytes = 1024 * 1024;

/** A temporary file with the lines of an open session that is kept elsewhere. */
export class SpoolFile {
  readonly path: string;
  readonly #directory: string;
  #fd: number | undefined;
  #size = 0;

  private constructor(directory: string) {
    this.#directory = directory;
    this.path = join(directory, 'session.jsonl');
    this.#fd = openSync(this.path, 'ax+', 0o600);
  }

  static create(): SpoolFile {
    return new SpoolFile(mkdtempSync(join(tmpdir(), 'robota-session-')));
  }

  get size(): number {
    return this.#size;
  }

  /** Adds whole lines, or nothing if it throws. */
  append(lines: string): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    const bytes = Buffer.from(lines);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
    } catch (error) {
      ftruncateSync(fd, this.#size);
      throw error;
    }
    this.#size += bytes.length;
  }

  read({ offset, bytes }: LinePosition): Entry | undefined {
    const line = decodeLine(this.#bytesAt(offset, bytes).toString('utf8').replace(/\n$/, ''));
    return line.kind === 'entry' ? line.entry : undefined;
  }

  /** All of it, to be read piece by piece. */
  *pieces(): Generator<() => Buffer> {
    for (let offset = 0; offset < this.#size; offset += pieceBytes)
      yield () => this.#bytesAt(offset, Math.min(pieceBytes, this.#size - offset));
  }

  /** Takes its name away, so that a killed process leaves nothing behind. Windows keeps it until the end. */
  unlink(): void {
    if (process.platform !== 'win32') rmSync(this.#directory, { recursive: true, force: true });
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #bytesAt(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length);
    let read = 0;
    for (let count = -1; this.#fd !== undefined && count !== 0 && read < length; read += count)
      count = readSync(this.#fd, buffer, read, length - read, offset + read);
    return buffer.subarray(0, read);
  }
}

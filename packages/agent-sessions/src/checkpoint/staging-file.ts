import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectories } from '@robota-sdk/agent-core';

/** Before each content: its SHA-256, then its length. */
const headerLength = 32 + 4;

/** Maximum size of the buffer in memory. */
const longestBuffer = 4 * 1024 * 1024;

interface StagedRange {
  readonly at: number;
  readonly length: number;
}

/**
 * Contents that may be needed until a command has ended, concatenated in a single file, which makes thousands of small
 * files cheap.
 */
export class StagingFile {
  readonly #path: string;
  readonly #places = new Map<string, StagedRange>();
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #end = 0;
  #isStarted = false;
  #isUnsafe = false;

  constructor(path: string) {
    this.#path = path;
  }

  has(hash: string): boolean {
    return this.#places.has(hash);
  }

  /** Adds a content; it is safe after `flush`. */
  add(hash: string, bytes: Uint8Array): void {
    const header = Buffer.alloc(headerLength);
    header.write(hash, 'hex');
    header.writeUInt32BE(bytes.length, headerLength - 4);
    this.#places.set(hash, { at: this.#end + headerLength, length: bytes.length });
    this.#pending.push(header, bytes);
    this.#pendingBytes += headerLength + bytes.length;
    this.#end += headerLength + bytes.length;
    if (this.#pendingBytes > longestBuffer) this.#write();
    this.#isUnsafe = true;
  }

  /** After it returns, added contents survive a power loss. */
  flush(): void {
    if (!this.#isUnsafe) return;
    this.#write();
    const file = openSync(this.#path, 'r+');
    try {
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
    this.#isUnsafe = false;
  }

  /** The bytes added under a hash, if they are complete. */
  read(hash: string): Buffer | undefined {
    const place = this.#places.get(hash);
    if (place === undefined) return undefined;
    this.#write();
    const file = openSync(this.#path, 'r');
    try {
      return readAt(file, place);
    } finally {
      closeSync(file);
    }
  }

  /** Loads the staging file of another process. */
  load(): void {
    if (!existsSync(this.#path)) return;
    const file = openSync(this.#path, 'r+');
    try {
      this.#scan(file);
      // The last content may be truncated; the next one must start at the expected offset.
      ftruncateSync(file, this.#end);
    } finally {
      closeSync(file);
    }
    this.#isStarted = true;
  }

  remove(): void {
    this.#places.clear();
    rmSync(this.#path, { force: true });
  }

  #write(): void {
    if (this.#pending.length === 0) return;
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    try {
      this.#append(bytes);
    } catch (thrown) {
      // Contents after a missing part cannot be found, so the file is reset. On a full disk its space is needed to
      // report that.
      this.#places.clear();
      this.#end = 0;
      this.#isStarted = false;
      rmSync(this.#path, { force: true, recursive: true });
      throw thrown;
    }
  }

  #append(bytes: Uint8Array): void {
    makeDirectories(dirname(this.#path), 0o700);
    const file = openSync(this.#path, this.#isStarted ? 'a' : 'w', 0o600);
    this.#isStarted = true;
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    } finally {
      closeSync(file);
    }
  }

  #scan(file: number): void {
    const { size } = fstatSync(file);
    let at = 0;
    this.#end = 0;
    while (at + headerLength <= size) {
      const header = readAt(file, { at, length: headerLength });
      const length = header.readUInt32BE(headerLength - 4);
      if (at + headerLength + length > size) break;
      this.#places.set(header.toString('hex', 0, 32), { at: at + headerLength, length });
      at += headerLength + length;
      this.#end = at;
    }
  }
}

function readAt(file: number, { at, length }: StagedRange): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, at);
  return bytes;
}

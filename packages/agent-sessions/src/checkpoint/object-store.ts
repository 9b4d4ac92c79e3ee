import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { makeDirectories } from '@robota-sdk/agent-core';
import { hashOf } from './file-state.ts';

/** Files from this size on are compressed, where that saves something. */
const worthCompressing = 4096;

interface StoredObject {
  readonly hash: string;
  readonly path: string;
  readonly size: number;
}

/** Contents of files under their hashes; each is kept once. */
export class ObjectStore {
  readonly #directory: string;
  readonly #known = new Set<string>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Keeps a content; when it returns, it would survive a loss of power. */
  keep(hash: string, bytes: Uint8Array): void {
    if (this.has(hash)) return;
    const packed = bytes.length < worthCompressing ? bytes : gzipSync(bytes, { level: 1 });
    const isSmaller = packed.length < bytes.length * 0.9;
    this.#write(isSmaller ? `${this.#path(hash)}.gz` : this.#path(hash), isSmaller ? packed : bytes, {
      flush: true,
    });
    this.#known.add(hash);
  }

  /** Keeps a content for as long as this process needs it; `settle` makes it last. */
  stage(hash: string, bytes: Uint8Array): void {
    if (this.has(hash)) return;
    this.#write(this.#path(hash), bytes, { flush: false });
    this.#known.add(hash);
  }

  /** Makes a staged content last. */
  settle(hash: string): void {
    const file = openSync(this.#stored(hash) ?? this.#path(hash), 'r+');
    fsyncSync(file);
    closeSync(file);
  }

  has(hash: string): boolean {
    if (this.#known.has(hash)) return true;
    if (this.#stored(hash) === undefined) return false;
    this.#known.add(hash);
    return true;
  }

  /** A content; nothing where it is gone or damaged. */
  read(hash: string): Buffer | undefined {
    try {
      const path = this.#stored(hash);
      if (path === undefined) return undefined;
      const stored = readFileSync(path);
      const bytes = path.endsWith('.gz') ? gunzipSync(stored) : stored;
      return hashOf(bytes) === hash ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Removes what nothing refers to, then the longest unused of the rest until all fits into the limit.
   * `referenced` is in the order of use, oldest first.
   */
  shrink(referenced: readonly string[], limit: number): void {
    const lastUse = new Map(referenced.map((hash, index) => [hash, index]));
    const objects = this.#all().filter((object) => {
      if (lastUse.has(object.hash)) return true;
      this.#remove(object);
      return false;
    });
    let total = objects.reduce((sum, { size }) => sum + size, 0);
    if (total <= limit) return;
    objects.sort((a, b) => (lastUse.get(a.hash) ?? 0) - (lastUse.get(b.hash) ?? 0));
    for (const object of objects) {
      if (total <= limit) return;
      this.#remove(object);
      total -= object.size;
    }
  }

  #write(path: string, bytes: Uint8Array, { flush }: { readonly flush: boolean }): void {
    const temporary = join(this.#directory, `${randomBytes(8).toString('hex')}.tmp`);
    makeDirectories(dirname(path), 0o700);
    try {
      writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx', flush });
      renameSync(temporary, path);
    } catch (thrown) {
      rmSync(temporary, { force: true });
      throw thrown;
    }
    if (flush) flushDirectory(dirname(path));
  }

  #remove({ hash, path }: StoredObject): void {
    rmSync(path, { force: true });
    this.#known.delete(hash);
  }

  #all(): StoredObject[] {
    if (!existsSync(this.#directory)) return [];
    return readdirSync(this.#directory, { withFileTypes: true, recursive: true }).flatMap((entry) => {
      if (!entry.isFile()) return [];
      const path = join(entry.parentPath, entry.name);
      return [{ hash: entry.name.replace(/\.gz$/, ''), path, size: statSync(path).size }];
    });
  }

  #path(hash: string): string {
    return join(this.#directory, hash.slice(0, 2), hash);
  }

  #stored(hash: string): string | undefined {
    const path = this.#path(hash);
    return [path, `${path}.gz`].find((candidate) => existsSync(candidate));
  }
}

/** A new name lasts when its directory was flushed; not every file system can do that. */
function flushDirectory(path: string): void {
  try {
    const directory = openSync(path, 'r');
    fsyncSync(directory);
    closeSync(directory);
  } catch {
    // The content itself is safe.
  }
}

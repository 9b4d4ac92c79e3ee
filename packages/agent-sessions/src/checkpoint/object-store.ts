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
import { StagingFile } from './staging-file.ts';

/** Files from this size are compressed, if that saves space. */
const worthCompressing = 4096;

interface StoredObject {
  readonly hash: string;
  readonly path: string;
  readonly size: number;
}

/** File contents by hash; each is stored once. */
export class ObjectStore {
  readonly directory: string;
  readonly #staging: StagingFile;
  /** The names in the directory, after the first read; no other process writes there. */
  #kept: Set<string> | undefined;

  /** Contents are in `objects/` of a directory, staged ones in `staged`. */
  constructor(directory: string) {
    this.directory = join(directory, 'objects');
    this.#staging = new StagingFile(join(directory, 'staged'));
  }

  /** Stores a content; after it returns, the content survives a power loss. */
  keep(hash: string, bytes: Uint8Array): void {
    this.#put(hash, bytes, { flush: true });
  }

  /** Stores a content until the session ends; `settle` makes it permanent. */
  stage(hash: string, bytes: Uint8Array): void {
    if (!this.has(hash)) this.#staging.add(hash, bytes);
  }

  /** After it returns, staged contents survive a power loss. */
  flush(): void {
    this.#staging.flush();
  }

  /** Makes a staged content permanent; false if there is none. Until then the staged one is safe. */
  settle(hash: string): boolean {
    if (this.#isKept(hash)) return true;
    const bytes = this.#readStaged(hash);
    if (bytes === undefined) return false;
    this.#put(hash, bytes, { flush: false });
    return true;
  }

  /** Takes over contents staged by a killed process. */
  resume(): void {
    this.#staging.load();
  }

  has(hash: string): boolean {
    return this.#staging.has(hash) || this.#isKept(hash);
  }

  /** A content; undefined if it is missing or damaged. */
  read(hash: string): Buffer | undefined {
    return this.#readKept(hash) ?? this.#readStaged(hash);
  }

  /**
   * At the end of the session, removes staged and unreferenced contents, then the least recently used ones until the
   * rest fits the limit. `referenced` is ordered by use, oldest first.
   */
  shrink(referenced: readonly string[], limit: number): void {
    this.#staging.remove();
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

  #isKept(hash: string): boolean {
    this.#kept ??= new Set(this.#all().map((object) => object.hash));
    return this.#kept.has(hash);
  }

  #readKept(hash: string): Buffer | undefined {
    const path = this.#stored(hash);
    if (path === undefined) return undefined;
    try {
      const stored = readFileSync(path);
      const bytes = path.endsWith('.gz') ? gunzipSync(stored) : stored;
      return hashOf(bytes) === hash ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  #readStaged(hash: string): Buffer | undefined {
    const bytes = this.#staging.read(hash);
    return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
  }

  #put(hash: string, bytes: Uint8Array, options: { readonly flush: boolean }): void {
    if (this.#isKept(hash)) return;
    const packed = bytes.length < worthCompressing ? bytes : gzipSync(bytes, { level: 1 });
    const isSmaller = packed.length < bytes.length * 0.9;
    const path = this.#path(hash);
    this.#write(isSmaller ? `${path}.gz` : path, isSmaller ? packed : bytes, options);
    this.#kept?.add(hash);
  }

  #write(path: string, bytes: Uint8Array, { flush }: { readonly flush: boolean }): void {
    const temporary = join(this.directory, `${randomBytes(8).toString('hex')}.tmp`);
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
    this.#kept?.delete(hash);
  }

  #all(): StoredObject[] {
    if (!existsSync(this.directory)) return [];
    return readdirSync(this.directory, { withFileTypes: true, recursive: true }).flatMap((entry) => {
      if (!entry.isFile()) return [];
      const path = join(entry.parentPath, entry.name);
      return [{ hash: entry.name.replace(/\.gz$/, ''), path, size: statSync(path).size }];
    });
  }

  #path(hash: string): string {
    return join(this.directory, hash.slice(0, 2), hash);
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

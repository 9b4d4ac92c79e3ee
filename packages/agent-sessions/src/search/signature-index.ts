import { checked, count, either, guard, list, parseJson, text } from '@robota-sdk/agent-core';
import { type CacheRow, readCache, writeCache } from './cache-file.ts';
import type { SessionFile } from './session-files.ts';

interface Signed {
  readonly stamp: string;
  readonly signature: Uint8Array;
}

const format = 'robota-signatures-1\n';
const lengthBytes = 4;

/** The signatures of a project's sessions as they were when last read. Only ever a help: without it all files are read. */
export class SignatureIndex {
  readonly #file: string;
  readonly #signed: Map<string, Signed>;
  #changed = false;

  /** Opens the index in a cache file, or an empty one. */
  constructor(file: string) {
    this.#file = file;
    this.#signed = read(file);
  }

  /** The signature of a session's file, unless the file has changed since. */
  get({ id, stamp }: SessionFile): Uint8Array | undefined {
    const signed = this.#signed.get(id);
    return signed?.stamp === stamp ? signed.signature : undefined;
  }

  set({ id, stamp }: SessionFile, signature: Uint8Array): void {
    this.#signed.set(id, { stamp, signature });
    this.#changed = true;
  }

  /** Saves additions, and drops sessions that no longer exist. */
  save(files: readonly SessionFile[]): void {
    const existing = new Set(files.map(({ id }) => id));
    for (const id of this.#signed.keys())
      if (!existing.has(id)) this.#changed = this.#signed.delete(id) || this.#changed;
    if (this.#changed) writeCache(this.#file, format, encode(this.#signed));
    this.#changed = false;
  }
}

function encode(signed: ReadonlyMap<string, Signed>): Buffer {
  const rows = [...signed].map(([id, { stamp, signature }]) => [id, stamp, signature.length]);
  const table = Buffer.from(JSON.stringify(rows));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(table.length);
  return Buffer.concat([length, table, ...[...signed.values()].map(({ signature }) => signature)]);
}

function read(file: string): Map<string, Signed> {
  const signed = new Map<string, Signed>();
  const content = readCache(file, format);
  if (!content) return signed;
  const tableEnd = lengthBytes + content.readUInt32LE(0);
  const rows = parseJson(content.toString('utf8', lengthBytes, tableEnd));
  if (!areRows(rows)) return signed;
  let offset = tableEnd;
  for (const [id, stamp, length] of rows) {
    signed.set(id, { stamp, signature: content.subarray(offset, offset + length) });
    offset += length;
  }
  return signed;
}

const areRows = guard<readonly CacheRow<number>[]>(() =>
  list(checked(list(either(text, count)), 'a row', ({ length }) => length === 3)),
);

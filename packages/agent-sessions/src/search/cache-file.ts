import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { instance, list, makeDirectories, parseJson } from '@robota-sdk/agent-core';

const checksumBytes = 4;

/** Reads a cache; undefined if it is missing, damaged or of another format, which only costs time. */
export function readCache(file: string, format: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const start = format.length + checksumBytes;
    if (bytes.length < start || bytes.toString('latin1', 0, format.length) !== format) return undefined;
    const content = bytes.subarray(start);
    return crc32(content) === bytes.readUInt32LE(format.length) ? content : undefined;
  } catch {
    return undefined;
  }
}

/** A row of a cache: what was found in the file of a session when it had this stamp. */
export type CacheRow<T> = readonly [id: string, stamp: string, found: T];

/** Reads the rows of a cache by their ids. The format and the checksum vouch for what was found. */
export function readRows<T>(file: string, format: string): Map<string, CacheRow<T>> {
  const rows = parseJson(readCache(file, format)?.toString('utf8') ?? '');
  const isRow = (row: unknown): row is CacheRow<T> =>
    Array.isArray(row) && row.length === 3 && row.slice(0, 2).every((each) => typeof each === 'string');
  return new Map(
    list(instance('a row', isRow))
      .parse(rows)
      ?.map((row) => [row[0], row]),
  );
}

/** Replaces a cache in one step. If that fails, such as on a full disk, the next reader works without it. */
export function writeCache(file: string, format: string, content: Buffer): void {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const head = Buffer.alloc(format.length + checksumBytes);
  head.write(format, 'latin1');
  head.writeUInt32LE(crc32(content), format.length);
  try {
    makeDirectories(dirname(file), 0o700);
    writeFileSync(draft, Buffer.concat([head, content]), { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch {
    remove(draft);
  }
}

function remove(draft: string): void {
  try {
    unlinkSync(draft);
  } catch {
    // It may never have been created.
  }
}

import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { makeDirectories } from '@robota-sdk/agent-core';

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

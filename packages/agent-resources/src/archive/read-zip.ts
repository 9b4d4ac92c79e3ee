import { crc32, inflateRawSync } from 'node:zlib';
import {
  type ArchiveEntry,
  type ArchiveLimits,
  ArchiveMeter,
  nameOf,
  refuseArchive,
} from './archive-entry.ts';

const endSize = 22;
const centralSize = 46;
const localSize = 30;

/** Reads a zip file by its directory. Encrypted, overlapping, damaged or unusual entries are refused. */
export function readZip(bytes: Buffer, limits: ArchiveLimits): ArchiveEntry[] {
  const records = readDirectory(bytes, limits);
  refuseOverlaps(records);
  const meter = new ArchiveMeter(limits);
  return records.map((record) => {
    meter.add(record.size);
    return entryOf(record, bytes, meter);
  });
}

interface ZipRecord {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Of the file system it was created on; 0 if unknown. */
  readonly mode: number;
  /** From the start of its header to the end of its data. */
  readonly start: number;
  readonly data: number;
}

function readDirectory(bytes: Buffer, { maxFiles }: ArchiveLimits): ZipRecord[] {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  const length = bytes.readUInt32LE(end + 12);
  const offset = bytes.readUInt32LE(end + 16);
  const isSplit = bytes.readUInt16LE(end + 4) !== 0 || bytes.readUInt16LE(end + 8) !== count;
  if (isSplit || count === 0xffff || offset === 0xffffffff)
    refuseArchive('it is split, or too large for a plain zip file');
  if (offset + length !== end) refuseArchive('its directory is not where it should be');
  if (count > maxFiles) refuseArchive(`it has more than ${maxFiles} entries`);
  const records: ZipRecord[] = [];
  let at = offset;
  for (let index = 0; index < count; index++) {
    if (at + centralSize > end || bytes.readUInt32LE(at) !== 0x02014b50)
      refuseArchive('its directory is damaged');
    records.push(recordAt(bytes, at, offset));
    at += centralSize + [28, 30, 32].reduce((sum, field) => sum + bytes.readUInt16LE(at + field), 0);
  }
  if (at !== end) refuseArchive('its directory is damaged');
  return records;
}

/** The record at the end, whose comment must reach to the last byte: otherwise there could be two of them. */
function findEnd(bytes: Buffer): number {
  for (let at = bytes.length - endSize; at >= Math.max(0, bytes.length - endSize - 0xffff); at--) {
    if (bytes.readUInt32LE(at) !== 0x06054b50) continue;
    if (at + endSize + bytes.readUInt16LE(at + 20) === bytes.length) return at;
  }
  return refuseArchive('it is not a complete zip file');
}

function recordAt(bytes: Buffer, at: number, directory: number): ZipRecord {
  const nameLength = bytes.readUInt16LE(at + 28);
  const rawName = bytes.subarray(at + centralSize, at + centralSize + nameLength);
  const flags = bytes.readUInt16LE(at + 8);
  if ((flags & 0b1) !== 0) refuseArchive('it is encrypted');
  const start = bytes.readUInt32LE(at + 42);
  if (start + localSize > directory || bytes.readUInt32LE(start) !== 0x04034b50)
    refuseArchive('an entry is not where the directory says');
  const localName = bytes.subarray(start + localSize, start + localSize + bytes.readUInt16LE(start + 26));
  const method = bytes.readUInt16LE(at + 10);
  if (!localName.equals(rawName) || bytes.readUInt16LE(start + 8) !== method)
    refuseArchive('an entry and the directory contradict each other');
  const data = start + localSize + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
  const packed = bytes.readUInt32LE(at + 20);
  if (data + packed > directory) refuseArchive('an entry reaches into the directory');
  const isUnix = bytes.readUInt8(at + 5) === 3;
  return {
    name: nameOf(rawName),
    method,
    crc: bytes.readUInt32LE(at + 16),
    packed,
    size: bytes.readUInt32LE(at + 24),
    mode: isUnix ? bytes.readUInt32LE(at + 38) >>> 16 : 0,
    start,
    data,
  };
}

/** Entries that share their data are how a small file becomes a huge one. */
function refuseOverlaps(records: readonly ZipRecord[]): void {
  const sorted = [...records].sort((a, b) => a.start - b.start);
  sorted.forEach((record, index) => {
    const next = sorted[index + 1];
    if (next && record.data + record.packed > next.start) refuseArchive('its entries overlap');
  });
}

const fileTypes = 0o170000;

function entryOf(record: ZipRecord, bytes: Buffer, meter: ArchiveMeter): ArchiveEntry {
  const { name, mode, size } = record;
  const type = mode & fileTypes;
  if (type !== 0 && type !== 0o120000 && type !== 0o100000 && type !== 0o040000)
    refuseArchive(`"${name}" is neither a file nor a folder`);
  if (name.endsWith('/') || type === 0o040000) {
    if (size !== 0) refuseArchive(`the folder "${name}" has content`);
    return { name, kind: 'directory', isExecutable: false, content: Buffer.alloc(0) };
  }
  const content = unpack(record, bytes, meter);
  if (content.length !== size || crc32(content) !== record.crc) refuseArchive(`"${name}" is damaged`);
  if (type === 0o120000)
    return { name, kind: 'link', isExecutable: false, content: Buffer.alloc(0), target: nameOf(content) };
  return { name, kind: 'file', isExecutable: (mode & 0o100) !== 0, content };
}

function unpack({ name, method, data, packed, size }: ZipRecord, bytes: Buffer, meter: ArchiveMeter): Buffer {
  const stored = bytes.subarray(data, data + packed);
  if (method === 0) return stored;
  if (method !== 8) refuseArchive(`"${name}" is packed in a way that is not supported (method ${method})`);
  try {
    return inflateRawSync(stored, { maxOutputLength: Math.max(1, Math.min(size, size + meter.room)) });
  } catch {
    return refuseArchive(`"${name}" is damaged, or larger than it says`);
  }
}

import { givenFields } from '@robota-sdk/agent-core';
import {
  type ArchiveEntry,
  type ArchiveLimits,
  ArchiveMeter,
  nameOf,
  refuseArchive,
} from './archive-entry.ts';

const blockSize = 512;
const maxMetadata = 64 * 1024;

/** Reads a tar file (ustar, GNU long names, pax). Hard links, devices and sparse files are refused, and so is any damage. */
export function readTar(bytes: Buffer, limits: ArchiveLimits): ArchiveEntry[] {
  const meter = new ArchiveMeter(limits);
  const entries: ArchiveEntry[] = [];
  let next: Overrides = {};
  let at = 0;
  while (at < bytes.length) {
    const header = bytes.subarray(at, at + blockSize);
    if (header.length < blockSize) refuseArchive('it ends in the middle of an entry');
    if (isZero(header)) {
      if (!isZero(bytes.subarray(at))) refuseArchive('something follows its end');
      return entries;
    }
    const { type, name, size, mode, target } = readHeader(header, next);
    const start = at + blockSize;
    const content = bytes.subarray(start, start + size);
    if (content.length < size) refuseArchive('it ends in the middle of a file');
    at = start + Math.ceil(size / blockSize) * blockSize;
    if (isMetadata(type)) {
      meter.add(0);
      next = { ...next, ...readMetadata(type, content) };
      continue;
    }
    next = {};
    meter.add(size);
    entries.push(entryOf({ type, name, mode, target, content }));
  }
  return refuseArchive('its end is missing');
}

/** Values of a metadata entry for the next entry. */
interface Overrides {
  readonly name?: string;
  readonly size?: number;
  readonly target?: string;
}

interface Header {
  readonly type: string;
  readonly name: string;
  readonly size: number;
  readonly mode: number;
  /** The target of a link; empty for other entries. */
  readonly target: string;
}

function readHeader(header: Buffer, { name, size, target }: Overrides): Header {
  const stored = numberIn(header, 148, 8);
  let sum = 0;
  for (let at = 0; at < blockSize; at++) sum += at >= 148 && at < 156 ? 32 : (header[at] ?? 0);
  if (sum !== stored) refuseArchive('the checksum of an entry is wrong');
  const type = String.fromCharCode(header[156] ?? 0).replace('\0', '0');
  const isUstar = header.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isUstar ? textIn(header, 345, 155) : '';
  const own = textIn(header, 0, 100);
  return {
    type,
    name: name ?? (prefix === '' ? own : `${prefix}/${own}`),
    size: size ?? numberIn(header, 124, 12),
    mode: numberIn(header, 100, 8),
    target: target ?? textIn(header, 157, 100),
  };
}

function entryOf(header: Omit<Header, 'size'> & { content: Buffer }): ArchiveEntry {
  const { type, name, mode, target, content } = header;
  if (type === '2' && content.length === 0)
    return { name, kind: 'link', isExecutable: false, content, target };
  if (type === '5' && content.length === 0) return { name, kind: 'directory', isExecutable: false, content };
  if ((type !== '0' && type !== '7') || name.endsWith('/')) refuseArchive(`"${name}" is ${kindOf(type)}`);
  return { name, kind: 'file', isExecutable: (mode & 0o100) !== 0, content };
}

function kindOf(type: string): string {
  const kinds: Readonly<Record<string, string>> = {
    '1': 'a hard link, and links are not unpacked',
    '2': 'a link with content',
    '3': 'a device',
    '4': 'a device',
    '6': 'a named pipe',
    S: 'a sparse file',
  };
  return kinds[type] ?? 'neither a file nor a folder';
}

function isMetadata(type: string): boolean {
  return type === 'x' || type === 'g' || type === 'L' || type === 'K';
}

function readMetadata(type: string, content: Buffer): Overrides {
  if (content.length > maxMetadata) refuseArchive('its metadata is too long');
  if (type === 'L') return { name: nameOf(content).replace(/(?<!\0)\0+$/, '') };
  if (type === 'K') return { target: nameOf(content).replace(/(?<!\0)\0+$/, '') };
  const records = readPax(content);
  if ([...records.keys()].some((key) => key.startsWith('GNU.sparse.'))) refuseArchive('it has a sparse file');
  // A path or a size for all entries is invalid; only comments and times are allowed.
  if (type === 'g') {
    if (records.has('path') || records.has('size') || records.has('linkpath'))
      refuseArchive('it names all of its files the same');
    return {};
  }
  const path = records.get('path');
  const target = records.get('linkpath');
  const size = records.get('size');
  if (size !== undefined && !/^\d{1,15}$/.test(size)) refuseArchive('the size of a file is not a number');
  return givenFields({ name: path, target, size: size === undefined ? undefined : Number(size) });
}

/** Records of the form `length key=value\n`. */
function readPax(content: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < content.length; ) {
    const [digits] = /^\d{1,6}(?= )/.exec(content.toString('latin1', at, at + 8)) ?? [];
    const end = at + Number(digits);
    const isWhole = digits !== undefined && end > at && end <= content.length && content[end - 1] === 10;
    if (!isWhole) refuseArchive('its metadata is damaged');
    const [, key = '', value = ''] =
      /^([^=]+)=([\s\S]*)$/.exec(nameOf(content.subarray(at + digits.length + 1, end - 1))) ?? [];
    records.set(key, value);
    at = end;
  }
  return records;
}

/** A number in octal, or in binary where the first bit is set. */
function numberIn(header: Buffer, at: number, length: number): number {
  if (((header[at] ?? 0) & 0x80) !== 0) return binaryNumber(header.subarray(at, at + length));
  const text = header
    .toString('latin1', at, at + length)
    .replace(/(?<![\0 ])[\0 ]+$/, '')
    .trimStart();
  if (!/^[0-7]*$/.test(text)) refuseArchive('a number in it cannot be read');
  return text === '' ? 0 : Number.parseInt(text, 8);
}

function binaryNumber(bytes: Buffer): number {
  const [first = 0, ...rest] = bytes;
  const value = rest.reduce((sum, byte) => sum * 256 + byte, first & 0x7f);
  return Number.isSafeInteger(value) ? value : refuseArchive('a number in it is too large');
}

function textIn(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return nameOf(end < 0 ? field : field.subarray(0, end));
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

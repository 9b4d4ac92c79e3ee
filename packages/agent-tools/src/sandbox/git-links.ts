import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orElse, readRegularFileSync } from '@robota-sdk/agent-core';

/**
 * The paths in a working tree where the index expects another repository: `git status` at the root runs programs from
 * such a repository's configuration. Empty if the index cannot be read.
 */
export function gitLinksIn(index: string): readonly string[] {
  const version = versionOf(index);
  const last = lastRead.get(index);
  if (version === undefined) return [];
  if (last?.version === version) return last.links;
  const links = readLinks(index);
  lastRead.set(index, { version, links });
  return links;
}

/** Cached, because indexes are large, seldom change and are checked around every command. */
const lastRead = new Map<string, { readonly version: string; readonly links: readonly string[] }>();

function versionOf(index: string): string | undefined {
  try {
    const { ctimeNs, ino, size } = statSync(index, { bigint: true });
    return `${ctimeNs} ${ino} ${size}`;
  } catch {
    return undefined;
  }
}

function readLinks(index: string): readonly string[] {
  // The index does not state its hash type; with the wrong one it yields nonsense or nothing.
  return [20, 32].flatMap((hashLength) => {
    return orElse(() => linksIn(index, hashLength), []);
  });
}

const gitLinkMode = 0o160000;
const largest = 256 * 1024 * 1024;

function linksIn(file: string, hashLength: number): string[] {
  const index = readIndex(file, hashLength);
  const links = index.entries.filter(({ mode }) => mode === gitLinkMode).map(({ path }) => path);
  if (index.base === undefined) return links;
  // A split index can change the mode of base entries without naming them, so any of them may be a link.
  const base = readIndex(join(dirname(file), `sharedindex.${index.base}`), hashLength);
  return [...links, ...base.entries.map(({ path }) => path)].filter((path) => path !== '');
}

interface IndexEntry {
  readonly path: string;
  readonly mode: number;
}

interface GitIndex {
  readonly entries: readonly IndexEntry[];
  /** The name of the base index. */
  readonly base?: string;
}

function readIndex(file: string, hashLength: number): GitIndex {
  const bytes = readRegularFileSync(file);
  if (bytes.length > largest || bytes.toString('latin1', 0, 4) !== 'DIRC') return { entries: [] };
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  const entries: IndexEntry[] = [];
  let at = 12;
  let previous = '';
  for (let number = 0; number < count; number += 1) {
    const start = at;
    const mode = bytes.readUInt32BE(at + 24);
    const flags = at + 40 + hashLength;
    const isExtended = (bytes.readUInt16BE(flags) & 0x4000) !== 0;
    at = flags + (isExtended ? 4 : 2);
    let kept = '';
    if (version === 4) {
      const removed = readOffset(bytes, at);
      at = removed.next;
      kept = previous.slice(0, previous.length - removed.value);
    }
    const end = bytes.indexOf(0, at);
    const path = kept + bytes.toString('latin1', at, end);
    at = version === 4 ? end + 1 : start + Math.floor((end - start) / 8 + 1) * 8;
    previous = path;
    entries.push({ path: Buffer.from(path, 'latin1').toString('utf8'), mode });
  }
  const base = baseIn(bytes.subarray(at), hashLength);
  return base === undefined ? { entries } : { entries, base };
}

/** The number of bytes that a version 4 path does not share with the previous one. */
function readOffset(bytes: Buffer, start: number): { value: number; next: number } {
  let at = start;
  let byte = bytes.readUInt8(at);
  let value = byte & 127;
  while ((byte & 128) !== 0) {
    at += 1;
    byte = bytes.readUInt8(at);
    value = ((value + 1) << 7) | (byte & 127);
  }
  return { value, next: at + 1 };
}

/** The base index, named by an extension. */
function baseIn(extensions: Buffer, hashLength: number): string | undefined {
  for (let at = 0; at + 8 <= extensions.length - hashLength; ) {
    if (extensions.toString('latin1', at, at + 4) === 'link') {
      const base = extensions.toString('hex', at + 8, at + 8 + hashLength);
      return /^0*$/.test(base) ? undefined : base;
    }
    at += 8 + extensions.readUInt32BE(at + 4);
  }
  return undefined;
}

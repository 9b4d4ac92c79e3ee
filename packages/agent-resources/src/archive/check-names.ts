import { isReservedName } from '@robota-sdk/agent-core';
import { type ArchiveEntry, refuseArchive } from './archive-entry.ts';

const maxPart = 255;
const maxPath = 1024;
const maxDepth = 32;

/** The entries of an archive under clean relative names, without `.git`; refuses any ambiguous name. */
export function checkNames(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const seen = new Map<string, Seen>();
  return entries.flatMap((entry) => {
    const name = cleanName(entry.name);
    if (name === '') return [];
    if (name.split('/').some((part) => part.toLowerCase() === '.git')) return [];
    // Nothing can be below a link.
    claim(seen, name, entry.kind === 'directory' ? 'directory' : 'file');
    return [{ ...entry, name }];
  });
}

/** A relative path with plain parts; empty for the folder itself. */
function cleanName(name: string): string {
  const shown = JSON.stringify(name);
  if (/[\p{Cc}\p{Cf}\u2028\u2029\ufffd]/u.test(name))
    refuseArchive(`the name ${shown} has characters that can't be seen`);
  if (name.includes('\\') || name.includes(':')) refuseArchive(`the name ${shown} is not a plain path`);
  if (name.startsWith('/')) refuseArchive(`the name ${shown} is an absolute path`);
  const parts = name.replace(/\/$/, '').split('/');
  if (parts[0] === '.') parts.shift();
  for (const part of parts) {
    if (part === '..') refuseArchive(`the name ${shown} leads out of the archive`);
    if (part === '' || part === '.' || /[. ]$/.test(part))
      refuseArchive(`the name ${shown} is not a plain path`);
    if (isReservedName(part)) refuseArchive(`the name ${shown} is reserved on Windows`);
    if (Buffer.byteLength(part) > maxPart) refuseArchive('a name in it is too long');
  }
  const clean = parts.join('/');
  if (Buffer.byteLength(clean) > maxPath || parts.length > maxDepth)
    refuseArchive('a path in it is too long');
  return clean;
}

interface Seen {
  readonly name: string;
  readonly kind: 'file' | 'directory';
  /** True if it has its own entry, and is not only the folder of another one. */
  isListed: boolean;
}

/** Two entries must not share a name on any file system: a check could read one and the loader the other. */
function claim(seen: Map<string, Seen>, name: string, kind: Seen['kind']): void {
  const parts = name.split('/');
  for (let length = 1; length <= parts.length; length++) {
    const path = parts.slice(0, length).join('/');
    const isListed = length === parts.length;
    const pathKind = isListed ? kind : 'directory';
    const known = seen.get(folded(path));
    if (known) refuseClash(known, { name: path, kind: pathKind, isListed });
    if (known) known.isListed ||= isListed;
    else seen.set(folded(path), { name: path, kind: pathKind, isListed });
  }
}

function refuseClash(known: Seen, { name, kind, isListed }: Seen): void {
  if (known.name !== name) refuseArchive(`"${known.name}" and "${name}" differ only in how they are written`);
  if (known.kind !== kind || (isListed && known.isListed)) refuseArchive(`"${name}" is in it twice`);
}

function folded(path: string): string {
  return path.normalize('NFKC').toLowerCase().normalize('NFKC');
}

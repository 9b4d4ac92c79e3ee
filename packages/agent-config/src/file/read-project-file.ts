import { statSync } from 'node:fs';
import {
  isWithin,
  protectedNames,
  readRegularFileSync,
  realPathOf,
  repositoryOf,
} from '@robota-sdk/agent-core';

/** Larger files are never meant as text. */
const maxBytes = 1024 * 1024;

/**
 * The folder that holds everything a project may supply: its repository, otherwise its directory, with links
 * resolved.
 */
export function projectRoot(cwd: string): string {
  const real = realPathOf(cwd);
  return repositoryOf(real) ?? real;
}

/**
 * Reads a text that a project or its user put there for Robota. What a repository supplies lies inside `root`, also after
 * all links, because its author would otherwise choose which of the user's files are sent away. Throws an error that
 * says why it can't be read.
 */
export function readProjectFile(path: string, root: string | undefined): string {
  assertReadable(path, root);
  return decodeText(readRegularFileSync(path, { largest: maxBytes }));
}

/** Windows editors write UTF-16 with a byte order mark. */
function decodeText(bytes: Buffer): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfffe) return bytes.subarray(2).toString('utf16le');
  if (mark === 0xfeff)
    return Buffer.from(bytes.subarray(2, bytes.length & ~1))
      .swap16()
      .toString('utf16le');
  return bytes.toString('utf8');
}

/** Throws where a file is not to be read: it would never end, be far too large, or is not the project's to give. */
export function assertReadable(path: string, root: string | undefined): void {
  const refusal = refusalOf(path, root);
  if (refusal !== undefined) throw new Error(refusal);
  const found = statSync(path);
  // Of a directory, reading itself says so.
  if (!found.isFile() && !found.isDirectory()) throw new Error('it is not a regular file');
  if (found.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
}

/** Why a path that a repository supplies leads to something that is not the repository's; nothing where it does not. */
export function refusalOf(path: string, root: string | undefined): string | undefined {
  if (root === undefined) return undefined;
  const real = realPathOf(path);
  if (!isWithin(root, real)) return `it leads out of the project, to ${real}`;
  const written = path.toLowerCase().split(/[\\/]/);
  const secret = secretPart(real, root);
  return secret === undefined || written.includes(secret) ? undefined : `${secret} may hold secrets`;
}

/** The name in a path below a root that makes it a place for secrets. */
export function secretPart(real: string, root: string): string | undefined {
  return real.slice(root.length).toLowerCase().split(/[\\/]/).find(mayHoldSecrets);
}

/** Folders of agents hold instructions; what else is protected, and files of variables and keys, holds none. */
function mayHoldSecrets(name: string): boolean {
  if (/^\.(?:agents|claude|codex|continue|cursor|gemini|opencode|pi|rab|robota|windsurf|zed)$/.test(name))
    return false;
  return protectedNames.has(name) || /^\.env(?:\.|$)|\.(?:pem|key|p12|pfx)$|^id_[a-z0-9]+$/.test(name);
}

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import {
  AgentError,
  anyObject,
  isOwnerGone,
  type LockOwner,
  lazy,
  makeDirectories,
  object,
  orElse,
  ownLockOwner,
  parseJson,
  parseLockOwner,
  readRegularFileSync,
  shortHash,
  text,
  words,
} from '@robota-sdk/agent-core';
import { watchPath } from '@robota-sdk/agent-sdk/front-end';
import type { Front } from './linked-session.ts';

/** A process that can be reached for a session, with the secret that both sides have to know. */
export interface LinkRecord {
  readonly sessionId: string;
  readonly owner: LockOwner;
  readonly front: Front;
  /** The path of the socket, or the name of the pipe. */
  readonly socket: string;
  readonly secret: string;
}

const mostRecordBytes = 8192;
/** Systems take about 104 bytes for the path of a socket. */
const longestSocket = 100;
const ending = '.json';
const temporaryName = /^robota-link-[A-Za-z0-9]{6}$/;

/**
 * The folder with the sockets and secrets of processes that hold a session. It is readable by its owner alone, and hidden from
 * sandboxed commands and from the file tools.
 */
export class LinkFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Makes the folder; throws where it is not ours. */
  prepare(): void {
    makeDirectories(this.path, 0o700);
    if (!isOurs(lstatSync(this.path), 'directory'))
      throw new AgentError('config', `${this.path} is not a folder of yours. Move it away and try again.`);
    if (process.platform !== 'win32') chmodSync(this.path, 0o700);
  }

  /** Chooses an address for a socket that does not exist yet. */
  newSocket(): string {
    const name = randomBytes(8).toString('hex');
    if (process.platform === 'win32') return `\\\\.\\pipe\\robota-${randomBytes(16).toString('hex')}`;
    const path = join(this.path, `${name}.sock`);
    if (Buffer.byteLength(path) <= longestSocket) return path;
    return join(mkdtempSync(join(tmpdir(), 'robota-link-')), 's');
  }

  /** Says that this process can be reached for a session; the returned function takes it back. */
  announce(record: Omit<LinkRecord, 'owner'>): () => void {
    const file = this.#file(record.sessionId);
    const text = JSON.stringify({ ...record, owner: ownLockOwner() });
    const draft = `${file}.${randomBytes(4).toString('hex')}`;
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
    return () => {
      // A process that took the session over may have put its own there.
      if (this.#read(file)?.socket === record.socket) rmSync(file, { force: true });
      removeSocket(record.socket, this.path);
    };
  }

  /** The process to reach for a session. What a killed process left is removed. */
  find(sessionId: string): LinkRecord | undefined {
    const record = this.#read(this.#file(sessionId));
    return record?.sessionId === sessionId ? record : undefined;
  }

  /** All processes that can be reached. */
  list(): readonly LinkRecord[] {
    return namesIn(this.path)
      .filter((name) => name.endsWith(ending))
      .flatMap((name) => this.#read(join(this.path, name)) ?? []);
  }

  /** Tells of changes, until the returned function is called. */
  watch(listener: () => void): () => void {
    return watchPath(this.path, listener);
  }

  #read(file: string): LinkRecord | undefined {
    const record = readRecord(file);
    if (!record || record.owner.host !== hostname()) return undefined;
    if (!isOwnerGone(record.owner)) return record;
    rmSync(file, { force: true });
    removeSocket(record.socket, this.path);
    return undefined;
  }

  #file(sessionId: string): string {
    return join(this.path, `${shortHash(sessionId)}${ending}`);
  }
}

/** Only a file that no other user could have written is believed. */
function readRecord(file: string): LinkRecord | undefined {
  try {
    if (!isOurs(lstatSync(file), 'file') || !isOurs(lstatSync(dirname(file)), 'directory')) return undefined;
    const written = readRegularFileSync(file, { largest: mostRecordBytes }).toString('utf8');
    const record = recordShape.parse(parseJson(written));
    const owner = record && parseLockOwner(JSON.stringify(record.owner));
    return owner && { ...record, owner };
  } catch {
    return undefined;
  }
}

const recordShape = lazy(() =>
  object({
    sessionId: text,
    owner: anyObject,
    front: words('terminal', 'web'),
    socket: text,
    secret: text,
  }),
);

function isOurs(stats: Stats, kind: 'file' | 'directory'): boolean {
  if (kind === 'file' ? !stats.isFile() : !stats.isDirectory()) return false;
  if (process.getuid === undefined) return true;
  return stats.uid === process.getuid() && (kind === 'directory' || (stats.mode & 0o077) === 0);
}

/** Removes a socket where we put sockets, and nothing else that a record may name. */
function removeSocket(socket: string, folder: string): void {
  const parent = dirname(socket);
  const isTemporary = dirname(parent) === tmpdir() && temporaryName.test(basename(parent));
  if (process.platform === 'win32' || resolve(socket) !== socket || (parent !== folder && !isTemporary))
    return;
  try {
    if (lstatSync(socket, { throwIfNoEntry: false })?.isSocket()) rmSync(socket, { force: true });
    // Only an empty folder can be removed so.
    if (isTemporary) rmdirSync(parent);
  } catch {
    // It stays behind, which harms nothing.
  }
}

function namesIn(folder: string): readonly string[] {
  return orElse(() => readdirSync(folder), []);
}

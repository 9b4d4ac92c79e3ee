import { createHash } from 'node:crypto';
import { AgentError, type StateKey } from '@robota-sdk/agent-core';
import { openResolved } from './resolve-path.ts';
import { decodeText, type TextFile } from './text-file.ts';

/** Identifies a file's content: its hash, or size and modification time for files too large to hash. */
export interface FileVersion {
  readonly size: number;
  readonly changedAt: number;
  readonly hash?: string;
}

/** Records which version of each file the model last saw, so that changes by others are not overwritten. */
export class FileLedger {
  readonly #seen = new Map<string, FileVersion>();

  /** Records that the model saw or wrote this version. */
  record(real: string, version: FileVersion): void {
    this.#seen.set(real, version);
  }

  /** Marks files as changed since the model saw them. Default: all files it saw. */
  outdate(files: Iterable<string> = [...this.#seen.keys()]): void {
    for (const real of files) this.#seen.set(real, { size: -1, changedAt: -1 });
  }

  /** Compares a file's current version with the one the model last saw. */
  compare(real: string, current: FileVersion): 'unseen' | 'same' | 'changed' {
    const seen = this.#seen.get(real);
    if (!seen) return 'unseen';
    if (seen.hash !== undefined && current.hash !== undefined)
      return seen.hash === current.hash ? 'same' : 'changed';
    return seen.size === current.size && seen.changedAt === current.changedAt ? 'same' : 'changed';
  }
}

/** The ledger of a session. */
export const fileLedger: StateKey<FileLedger> = { name: 'file-ledger', create: () => new FileLedger() };

/** The version of a file whose bytes are loaded. */
export function versionOf(bytes: Uint8Array, changedAt: number): FileVersion {
  return { size: bytes.length, changedAt, hash: createHash('sha256').update(bytes).digest('hex') };
}

/** A text file as it is on disk. */
export interface StoredText extends TextFile {
  readonly version: FileVersion;
}

// Text of this size fits into memory several times.
const maxTextBytes = 100 * 1024 * 1024;

/** Reads a whole text file before a change; undefined if it does not exist. */
export async function readStoredText(real: string): Promise<StoredText | undefined> {
  const handle = await openResolved(real).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined;
    throw thrown;
  });
  if (!handle) return undefined;
  try {
    const { size, mtimeMs } = await handle.stat();
    if (size > maxTextBytes) {
      throw new AgentError(
        'tool',
        `The file has ${size} bytes, too many to change here. Use Bash with sed or a script.`,
      );
    }
    const bytes = await handle.readFile();
    const text = decodeText(bytes);
    if (!text) {
      throw new AgentError(
        'tool',
        'BinaryFile: the file is binary and was left alone. To replace it, delete it first.',
        { brief: 'binary file' },
      );
    }
    return { ...text, version: versionOf(bytes, mtimeMs) };
  } finally {
    await handle.close();
  }
}

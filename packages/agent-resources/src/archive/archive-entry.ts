import { AgentError } from '@robota-sdk/agent-core';

/** A file, a folder or a link in an archive; a link is unpacked as a copy of its target. */
export interface ArchiveEntry {
  /** As in the archive. */
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link';
  /** The target of a link. */
  readonly target?: string;
  readonly isExecutable: boolean;
  readonly content: Buffer;
}

/** Limits of an archive's contents. */
export interface ArchiveLimits {
  readonly maxFiles: number;
  /** Bytes of all files together, unpacked. */
  readonly maxBytes: number;
}

export const archiveLimits: ArchiveLimits = { maxFiles: 10_000, maxBytes: 128 * 1024 * 1024 };

/** An archive with any problem is refused completely. */
export function refuseArchive(problem: string): never {
  throw new AgentError('config', `The archive was refused: ${problem}. Nothing was unpacked.`);
}

/** Names must be UTF-8; others could be read differently by different programs. */
export function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuseArchive('it has a name that is not UTF-8');
  }
}

/** Counts what is read from an archive. */
export class ArchiveMeter {
  readonly #limits: ArchiveLimits;
  #files = 0;
  #bytes = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  /** Remaining bytes. */
  get room(): number {
    return this.#limits.maxBytes - this.#bytes;
  }

  add(bytes: number): void {
    this.#files++;
    this.#bytes += bytes;
    if (this.#files > this.#limits.maxFiles)
      refuseArchive(`it has more than ${this.#limits.maxFiles} entries`);
    if (this.room < 0) refuseArchive(`it unpacks to more than ${this.#limits.maxBytes} bytes`);
  }
}

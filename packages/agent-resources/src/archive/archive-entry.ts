import { AgentError } from '@robota-sdk/agent-core';

/** A file, a folder or a link in an archive; a link is unpacked as a copy of what it leads to. */
export interface ArchiveEntry {
  /** As it stands in the archive. */
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link';
  /** The target of a link. */
  readonly target?: string;
  readonly isExecutable: boolean;
  readonly content: Buffer;
}

/** How much an archive may hold. */
export interface ArchiveLimits {
  readonly maxFiles: number;
  /** Bytes of all files together, unpacked. */
  readonly maxBytes: number;
}

export const archiveLimits: ArchiveLimits = { maxFiles: 10_000, maxBytes: 128 * 1024 * 1024 };

/** Nothing of an archive with something wrong in it is used. */
export function refuseArchive(problem: string): never {
  throw new AgentError('config', `The archive is refused: ${problem}. Nothing of it was kept.`);
}

/** Names are UTF-8 everywhere; what is not could mean different things to different readers. */
export function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuseArchive('it has a name that is not UTF-8');
  }
}

/** Counts what comes out of an archive while it is read. */
export class ArchiveMeter {
  readonly #limits: ArchiveLimits;
  #files = 0;
  #bytes = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  /** Room that is left, in bytes. */
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

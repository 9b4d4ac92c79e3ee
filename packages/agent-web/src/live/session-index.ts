import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { AgentError, errorMessage } from '@robota-sdk/agent-core';
import {
  decodeLine,
  type Entry,
  EntryTree,
  type Fact,
  FileTail,
  type LinePosition,
  type SessionHeader,
} from '@robota-sdk/agent-sessions';
import { SessionDigest } from './session-digest.ts';

/** A line of a session's file that is no header: an entry, or a fact about the session. */
export type IndexedLine =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'fact'; readonly fact: Fact };

/** Bytes of the entries that were read last, of a session that grows: pages ask for them at once. */
const mostRecentBytes = 256 * 1024;

/**
 * The file of a session, read as far as it goes and further on request. Its lines can be had by their position; entries are
 * read again from the file, so that a long session takes little memory.
 */
export class SessionIndex {
  readonly file: string;
  readonly #tree = new EntryTree((place) => this.#readEntry(place));
  readonly #digest = new SessionDigest(this.#tree);
  readonly #tail: FileTail;
  #header: SessionHeader | undefined;
  readonly #facts = new Map<string, Fact>();
  readonly #recent = new Map<string, Entry>();
  #recentBytes = 0;
  #isFollowed = false;
  #reading: Promise<void> | undefined;
  #isReading = false;
  #again = false;

  constructor(file: string) {
    this.file = file;
    this.#tail = new FileTail(file);
  }

  get tree(): EntryTree {
    return this.#tree;
  }

  get digest(): SessionDigest {
    return this.#digest;
  }

  get header(): SessionHeader | undefined {
    return this.#header;
  }

  /** True if the file has nothing that was not read. */
  get isRead(): boolean {
    return this.#tail.isAtEnd(statSync(this.file, { throwIfNoEntry: false }));
  }

  /** How many lines were read. */
  get length(): number {
    return this.#tree.size;
  }

  /** The id of the last line; empty without one. */
  get lastId(): string {
    return this.#tree.idAt(this.#tree.size - 1) ?? '';
  }

  /** The position of a line; undefined if the file has no such line. */
  positionOf(id: string): number | undefined {
    return this.#tree.numberOf(id);
  }

  /** Reads the lines that were added since the last time. Throws if the file is gone or became shorter. */
  refresh(): Promise<void> {
    if (this.#reading !== undefined) {
      this.#again = true;
      return this.#reading;
    }
    const reading = this.#readOn();
    // It may have failed already.
    if (this.#isReading) this.#reading = reading;
    return reading;
  }

  /** The line at a position. */
  line(position: number): IndexedLine | undefined {
    const id = this.#tree.idAt(position);
    if (id === undefined) return undefined;
    const fact = this.#facts.get(id);
    if (fact) return { kind: 'fact', fact };
    const entry = this.#recent.get(id) ?? this.#tree.entry(id);
    return entry && { kind: 'entry', entry };
  }

  /** Entries by their ids; those that cannot be read are left out. */
  entries(ids: readonly string[]): Entry[] {
    return ids.flatMap((id) => this.#tree.entry(id) ?? []);
  }

  #readEntry({ offset, bytes }: LinePosition): Entry | undefined {
    const buffer = Buffer.allocUnsafe(bytes);
    try {
      const file = openSync(this.file, 'r');
      try {
        readSync(file, buffer, 0, bytes, offset);
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
    const line = decodeLine(buffer.toString('utf8'));
    return line.kind === 'entry' ? line.entry : undefined;
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    this.#recent.clear();
    this.#recentBytes = 0;
    try {
      do {
        this.#again = false;
        const handle = await openSession(this.file);
        try {
          for await (const { line, ...place } of this.#tail.read(handle)) {
            if (line.kind === 'header') this.#header ??= line.header;
            else if (line.kind === 'fact') this.#takeFact(line.fact);
            else if (line.kind === 'entry') this.#takeEntry(line.entry, place);
          }
        } finally {
          await handle.close();
        }
      } while (this.#again);
      this.#isFollowed = true;
    } finally {
      // In the same step as the last look at `#again`, so that no request is missed.
      this.#isReading = false;
      this.#reading = undefined;
    }
  }

  #takeFact(fact: Fact): void {
    this.#tree.addFact(fact);
    if (fact.type === 'leaf') this.#digest.branchChanged();
    this.#facts.set(fact.id, fact);
  }

  #takeEntry(entry: Entry, { offset, bytes }: LinePosition): void {
    if (entry.parentId !== this.#tree.leafId) this.#digest.branchChanged();
    // Those of older formats cannot be read alone, so the tree holds them.
    const isPlaced = this.#header !== undefined && this.#tail.isPresentFormat;
    this.#tree.addEntry(entry, isPlaced ? { bytes, offset } : { bytes });
    this.#digest.take(entry, this.#tree.size);
    if (!this.#isFollowed) return;
    this.#recentBytes += bytes;
    if (this.#recentBytes <= mostRecentBytes) this.#recent.set(entry.id, entry);
  }
}

async function openSession(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r');
  } catch (thrown) {
    throw new AgentError('session', `The session cannot be read: ${errorMessage(thrown)}.`, {
      cause: thrown,
    });
  }
}

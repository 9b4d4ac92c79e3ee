import { type FileHandle, open } from 'node:fs/promises';
import { AgentError, errorMessage } from '@robota-sdk/agent-core';
import {
  decodeLine,
  type Entry,
  EntryTree,
  type Fact,
  formatVersion,
  LineMigrator,
  LineSplitter,
  type SessionHeader,
  textOfLine,
} from '@robota-sdk/agent-sessions';
import { SessionDigest } from './session-digest.ts';

/** A line of a session's file that is no header: an entry, or a fact about the session. */
export type IndexedLine =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'fact'; readonly fact: Fact };

const chunkBytes = 1024 * 1024;
const lineFeedBytes = 1;

/**
 * The file of a session, read as far as it goes and further on request. Its lines can be had by their position; entries are
 * read again from the file, so that a long session takes little memory.
 */
export class SessionIndex {
  readonly file: string;
  #tree = new EntryTree();
  #digest = new SessionDigest();
  #header: SessionHeader | undefined;
  #migrator = new LineMigrator();
  /** The ids of lines, in the order of the file. */
  #ids: string[] = [];
  #positions = new Map<string, number>();
  #facts = new Map<string, Fact>();
  #places = new Map<string, { readonly offset: number; readonly bytes: number }>();
  /** Entries of older formats, which cannot be read alone. */
  #held = new Map<string, Entry>();
  #end = 0;
  #isFirst = true;
  #reading: Promise<void> | undefined;
  #isReading = false;
  #again = false;

  constructor(file: string) {
    this.file = file;
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

  /** How many bytes of the file were read, in whole lines. */
  get bytes(): number {
    return this.#end;
  }

  /** How many lines were read. */
  get length(): number {
    return this.#ids.length;
  }

  /** The id of the last line; empty without one. */
  get lastId(): string {
    return this.#ids.at(-1) ?? '';
  }

  /** The position of a line; undefined if the file has no such line. */
  positionOf(id: string): number | undefined {
    return this.#positions.get(id);
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
  async line(position: number): Promise<IndexedLine | undefined> {
    const id = this.#ids[position];
    if (id === undefined) return undefined;
    const fact = this.#facts.get(id);
    if (fact) return { kind: 'fact', fact };
    const [entry] = await this.entries([id]);
    return entry && { kind: 'entry', entry };
  }

  /** Entries by their ids; those that cannot be read are left out. */
  async entries(ids: readonly string[]): Promise<Entry[]> {
    const handle = ids.some((id) => !this.#held.has(id)) ? await openSession(this.file) : undefined;
    try {
      const found: Entry[] = [];
      for (const id of ids) {
        const entry = this.#held.get(id) ?? (handle && (await this.#readEntry(handle, id)));
        if (entry) found.push(entry);
      }
      return found;
    } finally {
      await handle?.close();
    }
  }

  async #readEntry(handle: FileHandle, id: string): Promise<Entry | undefined> {
    const place = this.#places.get(id);
    if (!place) return undefined;
    const bytes = Buffer.alloc(place.bytes);
    await handle.read(bytes, 0, place.bytes, place.offset);
    const line = decodeLine(bytes.toString('utf8'));
    return line.kind === 'entry' && line.entry.id === id ? line.entry : undefined;
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    try {
      do {
        this.#again = false;
        const handle = await openSession(this.file);
        try {
          await this.#readFrom(handle);
        } finally {
          await handle.close();
        }
      } while (this.#again);
    } finally {
      // In the same step as the last look at `#again`, so that no request is missed.
      this.#isReading = false;
      this.#reading = undefined;
    }
  }

  async #readFrom(handle: FileHandle): Promise<void> {
    const { size } = await handle.stat();
    if (size < this.#end) throw new AgentError('session', `${this.file} became shorter while it was read.`);
    const splitter = new LineSplitter();
    let position = this.#end;
    while (position < size) {
      // A chunk of its own, since lines share its memory until they are read.
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size - position));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      for (const bytes of splitter.push(buffer.subarray(0, bytesRead))) {
        this.#take(bytes, this.#end);
        this.#end += bytes.length + lineFeedBytes;
      }
    }
  }

  #take(bytes: Buffer, offset: number): void {
    const text = textOfLine(bytes, { isFirst: this.#isFirst });
    this.#isFirst = false;
    if (text === undefined || text.trim() === '') return;
    const line = decodeLine(text, this.#migrator);
    if (line.kind === 'problem') return;
    if (line.kind === 'header') {
      this.#header ??= line.header;
      return;
    }
    if (line.kind === 'fact') {
      this.#tree.addFact(line.fact);
      this.#facts.set(line.fact.id, line.fact);
      this.#note(line.fact.id);
      return;
    }
    const { entry } = line;
    this.#tree.addEntry(entry, { bytes: bytes.length, offset });
    if (this.#migrator.version < formatVersion || !this.#header) this.#held.set(entry.id, entry);
    else this.#places.set(entry.id, { offset, bytes: bytes.length });
    this.#digest.take(entry, this.#ids.length);
    this.#note(entry.id);
  }

  #note(id: string): void {
    this.#positions.set(id, this.#ids.length);
    this.#ids.push(id);
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

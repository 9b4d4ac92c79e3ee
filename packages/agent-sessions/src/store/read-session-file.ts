import { type FileHandle, open } from 'node:fs/promises';
import { decodeLine } from '../entry/codec.ts';
import { formatVersion, type SessionHeader } from '../entry/entry.ts';
import { LineMigrator } from '../entry/migrate.ts';
import { EntryTree } from '../entry/tree.ts';
import { LineSplitter, textOfLine } from './line-splitter.ts';
import { readingProblem, type SessionProblem } from './session-problem.ts';
import { StoredLines } from './stored-lines.ts';

/** The content of a session's file, and its problems. */
export interface SessionContent {
  readonly header: SessionHeader | undefined;
  /** Of the lines in the file; older ones are migrated while reading. */
  readonly version: number;
  /** Valid lines of a kind that does not belong in the tree, as written. */
  readonly foreignLines: readonly string[];
  readonly tree: EntryTree;
  readonly problems: readonly SessionProblem[];
  readonly size: number;
  /** The bytes after the last line feed; `torn` if they are not a line. */
  readonly tail: { readonly offset: number; readonly torn: boolean } | undefined;
  /** True if there is only white space. */
  readonly isEmpty: boolean;
  /** Releases the file that entries are read from again. */
  release(): void;
}

export interface ReadSessionOptions {
  /** Entries of larger files are not kept in memory, but read again on demand. */
  readonly heldBytes?: number;
}

const chunkBytes = 1024 * 1024;
const defaultHeldBytes = 4 * 1024 * 1024;

/** Reads a session's file once, in chunks. Only damaged lines are lost. */
export async function readSessionFile(
  file: string,
  { heldBytes = defaultHeldBytes }: ReadSessionOptions = {},
): Promise<SessionContent> {
  const handle = await open(file, 'r');
  let stored: StoredLines | undefined;
  try {
    if ((await handle.stat()).size > heldBytes) stored = new StoredLines(file);
    const reader = new LineReader(stored);
    await reader.readAll(handle);
    return reader.content();
  } catch (error) {
    stored?.close();
    throw error;
  } finally {
    await handle.close();
  }
}

/** Builds a session out of lines, as `readSessionFile` does out of a file. */
export function readSessionLines(lines: readonly string[]): SessionContent {
  const reader = new LineReader();
  for (const line of lines) reader.addLine(Buffer.from(line), 0);
  return reader.content();
}

class LineReader {
  readonly #stored: StoredLines | undefined;
  readonly #tree: EntryTree;
  #header: SessionHeader | undefined;
  #size = 0;
  #lines = 0;
  #bad = 0;
  readonly #migrator = new LineMigrator();
  readonly #foreign: string[] = [];
  #tail: SessionContent['tail'];

  constructor(stored?: StoredLines) {
    this.#stored = stored;
    this.#tree = new EntryTree(stored?.read);
  }

  async readAll(handle: FileHandle): Promise<void> {
    // Most sessions are small; a large buffer for each would strain the garbage collector.
    const { size } = await handle.stat();
    const buffer = Buffer.allocUnsafe(Math.min(size + 1, chunkBytes));
    const splitter = new LineSplitter();
    let offset = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, this.#size);
      if (bytesRead === 0) break;
      for (const line of splitter.push(buffer.subarray(0, bytesRead))) {
        this.addLine(line, offset);
        offset += line.length + 1;
      }
      this.#size += bytesRead;
    }
    const rest = splitter.rest();
    if (rest) this.#addTail(rest);
  }

  addLine(bytes: Buffer, offset: number): void {
    const used = this.#take(bytes, offset);
    if (!used) this.#bad++;
  }

  content(): SessionContent {
    const problems: SessionProblem[] = [];
    if (this.#bad > 0) problems.push(readingProblem('bad-line', this.#bad));
    if (this.#foreign.length > 0) problems.push(readingProblem('foreign-line', this.#foreign.length));
    if (!this.#header && this.#lines > 0) {
      const message = 'The first line, with the time and directory of the session, is missing.';
      problems.push({ code: 'no-header', count: 1, message });
    }
    return {
      header: this.#header,
      version: this.#migrator.version,
      foreignLines: this.#foreign,
      tree: this.#tree,
      problems,
      size: this.#size,
      tail: this.#tail,
      isEmpty: this.#lines === 0,
      release: () => this.#stored?.close(),
    };
  }

  #addTail(bytes: Buffer): void {
    const offset = this.#size - bytes.length;
    this.#tail = { offset, torn: !this.#take(bytes, offset) };
  }

  /** The meaning of older lines depends on those before them. */
  get #canReadAgain(): boolean {
    return (
      this.#stored !== undefined && this.#header !== undefined && this.#migrator.version >= formatVersion
    );
  }

  /** True if the line could be read; blank ones can. */
  #take(bytes: Buffer, offset: number): boolean {
    const text = textOfLine(bytes, { isFirst: this.#lines === 0 });
    if (text === undefined) {
      this.#lines++;
      return false;
    }
    if (text.trim() === '') return true;
    this.#lines++;
    const line = decoded(text, this.#migrator);
    if (!line) return false;
    switch (line.kind) {
      case 'header':
        this.#header ??= line.header;
        return true;
      case 'entry':
        this.#tree.addEntry(line.entry, {
          bytes: bytes.length,
          ...(this.#canReadAgain ? { offset } : {}),
        });
        return true;
      case 'fact':
        this.#tree.addFact(line.fact);
        return true;
      case 'problem':
        if (line.reason === 'foreign') this.#foreign.push(text);
        return line.reason === 'foreign';
    }
  }
}

/** A line with too deeply nested values counts as damaged. */
function decoded(text: string, migrator: LineMigrator): ReturnType<typeof decodeLine> | undefined {
  try {
    return decodeLine(text, migrator);
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { decodeLine } from '../entry/codec.ts';
import type { SessionHeader } from '../entry/entry.ts';
import { EntryTree } from '../entry/tree.ts';
import { readingProblem, type SessionProblem } from './session-problem.ts';

/** Everything a session's file says, and what is wrong with it. */
export interface SessionContent {
  readonly header: SessionHeader | undefined;
  readonly tree: EntryTree;
  readonly problems: readonly SessionProblem[];
  readonly size: number;
  /** The bytes behind the last line feed; `torn` if they are no line. */
  readonly tail: { readonly offset: number; readonly torn: boolean } | undefined;
  /** Nothing but blank space. */
  readonly isEmpty: boolean;
}

const chunkBytes = 1024 * 1024;
const lineFeed = 0x0a;

/** Reads a session's file once, piece by piece. Damage costs the damaged lines and nothing else. */
export async function readSession(file: string): Promise<SessionContent> {
  const reader = new LineReader();
  const handle = await open(file, 'r');
  try {
    await reader.readAll(handle);
  } finally {
    await handle.close();
  }
  return reader.content();
}

/** Builds a session out of lines, as `readSession` does out of a file. */
export function readLines(lines: readonly string[]): SessionContent {
  const reader = new LineReader();
  for (const line of lines) reader.addLine(Buffer.from(line));
  return reader.content();
}

class LineReader {
  readonly #tree = new EntryTree();
  #header: SessionHeader | undefined;
  #size = 0;
  #lines = 0;
  #bad = 0;
  #foreign = 0;
  #tail: SessionContent['tail'];

  async readAll(handle: FileHandle): Promise<void> {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let carried: Buffer[] = [];
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes, this.#size);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        const piece = chunk.subarray(start, end);
        this.addLine(carried.length === 0 ? piece : Buffer.concat([...carried, piece]));
        carried = [];
        start = end + 1;
      }
      if (start < bytesRead) carried.push(Buffer.from(chunk.subarray(start)));
      this.#size += bytesRead;
    }
    if (carried.length > 0) this.#addTail(Buffer.concat(carried));
  }

  addLine(bytes: Buffer): void {
    const used = this.#take(bytes);
    if (!used) this.#bad++;
  }

  content(): SessionContent {
    const problems: SessionProblem[] = [];
    if (this.#bad > 0) problems.push(readingProblem('bad-line', this.#bad));
    if (this.#foreign > 0) problems.push(readingProblem('foreign-line', this.#foreign));
    if (!this.#header && this.#lines > 0) {
      const message = 'The first line, which says when and where the session began, is missing.';
      problems.push({ code: 'no-header', count: 1, message });
    }
    return {
      header: this.#header,
      tree: this.#tree,
      problems,
      size: this.#size,
      tail: this.#tail,
      isEmpty: this.#lines === 0,
    };
  }

  #addTail(bytes: Buffer): void {
    const torn = !this.#take(bytes);
    this.#tail = { offset: this.#size - bytes.length, torn };
  }

  /** Whether the line could be read; blank ones can. */
  #take(bytes: Buffer): boolean {
    const text = this.#decode(bytes);
    if (text === undefined) {
      this.#lines++;
      return false;
    }
    if (text.trim() === '') return true;
    this.#lines++;
    const line = decodeLine(text);
    switch (line.kind) {
      case 'header':
        this.#header ??= line.header;
        return true;
      case 'entry':
        this.#tree.addEntry(line.entry);
        return true;
      case 'fact':
        this.#tree.addFact(line.fact);
        return true;
      case 'problem':
        if (line.reason === 'foreign') this.#foreign++;
        return line.reason === 'foreign';
    }
  }

  /** Bytes that are no UTF-8 are never turned into replacement characters. */
  #decode(bytes: Buffer): string | undefined {
    if (!isUtf8(bytes)) return undefined;
    try {
      const text = bytes.toString('utf8');
      return this.#lines === 0 ? text.replace(/^\uFEFF/, '') : text;
    } catch {
      return undefined;
    }
  }
}

import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync, statSync } from 'node:fs';
import { AgentError, errorMessage, openRegularFileSync, orElse } from '@robota-sdk/agent-core';
import { LineSplitter, textOfLine } from '@robota-sdk/agent-sessions';

/** The position of a line in a file. */
export interface LineSpan {
  readonly offset: number;
  readonly length: number;
}

/** A line with its place; `text` is absent where the bytes are no UTF-8 or too many. */
export interface SourceLine {
  readonly span: LineSpan;
  readonly text: string | undefined;
}

const chunkBytes = 1024 * 1024;
/** Maximum length of a line; JavaScript strings are hardly longer. */
const longestLine = 256 * 1024 * 1024;

/**
 * Another program's file, open for reading and for nothing else. It may be written to meanwhile: what was there at the
 * beginning is all that is ever read.
 */
export class SourceFile {
  readonly path: string;
  readonly size: number;
  readonly modified: Date;
  /** Undefined where the content is in memory. */
  readonly #fd: number | undefined;
  readonly #content: Buffer | undefined;

  /** Opens a file; `content` stands for what several files or a database hold. */
  constructor(path: string, content?: string) {
    this.path = path;
    if (content !== undefined) {
      this.#content = Buffer.from(content);
      this.size = this.#content.length;
      this.modified = new Date(0);
      return;
    }
    // Opening a pipe would block until it is written to.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
      throw new AgentError('session', `${path} is not a regular file, so there is no session in it.`);
    const fd = openForReading(path);
    const stat = fstatSync(fd);
    this.#fd = fd;
    this.size = stat.size;
    this.modified = stat.mtime;
  }

  /** Every line, piece by piece. */
  *lines(): Generator<SourceLine> {
    const splitter = new LineSplitter();
    let offset = 0;
    const take = (bytes: Buffer): SourceLine => {
      const line = { span: { offset, length: bytes.length }, text: textOf(bytes) };
      offset += bytes.length + 1;
      return line;
    };
    for (const chunk of this.#chunks()) for (const bytes of splitter.push(chunk)) yield take(bytes);
    const rest = splitter.rest();
    if (rest) yield take(rest);
  }

  /** The text at a place; nothing where it can't be read any more. */
  textAt({ offset, length }: LineSpan): string | undefined {
    const buffer = Buffer.allocUnsafe(length);
    return orElse(
      () => (this.#read(buffer, length, offset) === length ? textOf(buffer) : undefined),
      undefined,
    );
  }

  /** The first bytes. */
  bytes(count: number): Buffer {
    const buffer = Buffer.alloc(Math.min(count, this.size));
    return buffer.length === 0 ? buffer : this.#readInto(buffer, 0);
  }

  /** The SHA-256 of the content, by which a second import is noticed. */
  hash(): string {
    const hash = createHash('sha256');
    for (const chunk of this.#chunks()) hash.update(chunk);
    return hash.digest('hex');
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
  }

  #read(buffer: Buffer, length: number, offset: number): number {
    if (this.#fd !== undefined) return readSync(this.#fd, buffer, 0, length, offset);
    return this.#content?.copy(buffer, 0, offset, offset + length) ?? 0;
  }

  /** Each chunk lies in the same memory and is gone with the next. */
  *#chunks(): Generator<Buffer> {
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, this.size));
    for (let position = 0; position < this.size; ) {
      const chunk = this.#readInto(buffer, position);
      if (chunk.length === 0) return;
      position += chunk.length;
      yield chunk;
    }
  }

  #readInto(buffer: Buffer, position: number): Buffer {
    try {
      const wanted = Math.min(buffer.length, this.size - position);
      return buffer.subarray(0, this.#read(buffer, wanted, position));
    } catch (error) {
      throw new AgentError('session', `${this.path} can't be read: ${errorMessage(error)}.`, {
        cause: error,
      });
    }
  }
}

function openForReading(path: string): number {
  try {
    return openRegularFileSync(path);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const why = isMissing ? 'No such file.' : `${errorMessage(error)}.`;
    throw new AgentError('session', `${path} can't be opened. ${why}`, { cause: error });
  }
}

function textOf(bytes: Buffer): string | undefined {
  return bytes.length > longestLine ? undefined : textOfLine(bytes, { isFirst: true });
}

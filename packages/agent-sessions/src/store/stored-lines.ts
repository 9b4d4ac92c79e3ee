import { closeSync, openSync, readSync } from 'node:fs';
import { decodeLine } from '../entry/codec.ts';
import type { Entry } from '../entry/entry.ts';
import type { LinePosition } from '../entry/tree.ts';
import { textOfLine } from './line-splitter.ts';

const windowBytes = 256 * 1024;

/** Reads entries again from a session's file. Adjacent ones are often read together, so a chunk is cached. */
export class StoredLines {
  readonly #file: string;
  #fd: number | undefined;
  #window = Buffer.alloc(0);
  #start = 0;

  constructor(file: string) {
    this.#file = file;
    // Stays open, so that entries can be read again even if the file is renamed or deleted.
    this.#fd = openSync(file, 'r');
  }

  readonly read = (place: LinePosition): Entry | undefined => {
    const text = textOfLine(this.#bytesAt(place), { isFirst: false });
    const line = text === undefined ? undefined : decodeLine(text);
    return line?.kind === 'entry' ? line.entry : undefined;
  };

  /** Closes the file; the next read opens it again. */
  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#window = Buffer.alloc(0);
  }

  #bytesAt({ offset, bytes }: LinePosition): Buffer {
    const isInside = offset >= this.#start && offset + bytes <= this.#start + this.#window.length;
    if (!isInside) this.#moveTo(offset, bytes);
    return this.#window.subarray(offset - this.#start, offset - this.#start + bytes);
  }

  /** Backward reads need the bytes before the offset. */
  #moveTo(offset: number, bytes: number): void {
    const goesBack = this.#window.length > 0 && offset < this.#start;
    const length = Math.max(bytes, windowBytes);
    const start = goesBack ? Math.max(0, offset + bytes - length) : offset;
    this.#fill(start, length);
    this.#start = start;
  }

  #fill(start: number, length: number): void {
    const isOpen = this.#fd !== undefined;
    const fd = this.#fd ?? openSync(this.#file, 'r');
    try {
      const buffer = Buffer.allocUnsafe(length);
      let read = 0;
      for (let count = -1; count !== 0 && read < length; read += count)
        count = readSync(fd, buffer, read, length - read, start + read);
      this.#window = buffer.subarray(0, read);
    } finally {
      if (!isOpen) closeSync(fd);
    }
  }
}

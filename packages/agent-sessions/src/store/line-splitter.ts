import { isUtf8 } from 'node:buffer';

const lineFeed = 0x0a;

/** Splits a stream of bytes into lines; an incomplete line is carried over to the next chunk. */
export class LineSplitter {
  #carried: Buffer[] = [];

  /** The lines a chunk completes, without their line feeds. They may share the chunk's memory. */
  *push(chunk: Buffer): Generator<Buffer> {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      const line = this.#carried.length === 0 ? piece : Buffer.concat([...this.#carried, piece]);
      this.#carried = [];
      yield line;
    }
    if (start < chunk.length) this.#carried.push(Buffer.from(chunk.subarray(start)));
  }

  /** The bytes after the last line feed. */
  rest(): Buffer | undefined {
    return this.#carried.length === 0 ? undefined : Buffer.concat(this.#carried);
  }

  /** Forgets them. */
  reset(): void {
    this.#carried = [];
  }
}

/** The text of a line. Invalid UTF-8 is never turned into replacement characters. */
export function textOfLine(bytes: Buffer, { isFirst }: { readonly isFirst: boolean }): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    const text = bytes.toString('utf8');
    return isFirst ? text.replace(/^\uFEFF/, '') : text;
  } catch {
    // A line longer than the longest string of this engine.
    return undefined;
  }
}

import { deserialize, serialize } from 'node:v8';

/** A message as bytes: its length, then its content. */
export function frameOf(value: unknown): Buffer {
  const content = serialize(value);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(content.length);
  return Buffer.concat([head, content]);
}

/** The number of bytes that the content of a frame has. */
export function lengthOf(head: Uint8Array): number {
  return Buffer.from(head.buffer, head.byteOffset, 4).readUInt32LE();
}

/** Decodes the content of a frame. */
export function frameContent(bytes: Uint8Array): unknown {
  return deserialize(bytes);
}

/** Puts messages together from the pieces in which a pipe hands them over. */
export class FrameReader {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #size = 0;
  #wanted: number | undefined;

  constructor({ maxBytes }: { readonly maxBytes: number }) {
    this.#maxBytes = maxBytes;
  }

  /** The messages that are complete now. Throws where one is larger than it may be. */
  push(piece: Buffer): unknown[] {
    this.#pieces.push(piece);
    this.#size += piece.length;
    const messages: unknown[] = [];
    for (;;) {
      if (this.#wanted === undefined) {
        if (this.#size < 4) return messages;
        this.#wanted = lengthOf(this.#take(4));
        if (this.#wanted > this.#maxBytes) throw new Error(`a message has more than ${this.#maxBytes} bytes`);
      }
      if (this.#size < this.#wanted) return messages;
      messages.push(frameContent(this.#take(this.#wanted)));
      this.#wanted = undefined;
    }
  }

  #take(count: number): Buffer {
    // Joined only when enough is there: each byte is copied once or twice, however small the pieces are.
    const all = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    const bytes = all ?? Buffer.alloc(0);
    this.#pieces = [bytes.subarray(count)];
    this.#size -= count;
    return bytes.subarray(0, count);
  }
}

const leastBytes = 16 * 1024;
const growth = 2;

/** Bytes that only grow at their end. What was given out stays as it is: more is written behind it, or elsewhere. */
export class GrowingBytes {
  #buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    const start = this.#extend(bytes.length);
    this.#buffer.set(bytes, start);
  }

  /** Adds a text in UTF-8, without bytes of its own in between. */
  appendText(text: string): void {
    const length = Buffer.byteLength(text);
    const start = this.#extend(length);
    this.#buffer.write(text, start, length);
  }

  /** All bytes so far, in the memory they are kept in. */
  view(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** The first bytes, in memory of their own. */
  copy(length: number): GrowingBytes {
    const copy = new GrowingBytes();
    copy.append(this.#buffer.subarray(0, length));
    return copy;
  }

  /** Makes room at the end; returns where it begins. */
  #extend(bytes: number): number {
    const start = this.#length;
    this.#length += bytes;
    if (this.#length > this.#buffer.length) this.#growTo(this.#length, start);
    return start;
  }

  #growTo(length: number, used: number): void {
    const buffer = Buffer.allocUnsafeSlow(Math.max(leastBytes, Math.ceil(length * growth)));
    buffer.set(this.#buffer.subarray(0, used));
    this.#buffer = buffer;
  }
}

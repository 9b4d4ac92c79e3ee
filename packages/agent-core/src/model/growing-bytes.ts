const leastBytes = 16 * 1024;
const growth = 1.5;

/** Bytes that only grow at their end. What was given out stays as it is: more is written behind it, or elsewhere. */
export class GrowingBytes {
  #buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#buffer.length) this.#growTo(length);
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
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

  #growTo(length: number): void {
    const buffer = Buffer.allocUnsafeSlow(Math.max(leastBytes, Math.ceil(length * growth)));
    buffer.set(this.view());
    this.#buffer = buffer;
  }
}

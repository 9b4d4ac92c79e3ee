/** Reads the numbers, names and types of a core module, one after the other. */
export class ModuleReader {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  byte(): number {
    const value = this.bytes[this.at++];
    if (value === undefined) throw new Error('it ends in the middle of a module');
    return value;
  }

  /** Unsigned LEB128; what is beyond whole numbers counts as too much, not as little. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
      if (shift > 63) throw new Error('a number in it is too long');
    }
  }

  name(): string {
    const length = this.number();
    const start = this.at;
    this.at += length;
    if (this.at > this.bytes.length) throw new Error('it ends in the middle of a module');
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, length).toString('latin1');
  }

  /** Most types are one byte, typed references a byte and a number. */
  valueType(): number {
    const first = this.byte();
    if (first === 0x63 || first === 0x64) this.number();
    return first;
  }

  limits(): { readonly flags: number; readonly minimum: number; readonly maximum: number | undefined } {
    const flags = this.number();
    return { flags, minimum: this.number(), maximum: flags & 1 ? this.number() : undefined };
  }

  count(): number {
    const count = this.number();
    if (count > 1000) throw new Error('it has more than 1000 tables or memories');
    return count;
  }
}

type Numbers = Uint32Array | Uint8Array;

const firstLength = 16;
const partBits = 12;
const partLength = 2 ** partBits;

/** A list of numbers in compact form. It grows in parts, so that a long list is never copied and has no spare room. */
export class NumberColumn {
  readonly #create: (length: number) => Numbers;
  readonly #parts: Numbers[] = [];
  #length = 0;

  constructor(create: (length: number) => Numbers) {
    this.#create = create;
  }

  get length(): number {
    return this.#length;
  }

  /** Undefined outside of the list. */
  at(index: number): number | undefined {
    return index < this.#length ? this.#parts[index >> partBits]?.[index % partLength] : undefined;
  }

  set(index: number, value: number): void {
    const part = this.#parts[index >> partBits];
    if (part) part[index % partLength] = value;
  }

  push(value: number): void {
    const number = this.#length >> partBits;
    const index = this.#length % partLength;
    const part = this.#parts[number];
    if (index === (part?.length ?? 0)) {
      const larger = this.#create(Math.max(firstLength, 2 * index));
      if (part) larger.set(part);
      this.#parts[number] = larger;
    }
    this.set(this.#length++, value);
  }
}

type Numbers = Int32Array | Uint32Array | Uint8Array | Float64Array;

const firstLength = 16;
const growth = 1.5;

/** A list of numbers in the bytes that they need; an array takes eight for each. */
export class NumberColumn {
  readonly #create: (length: number) => Numbers;
  #values: Numbers;
  #length = 0;

  constructor(create: (length: number) => Numbers) {
    this.#create = create;
    this.#values = create(firstLength);
  }

  get length(): number {
    return this.#length;
  }

  /** Undefined outside of the list. */
  at(index: number): number | undefined {
    return index < this.#length ? this.#values[index] : undefined;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = this.#create(Math.ceil(this.#length * growth));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }
}

import { NumberColumn } from './number-column.ts';

/** Ids as Robota writes them: these digits are one number of 32 bits. */
const ownId = /^[0-9a-f]{8}$/;
const digits = 8;
const free = -1;
/** Spreads consecutive numbers; from Knuth. */
const spread = 0x9e3779b1;

/**
 * Numbers ids from 0 in order of arrival. A session may have hundreds of thousands of them; an id of eight hexadecimal
 * digits takes 10 to 16 bytes, a tenth of a string in a map.
 */
export class IdNumbers {
  /** The ids as numbers; ids of another form are 0 here and stored in the maps. */
  readonly #values = new NumberColumn((length) => new Uint32Array(length));
  /** Numbers by their values: each at its hash, or in the next slot that was free. */
  #slots = new Int32Array(32).fill(free);
  readonly #otherIds = new Map<number, string>();
  readonly #otherNumbers = new Map<string, number>();

  get size(): number {
    return this.#values.length;
  }

  /** The number of an id; undefined if it was never added. */
  get(id: string): number | undefined {
    if (!ownId.test(id)) return this.#otherNumbers.get(id);
    const number = this.#slots[this.#slotOf(Number.parseInt(id, 16))] ?? free;
    return number === free ? undefined : number;
  }

  /** The id of a number. */
  idAt(number: number): string | undefined {
    const other = this.#otherIds.get(number);
    return other ?? this.#values.at(number)?.toString(16).padStart(digits, '0');
  }

  /** Adds a new id and returns its number. */
  add(id: string): number {
    const number = this.size;
    const isOwn = ownId.test(id);
    this.#values.push(isOwn ? Number.parseInt(id, 16) : 0);
    if (isOwn) this.#fill(number);
    else {
      this.#otherIds.set(number, id);
      this.#otherNumbers.set(id, number);
    }
    return number;
  }

  #fill(number: number): void {
    // At most two thirds are used, so that a free slot is near.
    if (3 * this.size > 2 * this.#slots.length) return this.#grow();
    this.#slots[this.#slotOf(this.#values.at(number) ?? 0)] = number;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(free);
    for (let number = 0; number < this.size; number++)
      if (!this.#otherIds.has(number)) this.#slots[this.#slotOf(this.#values.at(number) ?? 0)] = number;
  }

  /** The slot of a value, or the free one for it. */
  #slotOf(value: number): number {
    const last = this.#slots.length - 1;
    let slot = (Math.imul(value, spread) >>> 8) & last;
    for (;;) {
      const number = this.#slots[slot] ?? free;
      if (number === free || this.#values.at(number) === value) return slot;
      slot = (slot + 1) & last;
    }
  }
}

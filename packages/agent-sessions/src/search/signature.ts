/**
 * A signature tells which words cannot be in a text, in a fraction of its size: one bit for every two and three
 * adjacent characters. It does not use words, so it works for languages without spaces.
 */
export class SignatureBuilder {
  readonly #bits = new Uint8Array(widestBits / 8);
  /** Which bytes of it are in use: most texts leave most of them alone. */
  #used: number[] = [];

  /** Adds a folded text. */
  add(folded: string): void {
    let before = 0;
    let last = 0;
    for (let index = 0; index < folded.length; index++) {
      const unit = folded.charCodeAt(index);
      if (unit <= space) {
        before = last = 0;
        continue;
      }
      if (unit >= 0x80) this.#mark(gram(0, 0, unit));
      if (last !== 0) this.#mark(gram(0, last, unit));
      if (before !== 0) this.#mark(gram(before, last, unit));
      before = last;
      last = unit;
    }
  }

  /** Returns the signature of all added texts and resets the builder. */
  finish(): Uint8Array {
    const folded = new Uint8Array(widthFor(this.#countOnes()) / 8);
    for (const at of this.#used) {
      // Hashes are taken modulo the width, so folding preserves their positions.
      const to = at & (folded.length - 1);
      folded[to] = (folded[to] ?? 0) | (this.#bits[at] ?? 0);
      this.#bits[at] = 0;
    }
    this.#used = [];
    return folded;
  }

  #mark(hash: number): void {
    const at = hash >>> 3;
    const before = this.#bits[at] ?? 0;
    if (before === 0) this.#used.push(at);
    this.#bits[at] = before | (1 << (hash & 7));
  }

  #countOnes(): number {
    let count = 0;
    for (const at of this.#used) for (let rest = this.#bits[at] ?? 0; rest !== 0; rest &= rest - 1) count++;
    return count;
  }
}

/** The bits of a folded word; empty if the word is too short. */
export function gramsOf(word: string): number[] {
  const width = Math.min(3, word.length);
  const grams: number[] = [];
  for (let start = 0; start + width <= word.length; start++) {
    const units = Array.from({ length: width }, (_, index) => word.charCodeAt(start + index));
    const [third = 0, second = 0, first = 0] = units.toReversed();
    const tells = width > 1 || third >= 0x80;
    // Control characters part a text as spaces do.
    if (tells && units.every((unit) => unit > space)) grams.push(gram(first, second, third));
  }
  return grams;
}

/** True if the text of a signature may contain all of these; false is certain. */
export function mayContain(signature: Uint8Array, grams: readonly number[]): boolean {
  const mask = signature.length * 8 - 1;
  return grams.every((hash) => {
    const bit = hash & mask;
    return ((signature[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  });
}

const widestBits = 2 ** 19;
const narrowestBits = 2 ** 9;
const bitsPerGram = 8;
const space = 0x20;

function gram(first: number, second: number, third: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) & (widestBits - 1);
}

function widthFor(grams: number): number {
  let width = narrowestBits;
  while (width < widestBits && width < grams * bitsPerGram) width *= 2;
  return width;
}

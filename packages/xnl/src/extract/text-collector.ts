/** Pieces joined at a time: answers come in tens of thousands of pieces, and each costs memory. */
const joinedAtOnce = 1024;

/** Puts a text together from pieces of any size, in linear time. */
export class TextCollector {
  #joined: string[] = [];
  #recent: string[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(text: string): void {
    this.#length += text.length;
    if (this.#recent.push(text) < joinedAtOnce) return;
    this.#joined.push(this.#recent.join(''));
    this.#recent = [];
  }

  /** Everything since the last time. */
  take(): string {
    const text = [...this.#joined, ...this.#recent].join('');
    this.#joined = [];
    this.#recent = [];
    this.#length = 0;
    return text;
  }
}

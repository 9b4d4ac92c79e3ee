/** The lines to read, and their limits. */
export interface LineLimits {
  readonly offset: number;
  readonly lines: number;
  readonly bytes: number;
  readonly lineLength: number;
}

/** Collects numbered lines from chunks of text; keeps only what it will return. */
export class LineCollector {
  readonly #limits: LineLimits;
  readonly #lineBreak: '\n' | '\r';
  readonly #rows: string[] = [];
  readonly #plain: string[] = [];
  #bytes = 0;
  #line = 1;
  #start = '';
  #length = 0;
  #lastCharacter = '';
  #isFull = false;

  constructor(limits: LineLimits, lineBreak: '\n' | '\r') {
    this.#limits = limits;
    this.#lineBreak = lineBreak;
  }

  /** Numbered lines for the model. */
  get rows(): readonly string[] {
    return this.#rows;
  }

  /** The same lines without numbers. */
  get plainLines(): readonly string[] {
    return this.#plain;
  }

  /** True if it accepts no more lines. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** The number of the last complete line. */
  get lastLine(): number {
    return this.#line - 1;
  }

  push(piece: string): void {
    let from = 0;
    while (!this.#isFull) {
      const at = piece.indexOf(this.#lineBreak, from);
      this.#extend(piece, from, at === -1 ? piece.length : at);
      if (at === -1) return;
      this.#endLine();
      from = at + 1;
    }
  }

  /** Ends the text: what follows the last line break is a line too. */
  end(): void {
    if (!this.#isFull && this.#length > 0) this.#endLine();
  }

  #extend(piece: string, from: number, to: number): void {
    if (to === from) return;
    const room = this.#limits.lineLength + 1 - this.#start.length;
    if (room > 0 && this.#line >= this.#limits.offset)
      this.#start += piece.slice(from, Math.min(to, from + room));
    this.#length += to - from;
    this.#lastCharacter = piece[to - 1] ?? '';
  }

  #endLine(): void {
    if (this.#line >= this.#limits.offset) this.#take();
    if (this.#isFull) return;
    this.#line += 1;
    this.#start = '';
    this.#length = 0;
    this.#lastCharacter = '';
  }

  #take(): void {
    const { lines, bytes, lineLength } = this.#limits;
    const hasReturn = this.#lineBreak === '\n' && this.#lastCharacter === '\r';
    const length = this.#length - (hasReturn ? 1 : 0);
    const text =
      length > lineLength ? shorten(this.#start, length, lineLength) : this.#start.slice(0, length);
    const row = `${this.#line}\t${text}`;
    const size = Buffer.byteLength(row) + 1;
    this.#isFull = this.#rows.length === lines || (this.#rows.length > 0 && this.#bytes + size > bytes);
    if (this.#isFull) return;
    this.#bytes += size;
    this.#rows.push(row);
    this.#plain.push(text);
  }
}

function shorten(start: string, length: number, limit: number): string {
  const last = start.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  return `${start.slice(0, end)}... [${length - end} more characters]`;
}

/** A line of an item. */
export interface ItemLine {
  readonly item: number;
  readonly line: number;
}

/** The content of a viewport. */
export interface ViewportSource {
  readonly count: number;
  linesOf(item: number): readonly string[];
}

/** A row of the screen with the place it shows. */
export interface ViewRow extends ItemLine {
  readonly text: string;
}

/** A window over the lines of many items. It asks for the lines of those in sight only, so the number of others does not matter. */
export class Viewport {
  readonly #source: ViewportSource;
  #height = 1;
  #top: ItemLine = { item: 0, line: 0 };
  /** True if it stays at the end when the size changes. */
  #isFollowing = false;

  constructor(source: ViewportSource) {
    this.#source = source;
  }

  get top(): ItemLine {
    return this.#top;
  }

  get height(): number {
    return this.#height;
  }

  /** Takes another size, or lines that have changed: what is at the top stays there, and so does the end. */
  settle(height = this.#height): void {
    this.#height = Math.max(1, height);
    if (this.#isFollowing) return this.toEnd();
    const { item, line } = this.#top;
    const last = Math.max(0, this.#source.linesOf(item).length - 1);
    this.#top = { item, line: Math.min(line, last) };
    this.#fill();
  }

  /** True if it stays at the end when there is more. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Takes another size, at which another place is what was at the top; the end stays. */
  resize(height: number, top: ItemLine): void {
    this.#height = Math.max(1, height);
    if (this.#isFollowing) this.toEnd();
    else this.show(top);
  }

  toStart(): void {
    this.#top = { item: 0, line: 0 };
    this.#isFollowing = false;
  }

  toEnd(): void {
    const last = Math.max(0, this.#source.count - 1);
    this.#top = this.#before({ item: last, line: this.#source.linesOf(last).length }, this.#height);
    this.#isFollowing = true;
  }

  /** Goes down by a number of rows, or up. */
  scroll(rows: number): void {
    this.#top = rows < 0 ? this.#before(this.#top, -rows) : this.#behind(this.#top, rows);
    this.#fill();
  }

  /** Puts a place at the top, as far as there is enough below it. */
  show(place: ItemLine): void {
    this.#top = place;
    this.#fill();
  }

  /** Brings a place into sight with as little movement as possible. */
  reveal(place: ItemLine): void {
    const rows = this.rows();
    if (rows.some(({ item, line }) => item === place.item && line === place.line)) return;
    const isAbove = compare(place, this.#top) < 0;
    const top = isAbove ? place : this.#before(place, this.#height - 1);
    this.show(top);
  }

  /** The rows in sight; fewer than the height if there are no more. */
  rows(): readonly ViewRow[] {
    const rows: ViewRow[] = [];
    const { count } = this.#source;
    let { line } = this.#top;
    for (let { item } = this.#top; item < count && rows.length < this.#height; item++, line = 0) {
      const lines = this.#source.linesOf(item);
      for (; line < lines.length && rows.length < this.#height; line++)
        rows.push({ item, line, text: lines[line] ?? '' });
    }
    return rows;
  }

  /** Nothing is empty below the last line while there is something above the first. */
  #fill(): void {
    const missing = this.#height - this.rows().length;
    if (missing > 0) this.#top = this.#before(this.#top, missing);
    this.#isFollowing = this.#isAtEnd();
  }

  #isAtEnd(): boolean {
    const last = this.rows().at(-1);
    const { count } = this.#source;
    if (!last || last.item < count - 1) return count === 0;
    return last.line >= this.#source.linesOf(last.item).length - 1;
  }

  #before({ item, line }: ItemLine, rows: number): ItemLine {
    let left = rows;
    let at = item;
    let above = line;
    while (left > above && at > 0) {
      left -= above;
      above = this.#source.linesOf(--at).length;
    }
    return { item: at, line: Math.max(0, above - left) };
  }

  #behind({ item, line }: ItemLine, rows: number): ItemLine {
    let left = rows;
    let from = line;
    const last = this.#source.count - 1;
    for (let at = item; at <= last; at++, from = 0) {
      const { length } = this.#source.linesOf(at);
      if (from + left < length) return { item: at, line: from + left };
      if (at === last) return { item: at, line: Math.max(0, length - 1) };
      left -= length - from;
    }
    return { item: Math.max(0, last), line: 0 };
  }
}

/** Which of two places comes first. */
function compare(a: ItemLine, b: ItemLine): number {
  return a.item - b.item || a.line - b.line;
}

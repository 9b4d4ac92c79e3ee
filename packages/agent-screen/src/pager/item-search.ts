import { plainText, sliceText, textWidth } from '@robota-sdk/agent-tui';
import type { ShownItem } from '../items/fold-reads.ts';
import { itemText } from './item-text.ts';

/** Words that are looked for in all items; small letters stand for capitals, too. */
export class ItemSearch {
  readonly query: string;
  /** The items that have them, in their order. */
  readonly hits: readonly number[];
  readonly #isExact: boolean;

  constructor(items: readonly ShownItem[], query: string) {
    this.query = query;
    this.#isExact = /\p{Lu}/u.test(query);
    this.hits = items.flatMap((item, index) => (this.#isIn(itemText(item)) ? [index] : []));
  }

  /** The next item behind one that has the words, or the one before it; from the last to the first. */
  next(from: number, direction: 1 | -1): number | undefined {
    if (direction > 0) return this.hits.find((index) => index > from) ?? this.hits[0];
    return this.hits.findLast((index) => index < from) ?? this.hits.at(-1);
  }

  /** The lines that show the words; none where a line break stands in them. */
  linesIn(lines: readonly string[]): readonly number[] {
    return lines.flatMap((line, index) => (this.#isIn(plainText(line)) ? [index] : []));
  }

  /** The ranges of matches in a line, in characters: from, to. */
  marksIn(line: string): readonly (readonly [number, number])[] {
    const text = this.#isExact ? line : line.toLowerCase();
    // If lower case is longer than upper case, the ranges would not fit.
    if (this.query === '' || text.length !== line.length) return [];
    const wanted = this.#isExact ? this.query : this.query.toLowerCase();
    const marks: [number, number][] = [];
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length))
      marks.push([at, at + wanted.length]);
    return marks;
  }

  #isIn(text: string): boolean {
    if (this.query === '') return false;
    return this.#isExact ? text.includes(this.query) : text.toLowerCase().includes(this.query.toLowerCase());
  }
}

/** Exchanges ink and paper of parts of a styled line, which are given by their characters: from, to. */
export function highlightMarks(line: string, marks: readonly (readonly [number, number])[]): string {
  const plain = plainText(line);
  let shown = '';
  let from = 0;
  for (const [start, end] of marks) {
    const [left, right] = [textWidth(plain.slice(0, start)), textWidth(plain.slice(0, end))];
    shown += `${sliceText(line, from, left)}\x1b[7m${plain.slice(start, end)}\x1b[27m`;
    from = right;
  }
  return shown + sliceText(line, from, textWidth(plain));
}

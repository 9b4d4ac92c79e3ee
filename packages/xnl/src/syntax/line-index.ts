import type { XnlPosition } from './xnl-error.ts';

/** Finds lines and columns of offsets; reads the text once, when first asked. */
export class LineIndex {
  readonly #text: string;
  #starts: number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  placeOf(position: number): XnlPosition {
    this.#starts ??= lineStarts(this.#text);
    const line = countUpTo(this.#starts, position);
    return { position, line, column: position - (this.#starts[line - 1] ?? 0) + 1 };
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1)) starts.push(feed + 1);
  return starts;
}

/** How many numbers of a sorted list are not above a limit. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

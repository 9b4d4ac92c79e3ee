import type { Position, Range } from './position.ts';

const chunkSize = 512;

/**
 * A text as lines that never change: an edit gives a new buffer that shares all but a few hundred lines with the old
 * one. So every earlier state can be kept for undo, and a key costs the same in a text of ten megabytes.
 */
export class TextBuffer {
  /** The lines in pieces; an edit replaces the pieces it touches and leaves the others as they are. */
  readonly chunks: readonly (readonly string[])[];
  readonly lineCount: number;
  /** The number of the first line of each chunk. */
  readonly #starts: readonly number[];

  constructor(chunks: readonly (readonly string[])[]) {
    this.chunks = chunks;
    let count = 0;
    this.#starts = chunks.map((chunk) => {
      const start = count;
      count += chunk.length;
      return start;
    });
    this.lineCount = count;
  }

  /** The buffer of a text whose lines end with line feeds. */
  static of(text: string): TextBuffer {
    return new TextBuffer(chunksOf(text.split('\n')));
  }

  line(index: number): string {
    const chunk = this.#chunkOf(index);
    return this.chunks[chunk]?.[index - (this.#starts[chunk] ?? 0)] ?? '';
  }

  get text(): string {
    return this.chunks.map((chunk) => chunk.join('\n')).join('\n');
  }

  get isEmpty(): boolean {
    return this.lineCount === 1 && this.line(0) === '';
  }

  /** The position after the last character. */
  get end(): Position {
    const line = this.lineCount - 1;
    return { line, column: this.line(line).length };
  }

  slice({ start, end }: Range): string {
    if (start.line === end.line) return this.line(start.line).slice(start.column, end.column);
    const parts = [this.line(start.line).slice(start.column)];
    for (let index = start.line + 1; index < end.line; index++) parts.push(this.line(index));
    parts.push(this.line(end.line).slice(0, end.column));
    return parts.join('\n');
  }

  /** The buffer with another text in place of a range. */
  replace({ start, end }: Range, text: string): TextBuffer {
    const head = this.line(start.line).slice(0, start.column);
    const tail = this.line(end.line).slice(end.column);
    return this.#withLines(start.line, end.line, `${head}${text}${tail}`.split('\n'));
  }

  #withLines(first: number, last: number, lines: readonly string[]): TextBuffer {
    const from = this.#chunkOf(first);
    const to = this.#chunkOf(last);
    const before = this.chunks[from]?.slice(0, first - (this.#starts[from] ?? 0)) ?? [];
    const after = this.chunks[to]?.slice(last + 1 - (this.#starts[to] ?? 0)) ?? [];
    const touched = chunksOf(before.concat(lines, after));
    return new TextBuffer(this.chunks.slice(0, from).concat(touched, this.chunks.slice(to + 1)));
  }

  #chunkOf(line: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= line) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The end of a text that is inserted at a position. */
export function endOfInsertion(start: Position, text: string): Position {
  const lastBreak = text.lastIndexOf('\n');
  if (lastBreak < 0) return { line: start.line, column: start.column + text.length };
  return { line: start.line + countLineBreaks(text), column: text.length - lastBreak - 1 };
}

/** How many line feeds a text holds. */
export function countLineBreaks(text: string): number {
  let count = 0;
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) count++;
  return count;
}

function chunksOf(lines: readonly string[]): (readonly string[])[] {
  if (lines.length <= 2 * chunkSize) return [lines];
  const chunks: (readonly string[])[] = [];
  for (let start = 0; start < lines.length; start += chunkSize)
    chunks.push(lines.slice(start, start + chunkSize));
  return chunks;
}

import { StyleState } from './style-state.ts';
import { expandTabs, type Piece, piecesOf, textWidth } from './styled-text.ts';

/**
 * Breaks a styled text into lines of a width: between words, between characters of scripts without blanks, and inside
 * words that are longer than a line. Colours and links continue on the next line.
 */
export function wrapText(text: string, width: number): string[] {
  const columns = Math.max(1, Math.floor(width));
  const state = new StyleState();
  return text.split('\n').flatMap((line) => new LineWrapper(columns, state).wrap(expandTabs(line)));
}

/** One line of the source on its way to lines of the screen. */
class LineWrapper {
  readonly #columns: number;
  readonly #state: StyleState;
  readonly #lines: string[] = [];
  #line: string;
  #width = 0;
  /** Pieces since the last place where the line may break. */
  #word: Piece[] = [];
  #wordWidth = 0;
  /** Blanks before the word, left out where the line breaks there. */
  #blanks = '';

  constructor(columns: number, state: StyleState) {
    this.#columns = columns;
    this.#state = state;
    this.#line = state.opening;
  }

  wrap(text: string): string[] {
    if (textWidth(text) <= this.#columns) {
      for (const piece of piecesOf(text)) this.#put(piece);
      return [this.#line + this.#state.closing];
    }
    for (const piece of piecesOf(text)) this.#take(piece);
    this.#flushWord();
    return [...this.#lines, this.#line + this.#state.closing];
  }

  #take(piece: Piece): void {
    if (piece.kind === 'character' && piece.text === ' ') {
      this.#flushWord();
      this.#blanks += ' ';
      return;
    }
    const isFree = piece.kind === 'character' && piece.width > 1;
    if (isFree) this.#flushWord();
    this.#word.push(piece);
    if (piece.kind === 'character') this.#wordWidth += piece.width;
    if (isFree) this.#flushWord();
  }

  /** Adds the word after its blanks, or on a new line if it does not fit. */
  #flushWord(): void {
    if (this.#word.length === 0) return;
    const fits = this.#width + this.#blanks.length + this.#wordWidth <= this.#columns;
    const isSeen = this.#wordWidth > 0;
    if (!fits && isSeen && this.#width > 0) this.#breakLine();
    else if (fits || isSeen) this.#indent();
    this.#blanks = '';
    for (const piece of this.#word) {
      if (piece.kind === 'character' && this.#width + piece.width > this.#columns && this.#width > 0)
        this.#breakLine();
      this.#put(piece);
    }
    this.#word = [];
    this.#wordWidth = 0;
  }

  /** The blanks before a word; at the beginning of a line no more than leave room for it. */
  #indent(): void {
    const blanks = this.#blanks.slice(0, Math.max(0, this.#columns - 1 - this.#width));
    this.#line += blanks;
    this.#width += blanks.length;
  }

  #put(piece: Piece): void {
    this.#line += piece.text;
    if (piece.kind === 'sequence') this.#state.apply(piece.text);
    else this.#width += piece.width;
  }

  #breakLine(): void {
    this.#lines.push(this.#line + this.#state.closing);
    this.#line = this.#state.opening;
    this.#width = 0;
  }
}

/** The rows of a text that fit, and how many rows were left out. */
export interface VisualLines {
  readonly lines: readonly string[];
  readonly skipped: number;
}

/** Wraps a text to a width and keeps at most `maxLines` rows from its end; counts those left out. */
export function truncateToVisualLines(text: string, width: number, maxLines: number): VisualLines {
  const kept = Math.max(0, Math.floor(maxLines));
  const rows = text === '' ? [] : text.split('\n').flatMap((line) => wrapText(line, Math.max(1, width)));
  const lines = kept === 0 ? [] : rows.slice(-kept);
  return { lines, skipped: rows.length - lines.length };
}

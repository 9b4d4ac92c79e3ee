import type { TextRange } from '@robota-sdk/agent-diff';
import type { CodePart } from '../markdown/highlight-line.ts';
import { filterEscapes, visibleText } from '../text/escape-filter.ts';
import { graphemesOf, graphemeWidth } from '../text/grapheme-width.ts';
import type { ToolkitToken } from '../theme/theme-tokens.ts';

/** A character of a line as it is shown. */
export interface DiffCell {
  readonly text: string;
  readonly width: number;
  readonly token: ToolkitToken;
  /** Whether it belongs to a changed word. */
  readonly isMarked: boolean;
}

export interface CellOptions {
  readonly parts: readonly CodePart[];
  readonly marks?: readonly TextRange[] | undefined;
  /** Shows trailing blanks as this sign. */
  readonly blank?: string | undefined;
  /** Spells out every invisible character, even those that some scripts and emoji need. */
  readonly isRevealing?: boolean | undefined;
}

const tabWidth = 4;
const mostMarksPerCell = 10;
const printable = /^[\x20-\x7e]*$/;
/** Joiners and selectors, without which some scripts and emoji cannot be written, and blanks as wide as they look. */
const needed = /^(?:\u200c|\u200d|[\ufe00-\ufe0f]|[\u180b-\u180d]|\u180f|\p{Zs})$/u;

/** The cells of a line: its characters in the colours of its code, tabs as blanks, and what is invisible spelled out. */
export function diffCells({
  parts,
  marks = [],
  blank,
  isRevealing = false,
}: CellOptions): readonly DiffCell[] {
  const builder = new CellBuilder(isRevealing);
  const text = parts.map((part) => part.text).join('');
  const isReturned = text.endsWith('\r');
  const bodyEnd = isReturned ? text.length - 1 : text.length;
  const blanksFrom = blank === undefined ? bodyEnd : text.slice(0, bodyEnd).trimEnd().length;
  // A part may end within a character, such as an emoji, so the characters are those of the whole text.
  const tokens = new TokenCursor(parts);
  const isMarkedAt = (at: number) => marks.some(({ start, end }) => at >= start && at < end);
  let position = 0;
  for (const character of graphemesOf(text.slice(0, bodyEnd))) {
    const isMarked = isMarkedAt(position);
    if (position >= blanksFrom) builder.addBlank(character, { blank: blank ?? ' ', isMarked });
    else builder.add(character, { token: tokens.at(position), isMarked });
    position += character.length;
  }
  if (isReturned) builder.spell('\\r', isMarkedAt(bodyEnd));
  return builder.cells;
}

/** The tokens of positions that only grow. */
class TokenCursor {
  readonly #parts: readonly CodePart[];
  #index = 0;
  #end: number;

  constructor(parts: readonly CodePart[]) {
    this.#parts = parts;
    this.#end = parts[0]?.text.length ?? 0;
  }

  at(position: number): ToolkitToken {
    while (position >= this.#end && this.#index < this.#parts.length - 1)
      this.#end += this.#parts[++this.#index]?.text.length ?? 0;
    return this.#parts[this.#index]?.token ?? 'text';
  }
}

class CellBuilder {
  readonly cells: DiffCell[] = [];
  readonly #isRevealing: boolean;
  #column = 0;

  constructor(isRevealing: boolean) {
    this.#isRevealing = isRevealing;
  }

  add(character: string, style: Pick<DiffCell, 'token' | 'isMarked'>): void {
    if (character === '\t') return this.#addTab(' ', style);
    if (![...character].some((point) => this.#isHidden(point)) && !isBuried(character))
      return this.#push(character, graphemeWidth(character), style);
    for (const point of character) {
      if (this.#isHidden(point)) this.spell(visibleText(point), style.isMarked);
      else this.#push(filterEscapes(point), graphemeWidth(point), style);
    }
  }

  addBlank(
    character: string,
    { blank, isMarked }: { readonly blank: string; readonly isMarked: boolean },
  ): void {
    const style = { token: 'warning', isMarked } as const;
    if (character === '\t') this.#addTab(blank, style);
    else if (character === ' ') this.#push(blank, 1, style);
    else this.add(character, style);
  }

  spell(text: string, isMarked: boolean): void {
    for (const letter of text) this.#push(letter, 1, { token: 'warning', isMarked });
  }

  #isHidden(point: string): boolean {
    if (printable.test(point)) return false;
    return visibleText(point) !== point && (this.#isRevealing || !needed.test(point));
  }

  #addTab(first: string, style: Pick<DiffCell, 'token' | 'isMarked'>): void {
    const width = tabWidth - (this.#column % tabWidth);
    for (let column = 0; column < width; column++) this.#push(column === 0 ? first : ' ', 1, style);
  }

  #push(text: string, width: number, { token, isMarked }: Pick<DiffCell, 'token' | 'isMarked'>): void {
    this.cells.push({ text, width, token, isMarked });
    this.#column += width;
  }
}

/** A character under so many marks that it would cover its neighbours. */
function isBuried(character: string): boolean {
  return character.length > 2 * mostMarksPerCell && [...character].length > mostMarksPerCell;
}

/** How many rows a line takes, mostly told from its length alone. */
export function rowsNeeded(
  text: string,
  { width, isRevealing }: { readonly width: number; readonly isRevealing: boolean },
): number {
  if (text.length * widestCharacter <= width) return 1;
  if (printable.test(text)) return Math.max(1, Math.ceil(text.length / width));
  if (text.length * tabWidth <= width && visibleText(text) === text) return 1;
  return wrapCells(diffCells({ parts: [{ text }], isRevealing }), width).length;
}

/** The columns of a character that is spelled out. */
const widestCharacter = 8;

/** Breaks cells into rows of a width, each with one cell at least. */
export function wrapCells(cells: readonly DiffCell[], width: number): readonly (readonly DiffCell[])[] {
  const rows: DiffCell[][] = [[]];
  let taken = 0;
  for (const cell of cells) {
    if (taken + cell.width > width && taken > 0) {
      rows.push([]);
      taken = 0;
    }
    // A character that is wider than the whole row cannot be shown.
    const shown = cell.width > width ? { ...cell, text: ' '.repeat(width), width } : cell;
    rows.at(-1)?.push(shown);
    taken += shown.width;
  }
  return rows;
}

/** Cuts cells to a width, so that the one with the index `focusOf` stays in sight; a mark says where there are more. */
export function cutCells(
  cells: readonly DiffCell[],
  { width, mark, focusOf }: { readonly width: number; readonly mark: string; focusOf(): number },
): readonly DiffCell[] {
  const columns = (from: number, to: number) =>
    cells.slice(from, to).reduce((sum, cell) => sum + cell.width, 0);
  if (columns(0, cells.length) <= width) return cells;
  const sign = { text: mark, width: mark.length, token: 'dim', isMarked: false } as const;
  const half = Math.floor(width / 2);
  const focus = focusOf();
  let start = focus;
  if (columns(0, focus) < width - half / 2) start = 0;
  else for (let before = 0; before < half && start > 0; ) before += cells[--start]?.width ?? 0;
  const kept: DiffCell[] = start === 0 ? [] : [sign];
  let taken = start === 0 ? 0 : mark.length;
  for (const [index, cell] of cells.entries()) {
    if (index < start) continue;
    const isLast = index === cells.length - 1;
    if (taken + cell.width > width - (isLast ? 0 : mark.length)) return [...kept, sign];
    kept.push(cell);
    taken += cell.width;
  }
  return kept;
}

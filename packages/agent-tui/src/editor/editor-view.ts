import { inverse } from '../components/render-style.ts';
import type { EditorState } from './text/editor-state.ts';
import type { LayoutCell } from './text/line-layout.ts';
import { type EditorRoom, RowFinder, type RowPlace } from './text/move-vertically.ts';
import { comparePositions, type Range } from './text/position.ts';

/** A text as it is shown: a window of rows with the caret in it. */
export interface EditorView {
  readonly rows: readonly string[];
  /** Where the caret is shown: a row of the window and a column. */
  readonly caret: { readonly row: number; readonly column: number };
  /** The first row, from which the next view goes on. */
  readonly top: RowPlace;
  /** Whole lines that stand above and below the window. */
  readonly linesAbove: number;
  readonly linesBelow: number;
  /** How many lines had to be laid out. */
  readonly laidOut: number;
}

/** What a view may show besides the text. */
export interface EditorViewOptions {
  /** The first row of the view before. */
  readonly top?: RowPlace | undefined;
  /** Shown in exchanged colours. */
  readonly selection?: Range | undefined;
  /** Stands where the caret is. */
  readonly mark?: string;
}

/** Shows the rows around the caret; the window moves from where it was no further than it must. */
export function viewEditor(
  state: EditorState,
  room: EditorRoom,
  options: EditorViewOptions = {},
): EditorView {
  const finder = new RowFinder(state, room.columns);
  const height = Math.max(1, room.rows);
  const caret = finder.caretPlace();
  const { lineCount } = state.buffer;
  const top = chooseTop(finder, { caret, height, previousTop: options.top, lineCount });
  const places = placesFrom(finder, top, height);
  const caretRow = places.findIndex((place) => isSame(place, caret));
  const caretColumn = Math.min(finder.caretColumn(), Math.max(0, room.columns - 1));
  return {
    rows: places.map((place) => {
      const mark = isSame(place, caret) ? { text: options.mark ?? '', column: caretColumn } : undefined;
      return drawRow(finder.rowsOf(place.line)[place.row]?.cells ?? [], {
        mark,
        isSelected: (cell) => isInside(options.selection, place.line, cell.start),
      });
    }),
    caret: { row: Math.max(0, caretRow), column: caretColumn },
    top,
    linesAbove: top.line,
    linesBelow: lineCount - 1 - (places.at(-1)?.line ?? 0),
    laidOut: finder.laidOut,
  };
}

interface WindowWish {
  readonly caret: RowPlace;
  readonly height: number;
  readonly previousTop: RowPlace | undefined;
  readonly lineCount: number;
}

function chooseTop(finder: RowFinder, { caret, height, previousTop, lineCount }: WindowWish): RowPlace {
  const highest = finder.step(caret, 1 - height);
  const last = finder.step(caret, height);
  const isEndNear = last.line === lineCount - 1 && last.row === finder.rowsOf(last.line).length - 1;
  // Near the end the window is full, so that no rows are empty while there is text above.
  const lowest = isEndNear ? earlier(caret, finder.step(last, 1 - height)) : caret;
  const wanted = previousTop ? placeThatIs(finder, previousTop, lineCount) : highest;
  return earlier(later(wanted, highest), lowest);
}

/** The text or the width may have changed since a place was kept. */
function placeThatIs(finder: RowFinder, place: RowPlace, lineCount: number): RowPlace {
  const line = Math.min(place.line, lineCount - 1);
  return { line, row: Math.min(place.row, finder.rowsOf(line).length - 1) };
}

function placesFrom(finder: RowFinder, top: RowPlace, height: number): RowPlace[] {
  const places = [finder.step(top, 0)];
  while (places.length < height) {
    const last = places.at(-1) ?? top;
    const next = finder.step(last, 1);
    if (isSame(next, last)) break;
    places.push(next);
  }
  return places;
}

interface RowLook {
  readonly mark: { readonly text: string; readonly column: number } | undefined;
  readonly isSelected: (cell: LayoutCell) => boolean;
}

function drawRow(cells: readonly LayoutCell[], { mark, isSelected }: RowLook): string {
  let drawn = '';
  let isMarked = mark === undefined;
  for (const cell of cells) {
    if (!isMarked && mark && cell.column + cell.width > mark.column) {
      drawn += mark.text;
      isMarked = true;
    }
    drawn += isSelected(cell) ? inverse(cell.text) : cell.text;
  }
  return isMarked ? drawn : drawn + (mark?.text ?? '');
}

function isInside(range: Range | undefined, line: number, column: number): boolean {
  if (!range) return false;
  const place = { line, column };
  return comparePositions(range.start, place) <= 0 && comparePositions(place, range.end) < 0;
}

function isSame(first: RowPlace, second: RowPlace): boolean {
  return first.line === second.line && first.row === second.row;
}

function earlier(first: RowPlace, second: RowPlace): RowPlace {
  return first.line < second.line || (first.line === second.line && first.row <= second.row) ? first : second;
}

function later(first: RowPlace, second: RowPlace): RowPlace {
  return earlier(first, second) === first ? second : first;
}

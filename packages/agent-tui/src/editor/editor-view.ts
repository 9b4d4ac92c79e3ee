import { inverse } from '../components/render-style.ts';
import type { EditorState } from './text/editor-state.ts';
import type { LayoutCell } from './text/line-layout.ts';
import { type EditorSize, RowFinder, type RowPosition } from './text/move-vertically.ts';
import { comparePositions, type Range } from './text/position.ts';

/** A text as it is shown: a window of rows with the caret in it. */
export interface EditorView {
  readonly rows: readonly string[];
  /** The caret's row in the window, and its column. */
  readonly caret: { readonly row: number; readonly column: number };
  /** The first row, from which the next view continues. */
  readonly top: RowPosition;
  /** Whole lines above and below the window. */
  readonly linesAbove: number;
  readonly linesBelow: number;
  /** How many lines had to be laid out. */
  readonly laidOut: number;
}

/** Options of {@link viewEditor}. */
export interface EditorViewOptions {
  /** The first row of the view before. */
  readonly top?: RowPosition | undefined;
  /** Shown in exchanged colours. */
  readonly selection?: Range | undefined;
  /** Stands where the caret is. */
  readonly mark?: string;
}

/** Shows the rows around the caret; the window moves from where it was no further than it must. */
export function viewEditor(
  state: EditorState,
  room: EditorSize,
  options: EditorViewOptions = {},
): EditorView {
  const finder = new RowFinder(state, room.columns);
  const height = Math.max(1, room.rows);
  const caret = finder.caretPosition();
  const { lineCount } = state.buffer;
  const top = chooseTop(finder, { caret, height, previousTop: options.top, lineCount });
  const places = rowsFrom(finder, top, height);
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

interface WindowRequest {
  readonly caret: RowPosition;
  readonly height: number;
  readonly previousTop: RowPosition | undefined;
  readonly lineCount: number;
}

function chooseTop(finder: RowFinder, { caret, height, previousTop, lineCount }: WindowRequest): RowPosition {
  const highest = finder.step(caret, 1 - height);
  const last = finder.step(caret, height);
  const isEndNear = last.line === lineCount - 1 && last.row === finder.rowsOf(last.line).length - 1;
  // Near the end the window is full, so that no rows are empty while there is text above.
  const lowest = isEndNear ? earlier(caret, finder.step(last, 1 - height)) : caret;
  const wanted = previousTop ? clampPosition(finder, previousTop, lineCount) : highest;
  return earlier(later(wanted, highest), lowest);
}

/** The text or the width may have changed since a place was kept. */
function clampPosition(finder: RowFinder, place: RowPosition, lineCount: number): RowPosition {
  const line = Math.min(place.line, lineCount - 1);
  return { line, row: Math.min(place.row, finder.rowsOf(line).length - 1) };
}

function rowsFrom(finder: RowFinder, top: RowPosition, height: number): RowPosition[] {
  const places = [finder.step(top, 0)];
  while (places.length < height) {
    const last = places.at(-1) ?? top;
    const next = finder.step(last, 1);
    if (isSame(next, last)) break;
    places.push(next);
  }
  return places;
}

interface RowStyle {
  readonly mark: { readonly text: string; readonly column: number } | undefined;
  readonly isSelected: (cell: LayoutCell) => boolean;
}

function drawRow(cells: readonly LayoutCell[], { mark, isSelected }: RowStyle): string {
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

function isSame(first: RowPosition, second: RowPosition): boolean {
  return first.line === second.line && first.row === second.row;
}

function earlier(first: RowPosition, second: RowPosition): RowPosition {
  return first.line < second.line || (first.line === second.line && first.row <= second.row) ? first : second;
}

function later(first: RowPosition, second: RowPosition): RowPosition {
  return earlier(first, second) === first ? second : first;
}

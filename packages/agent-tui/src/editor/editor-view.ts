import type { EditorState } from './editor-state.ts';
import { type EditorRoom, RowFinder, type RowPlace } from './move-vertically.ts';

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

/** Shows the rows around the caret; the window moves from where it was no further than it must. */
export function viewEditor(state: EditorState, room: EditorRoom, previousTop?: RowPlace): EditorView {
  const finder = new RowFinder(state, room.columns);
  const height = Math.max(1, room.rows);
  const caret = finder.caretPlace();
  const top = chooseTop(finder, { caret, height, previousTop, lineCount: state.buffer.lineCount });
  const places = placesFrom(finder, top, height);
  const caretRow = places.findIndex(({ line, row }) => line === caret.line && row === caret.row);
  const lastLine = places.at(-1)?.line ?? 0;
  return {
    rows: places.map(({ line, row }) => textOfRow(finder, line, row)),
    caret: {
      row: Math.max(0, caretRow),
      column: Math.min(finder.caretColumn(), Math.max(0, room.columns - 1)),
    },
    top,
    linesAbove: top.line,
    linesBelow: state.buffer.lineCount - 1 - lastLine,
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
  const wanted = previousTop ?? highest;
  return earlier(later(wanted, highest), lowest);
}

function placesFrom(finder: RowFinder, top: RowPlace, height: number): RowPlace[] {
  const places = [finder.step(top, 0)];
  while (places.length < height) {
    const last = places.at(-1) ?? top;
    const next = finder.step(last, 1);
    if (next.line === last.line && next.row === last.row) break;
    places.push(next);
  }
  return places;
}

function textOfRow(finder: RowFinder, line: number, row: number): string {
  return (finder.rowsOf(line)[row]?.cells ?? []).map(({ text }) => text).join('');
}

function earlier(first: RowPlace, second: RowPlace): RowPlace {
  return first.line < second.line || (first.line === second.line && first.row <= second.row) ? first : second;
}

function later(first: RowPlace, second: RowPlace): RowPlace {
  return earlier(first, second) === first ? second : first;
}

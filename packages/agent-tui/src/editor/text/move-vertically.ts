import { type EditorState, moveCaret } from './editor-state.ts';
import { columnAtScreen, type LayoutRow, layoutLine, rowOfColumn, screenColumn } from './line-layout.ts';

/** The room a text is shown in. */
export interface EditorSize {
  readonly columns: number;
  /** The most rows that are shown at once. */
  readonly rows: number;
}

/** A row of the screen: a line, and which of its rows. */
export interface RowPosition {
  readonly line: number;
  readonly row: number;
}

/** Finds rows of the screen around a place, laying out no more lines than are on the way. */
export class RowFinder {
  readonly #state: EditorState;
  readonly #columns: number;
  readonly #layouts = new Map<number, readonly LayoutRow[]>();

  constructor(state: EditorState, columns: number) {
    this.#state = state;
    this.#columns = columns;
  }

  /** How many lines were laid out. */
  get laidOut(): number {
    return this.#layouts.size;
  }

  rowsOf(line: number): readonly LayoutRow[] {
    const known = this.#layouts.get(line);
    if (known) return known;
    const { buffer, tokens } = this.#state;
    const rows = layoutLine(buffer.line(line), { columns: this.#columns, tokens });
    this.#layouts.set(line, rows);
    return rows;
  }

  /** The row the caret is shown on. */
  caretPosition(): RowPosition {
    const { line, column } = this.#state.caret;
    return { line, row: rowOfColumn(this.rowsOf(line), column) };
  }

  /** The column the caret is shown at. */
  caretColumn(): number {
    const { line, row } = this.caretPosition();
    const found = this.rowsOf(line)[row];
    return found ? screenColumn(found, this.#state.caret.column) : 0;
  }

  /** The row so many below a place, or above it for a number below zero; the first or last one if there are fewer. */
  step(from: RowPosition, count: number): RowPosition {
    let { line, row } = from;
    row += count;
    while (row < 0 && line > 0) {
      line--;
      row += this.rowsOf(line).length;
    }
    while (row >= this.rowsOf(line).length && line < this.#state.buffer.lineCount - 1) {
      row -= this.rowsOf(line).length;
      line++;
    }
    return { line, row: Math.min(Math.max(0, row), this.rowsOf(line).length - 1) };
  }
}

/** Moves the caret so many rows of the screen down, or up, and as near as can be to the column it came from. */
export function moveVertically(state: EditorState, count: number, room: EditorSize): EditorState {
  const finder = new RowFinder(state, room.columns);
  const from = finder.caretPosition();
  const target = finder.step(from, count);
  if (target.line === from.line && target.row === from.row) return state;
  const stickyColumn = state.stickyColumn ?? finder.caretColumn();
  const column = columnAtScreen(finder.rowsOf(target.line), target.row, stickyColumn);
  return { ...moveCaret(state, { line: target.line, column }), stickyColumn };
}

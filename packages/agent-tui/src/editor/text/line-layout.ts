import { clustersOf } from './cluster.ts';
import { type DisplayCell, displayCell } from './display-cell.ts';
import type { Token } from './token.ts';

/** The part of a line on one row of the screen. */
export interface LayoutRow {
  readonly start: number;
  readonly end: number;
  readonly cells: readonly LayoutCell[];
}

/** A character on the screen, with its place in the line and on the row. */
export interface LayoutCell extends DisplayCell {
  readonly start: number;
  readonly end: number;
  readonly column: number;
}

/** The room a line is laid out in. */
export interface LineWidth {
  readonly columns: number;
  readonly tokens: readonly Token[];
}

/**
 * Breaks a line into rows: after blanks, beside wide characters and tokens, and inside words that are longer than a
 * row. The last column stays free for the caret, or for one blank. Joined, the rows are the line again.
 */
export function layoutLine(line: string, room: LineWidth): LayoutRow[] {
  const characters = clustersOf(line);
  const rows: LayoutRow[] = [];
  let first = 0;
  while (first < characters.length) {
    const cells = fillRow(line, characters.slice(first, first + room.columns * 8), room);
    const last = cells.at(-1);
    rows.push({ start: cells[0]?.start ?? 0, end: last?.end ?? line.length, cells });
    first += cells.length;
  }
  return rows.length > 0 ? rows : [{ start: 0, end: 0, cells: [] }];
}

/** The row on which a column is shown: at a break, the row below. */
export function rowOfColumn(rows: readonly LayoutRow[], column: number): number {
  for (let index = rows.length - 1; index > 0; index--) if ((rows[index]?.start ?? 0) <= column) return index;
  return 0;
}

/** The column of the screen at which a place of a row is shown. */
export function screenColumn(row: LayoutRow, column: number): number {
  const cell = row.cells.find(({ end }) => end > column);
  if (cell) return cell.column;
  const last = row.cells.at(-1);
  return last ? last.column + last.width : 0;
}

/** The place of a row that is shown at a column of the screen, or the last one before it that is shown on the row. */
export function columnAtScreen(rows: readonly LayoutRow[], index: number, wanted: number): number {
  const row = rows[index];
  const cell = row?.cells.find(({ column, width }) => column + width > wanted);
  if (cell) return cell.start;
  if (index >= rows.length - 1) return row?.end ?? 0;
  return row?.cells.at(-1)?.start ?? 0;
}

function fillRow(
  line: string,
  characters: readonly { start: number; end: number }[],
  room: LineWidth,
): LayoutCell[] {
  const limit = Math.max(2, room.columns - 1);
  const cells: LayoutCell[] = [];
  let column = 0;
  let breakAt = 0;
  for (const { start, end } of characters) {
    const character = line.slice(start, end);
    const shown = displayCell(character, { column, limit, tokens: room.tokens });
    const isBlank = character === ' ' || character === '\t';
    const isFree = isBlank || shown.width > 1;
    if (isFree && !isBlank) breakAt = cells.length;
    const cell = isBlank && column === limit ? { text: ' ', width: 1 } : shown;
    const hangs = isBlank && column <= limit && column + cell.width <= limit + 1;
    if (column + cell.width > limit && !hangs && cells.length > 0)
      return cells.slice(0, breakAt > 0 ? breakAt : cells.length);
    cells.push({ start, end, column, ...cell });
    column += cell.width;
    if (isFree) breakAt = cells.length;
  }
  return cells;
}

import { isImageLine } from '../image/encode-image.ts';
import { piecesOf } from '../text/styled-text.ts';
import type { FrameSize, ShownFrame } from './plan-frame.ts';

/**
 * How many rows above its cursor a terminal has of a live region after it changed its width. Most terminals break
 * rows that became too long and move what is below; too small an answer leaves a piece of the old region in sight, too
 * large a one would clear finished lines.
 */
export function rowsAboveCursor(shown: ShownFrame, size: FrameSize): number {
  const { reflow = 'all' } = size;
  const { row, column } = shown.cursor;
  // Terminals go no further up than to their first row.
  if (size.isFullScreen) return size.rows;
  // A late frame was not broken: its rows were cut when they were written.
  if (reflow === 'none' || size.columns >= shown.columns || size.mayBeLate) return row;
  // The cursor's row in that mode depends on the single steps of a drag; it is at least as far down as elsewhere.
  if (reflow === 'all-but-cursor-line' && (size.resizes ?? 0) <= 1) return rowsAboveInXtermJs(shown, size);
  const above = shown.lines.slice(0, row).reduce((sum, line) => sum + rowsOf(line, size.columns), 0);
  return reflow === 'all' ? above + Math.floor(column / size.columns) : above;
}

/**
 * xterm.js drops rows below the cursor where the screen becomes lower. Then it goes up the rows and breaks those that
 * are too long, but not the one that the cursor is on; for each it moves the cursor down, even for those below it.
 */
function rowsAboveInXtermJs(shown: ShownFrame, size: FrameSize): number {
  const dropped = Math.max(0, shown.rows - size.rows);
  let cursor = shown.cursor.row;
  const last = Math.max(cursor, shown.lines.length - 1 - dropped);
  for (let row = last; row >= 0; row--) {
    if (row !== cursor) cursor += rowsOf(shown.lines[row] ?? '', size.columns) - 1;
  }
  return cursor;
}

/** The rows that a terminal breaks a line into, which it does between any two characters. */
function rowsOf(line: string, columns: number): number {
  if (isImageLine(line)) return 1;
  let rows = 1;
  let taken = 0;
  for (const piece of piecesOf(line)) {
    if (piece.kind === 'sequence') continue;
    if (taken + piece.width > columns) {
      rows++;
      taken = 0;
    }
    taken += piece.width;
  }
  return rows;
}

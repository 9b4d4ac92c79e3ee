import { isImageLine } from '../image/encode-image.ts';
import type { Reflow } from '../terminal/terminal.ts';
import { closeStyle } from '../text/close-style.ts';
import { expandTabs, textWidth } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';
import { flowsIn, terminalTabs, withoutLostTabs } from './flowing-line.ts';
import { changesOf, type PlannedRow, type RowShift } from './row-changes.ts';
import { rowsAboveCursor } from './rows-after-resize.ts';

/** A place in the live region, from its upper left corner. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
}

/** The terminal that a frame is for. */
export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
  /** `all` by default. */
  readonly reflow?: Reflow;
  /**
   * True if the last frame was written so shortly before that the terminal may have had this size by then.
   * Rows are not taken for broken then.
   */
  readonly mayBeLate?: boolean;
  /** How often it changed since the last frame. Back at its old size, it may have cut rows on the way. */
  readonly resizes?: number;
  /** True if the region may take the whole screen, which has no scrollback then. */
  readonly isFullScreen?: boolean;
}

/** The next frame: finished lines, the live region below them, and the caret in it, if any. */
export interface NextFrame {
  readonly commit: readonly string[];
  readonly live: readonly string[];
  readonly cursor?: Cursor | undefined;
}

/** The live region on the terminal after a frame, and the cursor's position. */
export interface ShownFrame {
  readonly lines: readonly string[];
  /** Fitted lines by source line, so that the same line is not measured for every frame. */
  readonly fitted: ReadonlyMap<string, string>;
  readonly cursor: Cursor;
  readonly isCursorVisible: boolean;
  readonly columns: number;
  readonly rows: number;
}

/** How to get from what is shown to the next frame. Rows are counted from the top of the old live region. */
export interface FramePlan {
  /** How far above the cursor the old region begins. */
  readonly rowsUp: number;
  /**
   * True if everything from the top of the region on is cleared first: its rows are not known any more, or a finished
   * line takes a number of rows that only the terminal knows, so that all below it is written again.
   */
  readonly startsClear: boolean;
  /** Rows that are on the terminal already, and need not be made. */
  readonly knownRows: number;
  /** Done before the rows are written. */
  readonly shift: RowShift | undefined;
  readonly rows: readonly PlannedRow[];
  /** True if rows below the last one are left over. */
  readonly clearsBelow: boolean;
  /** How many rows the lines now finished take; the new live region begins below them. */
  readonly committedRows: number;
  /** True if the cursor moves, even if no row changes. */
  readonly isMoved: boolean;
  readonly isCursorShown: boolean;
  readonly wasCursorShown: boolean;
  readonly shown: ShownFrame;
}

/** The terminal before the first frame: nothing of ours, with the cursor at the start of a line. */
export function emptyFrame(size: FrameSize): ShownFrame {
  const { columns, rows } = size;
  return {
    lines: [''],
    fitted: new Map(),
    cursor: { row: 0, column: 0 },
    isCursorVisible: true,
    columns,
    rows,
  };
}

/**
 * Finds the fewest rows to write. Finished lines take the place of the live region's upper rows and push the rest down,
 * so each is written once; those that stood there already as live rows are not written again.
 */
export function planFrame(previous: ShownFrame, next: NextFrame, size: FrameSize): FramePlan {
  const committed = next.commit.flatMap((line) => finishedRows(line, size.columns));
  const flowing = new Set([...committed.keys()].filter((row) => flowsIn(committed[row] ?? '', size.columns)));
  const fitted = new Map<string, string>();
  const isResized =
    (size.resizes ?? 0) > 0 || previous.columns !== size.columns || previous.rows !== size.rows;
  const fit = (line: string) => {
    const row = (isResized ? undefined : previous.fitted.get(line)) ?? cutRow(line, size.columns);
    fitted.set(line, row);
    return row;
  };
  const { live, cursor } = fitLive(next, size, fit);
  const startsClear = isResized || flowing.size > 0;
  const old = startsClear ? [''] : previous.lines;
  const lines = [...committed, ...live];
  const { shift, rows } = changesOf(old, lines, { ...size, flowing });
  const place = cursor ?? { row: live.length - 1, column: 0 };
  return {
    rowsUp: isResized ? rowsAboveCursor(previous, size) : previous.cursor.row,
    startsClear,
    knownRows: old.length,
    shift,
    rows,
    clearsBelow: old.length > lines.length && shift === undefined,
    committedRows: committed.length,
    isMoved: isOtherPlace(place, previous.cursor),
    isCursorShown: cursor !== undefined,
    wasCursorShown: previous.isCursorVisible,
    shown: {
      lines: live,
      fitted,
      cursor: place,
      isCursorVisible: cursor !== undefined,
      columns: size.columns,
      rows: size.rows,
    },
  };
}

function isOtherPlace(one: Cursor, other: Cursor): boolean {
  return one.row !== other.row || one.column !== other.column;
}

/** The live region as it fits: shorter than the screen, no row wider than it, and with the caret in sight. */
function fitLive(
  next: NextFrame,
  size: FrameSize,
  fit: (line: string) => string,
): { live: string[]; cursor: Cursor | undefined } {
  const { live, cursor } = next;
  const height = Math.max(1, Math.min(live.length, size.isFullScreen ? size.rows : size.rows - 1));
  const lowest = Math.max(0, live.length - height);
  const first = cursor ? Math.min(lowest, Math.max(0, cursor.row)) : lowest;
  const fitted = live.slice(first, first + height).map(fit);
  if (fitted.length === 0) fitted.push('');
  if (!cursor) return { live: fitted, cursor };
  const row = Math.max(0, Math.min(cursor.row - first, fitted.length - 1));
  const column = Math.max(0, Math.min(cursor.column, size.columns - 1));
  return { live: fitted, cursor: { row, column } };
}

/** A finished line without its line feeds; the terminal breaks it where it is too long. */
function finishedRows(line: string, columns: number): readonly string[] {
  if (isImageLine(line)) return [line];
  const rows = line.replaceAll('\r', '').split('\n').map(trimRow);
  return line.includes('\t') ? rows.map((row) => withoutLostTabs(row, columns)) : rows;
}

/** A row of the live region; tabs are as wide as they are when it is finished. */
function cutRow(line: string, columns: number): string {
  if (isImageLine(line)) return line;
  const plain = expandTabs(line.replaceAll('\r', '').replaceAll('\n', ' '), terminalTabs);
  return trimRow(textWidth(plain) <= columns ? plain : truncateText(plain, columns, ''));
}

/** Blanks at the end show nothing, but terminals differ in whether they wrap them when they become narrower. */
function trimRow(row: string): string {
  return row.includes('\x1b') ? closeStyle(row) : row.trimEnd();
}

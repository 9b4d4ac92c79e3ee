import type { FramePlan } from './plan-frame.ts';
import type { RowShift } from './row-changes.ts';

/** The known abilities of the terminal. */
export interface EncodeOptions {
  /** True if it certainly shows a frame at once. If not, the cursor is hidden while rows are written. */
  readonly isSynchronized?: boolean;
}

const beginFrame = '\x1b[?2026h';
const endFrame = '\x1b[?2026l';
/** Without automatic wrapping a row stays a row, even if the terminal takes a character for wider than we do. */
const wrapOff = '\x1b[?7l';
const wrapOn = '\x1b[?7h';
const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const clearLineRest = '\x1b[K';
/**
 * From the start of a row on. Cleared from its first cell, a screen of tmux moves into the scrollback instead; the row itself is
 * cleared as a whole, so that tmux does not break it as if it were still full.
 */
const clearBelow = '\r\x1b[K\x1b[C\x1b[J\r';

/** The bytes of a frame, for one write; empty if nothing changes. */
export function encodeFrame(plan: FramePlan, options: EncodeOptions = {}): string {
  const { rows, startsClear, clearsBelow } = plan;
  const paints = rows.length > 0 || startsClear || clearsBelow || plan.shift !== undefined;
  const target = plan.committedRows + plan.shown.cursor.row;
  if (!paints) return moveOnly(plan, target);
  const hides = plan.wasCursorShown && (!plan.isCursorShown || !options.isSynchronized);
  const { bytes, row } = paintRows(plan);
  const place = vertical(row, target) + horizontal(plan.shown.cursor.column);
  const shows = plan.isCursorShown && (hides || !plan.wasCursorShown);
  return `${beginFrame}${hides ? hideCursor : ''}${wrapOff}${bytes}${place}${wrapOn}${shows ? showCursor : ''}${endFrame}`;
}

/** Only the caret moved, or was shown or hidden. */
function moveOnly(plan: FramePlan, target: number): string {
  const visibility =
    plan.isCursorShown === plan.wasCursorShown ? '' : plan.isCursorShown ? showCursor : hideCursor;
  if (plan.isMoved) return vertical(plan.rowsUp, target) + horizontal(plan.shown.cursor.column) + visibility;
  return visibility;
}

/** Writes the rows from the top down, and tells on which row the cursor is left. */
function paintRows(plan: FramePlan): { bytes: string; row: number } {
  let bytes = '';
  let row = plan.rowsUp;
  let known = plan.knownRows;
  if (plan.startsClear) {
    bytes += vertical(row, 0) + clearBelow;
    row = 0;
  }
  if (plan.shift) {
    bytes += shiftRows(plan.shift, row, known);
    row = plan.shift.row;
    known += plan.shift.by;
  }
  for (const { row: target, column, text, clears, flows } of plan.rows) {
    // A line feed makes a row below the last one, and scrolls if the screen ends there.
    if (target >= known) bytes += `${vertical(row, known - 1)}\r\n`;
    else if (column > 0) bytes += vertical(row, target) + horizontal(column);
    else bytes += target === row + 1 ? '\r\n' : `${vertical(row, target)}\r`;
    if (flows) bytes += wrapOn + text + wrapOff;
    else bytes += (clears === 'first' ? clearLineRest : '') + text + (clears === 'rest' ? clearLineRest : '');
    known = Math.max(known, target + 1);
    row = target;
  }
  if (!plan.clearsBelow) return { bytes, row };
  const last = plan.committedRows + plan.shown.lines.length;
  return { bytes: bytes + vertical(row, last) + clearBelow, row: last };
}

/** Makes room at the end of the region first, so that no row is pushed off the screen when some are put in. */
function shiftRows({ row, by }: RowShift, from: number, known: number): string {
  if (by < 0) return `${vertical(from, row)}\x1b[${-by}M`;
  return `${vertical(from, known - 1)}${'\n'.repeat(by)}${vertical(known - 1 + by, row)}\x1b[${by}L`;
}

/**
 * Downward by line feeds: a terminal that has become lower without our knowing drops rows below the cursor, where a
 * movement would end too early and the next one upward too far, among finished lines.
 */
function vertical(from: number, to: number): string {
  if (to >= from) return '\n'.repeat(to - from);
  return `\x1b[${from - to === 1 ? '' : from - to}A`;
}

function horizontal(column: number): string {
  return column === 0 ? '\r' : `\x1b[${column + 1}G`;
}

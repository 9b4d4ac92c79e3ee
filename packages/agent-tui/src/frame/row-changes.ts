import { isImageLine } from '../image/encode-image.ts';
import { plainText, textWidth } from '../text/styled-text.ts';

/** A row that is to be written, counted from the top of the region. */
export interface PlannedRow {
  readonly row: number;
  /** The first column to write; the columns before it are unchanged. */
  readonly column: number;
  readonly text: string;
  /** The part of the old row to clear: the rest after the text, all of it before the text is written, or nothing. */
  readonly clears: 'rest' | 'first' | 'nothing';
  /** True if the terminal breaks the text into as many rows as it needs; what follows is written below it. */
  readonly flows?: boolean;
}

/** Rows that are put in (or taken out, if `by` is negative) at a row, so that those below need not be written again. */
export interface RowShift {
  readonly row: number;
  readonly by: number;
}

/** The least to do to make the new rows out of the old ones. */
export interface RowChanges {
  readonly shift: RowShift | undefined;
  readonly rows: readonly PlannedRow[];
}

const printable = /^[\x20-\x7e]*$/;

interface ChangesOptions {
  readonly columns: number;
  readonly rows: number;
  /** Rows that the terminal breaks; all rows from the first on are new then. */
  readonly flowing?: ReadonlySet<number>;
}

/** Compares rows with those on the screen; the lower ones may just have moved. */
export function changesOf(
  before: readonly string[],
  after: readonly string[],
  { columns, rows: screenRows, flowing }: ChangesOptions,
): RowChanges {
  // A row that scrolled off the screen can't be written any more, so all of them must have room on it.
  const shift = after.length <= screenRows ? shiftOf(before, after) : undefined;
  const moved = shift ? applyShift(before, shift) : before;
  const rows = after.flatMap((text, row) => {
    if (flowing?.has(row)) return [{ row, column: 0, text, clears: 'nothing' as const, flows: true }];
    const old = moved[row];
    return old === text ? [] : [planRow({ row, old, text, columns })];
  });
  return { shift, rows };
}

/** Finds out whether the last rows are the same, though at another place. */
function shiftOf(before: readonly string[], after: readonly string[]): RowShift | undefined {
  const by = after.length - before.length;
  if (by === 0) return undefined;
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  const isWorthIt = after.slice(after.length - same).some((line) => line !== '');
  if (same === 0 || !isWorthIt) return undefined;
  return { row: Math.min(before.length, after.length) - same, by };
}

function applyShift(rows: readonly string[], { row, by }: RowShift): string[] {
  const added = Array.from({ length: Math.max(0, by) }, () => '');
  return rows.toSpliced(row, Math.max(0, -by), ...added);
}

interface RowChange {
  readonly row: number;
  readonly old: string | undefined;
  readonly text: string;
  readonly columns: number;
}

function planRow({ row, old, text, columns }: RowChange): PlannedRow {
  if (old === undefined || old === '') return { row, column: 0, text, clears: 'nothing' };
  // Streamed text grows at its end. The column of the end is known only if each character surely takes one column.
  const isGrown = text.startsWith(old) && printable.test(text);
  if (isGrown) return { row, column: old.length, text: text.slice(old.length), clears: 'nothing' };
  return { row, column: 0, text, clears: clearsOf(text, { old, columns }) };
}

/**
 * Clearing after a text is wrong where it reaches the edge, since the cursor is on its last character then. A row that
 * reaches it with characters that terminals measure differently is cleared before. So is a row that becomes shorter: tmux takes
 * cells that were cleared after a text for part of the row, and breaks it by them when it becomes narrower.
 */
function clearsOf(
  text: string,
  { old, columns }: { readonly old: string; readonly columns: number },
): PlannedRow['clears'] {
  if (isImageLine(text)) return 'rest';
  const width = textWidth(text);
  if (width < columns) return isImageLine(old) || textWidth(old) <= width ? 'rest' : 'first';
  return printable.test(plainText(text)) ? 'nothing' : 'first';
}

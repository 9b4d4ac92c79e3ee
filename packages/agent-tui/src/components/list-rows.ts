import { textWidth } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';
import { bold, type RenderStyle } from './render-style.ts';

/** One line of a list. */
export interface ListRow {
  readonly label: string;
  /** The second column. */
  readonly detail: string;
  readonly isSelected: boolean;
  readonly isDisabled?: boolean;
}

/** A further column of a list. */
export interface ListCell {
  readonly text: string;
  /** Numbers stand at the right of their column. */
  readonly isRight?: boolean;
}

/** The columns of a list. */
export interface ListLayout {
  readonly look: RenderStyle;
  readonly width: number;
  readonly labelWidth: number;
}

const lead = '  ';
const gap = '  ';
/** A second column that is narrower tells nothing. */
const leastDetail = 6;

const cellGap = '   ';

/** How wide the columns of some rows are. */
export function cellWidths(rows: readonly (readonly ListCell[])[]): readonly number[] {
  const widths: number[] = [];
  for (const cells of rows)
    for (const [index, { text }] of cells.entries())
      widths[index] = Math.max(widths[index] ?? 0, textWidth(text));
  return widths;
}

/**
 * The cells of a row below those of the others. Columns that are empty everywhere are left out, and those from the first
 * one on that does not fit. Words may be cut, but half of a number would be another number.
 */
export function joinCells(
  cells: readonly ListCell[],
  { widths, room }: { readonly widths: readonly number[]; readonly room: number },
): string {
  const columns = cells
    .map((cell, index) => ({ ...cell, width: widths[index] ?? 0 }))
    .filter(({ width }) => width > 0);
  let end = -cellGap.length;
  const cut = columns.findIndex(({ width, isRight }) => {
    const start = end + cellGap.length;
    end = start + width;
    return end > room && (isRight || room - start < leastDetail);
  });
  return columns
    .slice(0, cut < 0 ? columns.length : cut)
    .map(({ text, isRight, width }) => {
      const blanks = ' '.repeat(Math.max(0, width - textWidth(text)));
      return isRight ? blanks + text : text + blanks;
    })
    .join(cellGap)
    .trimEnd();
}

/** The width of the second column. */
export function detailRoom({ width, labelWidth }: Pick<ListLayout, 'width' | 'labelWidth'>): number {
  return width - lead.length - labelWidth - gap.length;
}

/** How wide the first column is: as wide as its content, and at most half of the line if there is a second one. */
export function labelColumn(labels: readonly string[], width: number): number {
  const widest = labels.reduce((most, label) => Math.max(most, textWidth(label)), 1);
  return Math.max(1, Math.min(widest, Math.max(12, Math.floor(width / 2) - 2), width - 2));
}

/** Draws a row of a list with two columns; the selected one is visible with and without colours. */
export function renderListRow(row: ListRow, { look, width, labelWidth }: ListLayout): string {
  const { glyphs, paint } = look;
  const room = detailRoom({ width, labelWidth });
  const hasDetail = row.detail !== '' && room >= leastDetail;
  const labelRoom = hasDetail ? labelWidth : width - lead.length;
  const label = truncateText(row.label, labelRoom, glyphs.ellipsis);
  const padding = hasDetail ? ' '.repeat(labelWidth - textWidth(label)) + gap : '';
  const detail = hasDetail ? truncateText(row.detail, room, glyphs.ellipsis) : '';
  if (!row.isSelected) {
    const shown = row.isDisabled ? paint('dim', label) : label;
    return lead + shown + padding + (detail === '' ? '' : paint('dim', detail));
  }
  const line = paint('accent', bold(`${glyphs.cursor} ${label}`)) + padding + detail;
  return paint('selectedBg', line + ' '.repeat(Math.max(0, width - textWidth(line))));
}

/** Draws the name above a group, to the left of its rows. */
export function renderGroupLine(name: string, { look, width }: Pick<ListLayout, 'look' | 'width'>): string {
  return look.paint('muted', bold(truncateText(name, width, look.glyphs.ellipsis)));
}

/** The first row of a window that keeps a row in its middle, as far as possible. */
export function windowStart(selected: number, height: number, count: number): number {
  return Math.max(0, Math.min(selected - Math.floor(height / 2), count - height));
}

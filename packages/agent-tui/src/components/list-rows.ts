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

/** The cells of a row below those of the others; columns that are empty everywhere are left out. */
export function joinCells(cells: readonly ListCell[], widths: readonly number[]): string {
  return cells
    .flatMap(({ text, isRight }, index) => {
      const width = widths[index] ?? 0;
      if (width === 0) return [];
      const blanks = ' '.repeat(Math.max(0, width - textWidth(text)));
      return [isRight ? blanks + text : text + blanks];
    })
    .join(cellGap)
    .trimEnd();
}

/** How wide the first column is: as wide as its content, and at most half of the line if there is a second one. */
export function labelColumn(labels: readonly string[], width: number): number {
  const widest = labels.reduce((most, label) => Math.max(most, textWidth(label)), 1);
  return Math.max(1, Math.min(widest, Math.max(12, Math.floor(width / 2) - 2), width - 2));
}

/** Draws a row of a list with two columns; the selected one is visible with and without colours. */
export function renderListRow(row: ListRow, { look, width, labelWidth }: ListLayout): string {
  const { glyphs, paint } = look;
  const lead = row.isSelected ? `${glyphs.cursor} ` : '  ';
  const room = width - textWidth(lead) - labelWidth - gap.length;
  const hasDetail = row.detail !== '' && room >= leastDetail;
  const labelRoom = hasDetail ? labelWidth : width - textWidth(lead);
  const label = truncateText(row.label, labelRoom, glyphs.ellipsis);
  const padding = hasDetail ? ' '.repeat(labelWidth - textWidth(label)) + gap : '';
  const detail = hasDetail ? truncateText(row.detail, room, glyphs.ellipsis) : '';
  if (!row.isSelected) {
    const shown = row.isDisabled ? paint('dim', label) : label;
    return lead + shown + padding + (detail === '' ? '' : paint('dim', detail));
  }
  const line = paint('accent', bold(lead + label)) + padding + detail;
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

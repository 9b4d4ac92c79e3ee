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

/** The columns of a list. */
export interface ListLayout {
  readonly look: RenderStyle;
  readonly width: number;
  readonly labelWidth: number;
}

const gap = '  ';
/** A second column that is narrower tells nothing. */
const leastDetail = 6;

/** How wide the first column is: as wide as its content, and at most half of the line if there is a second one. */
export function labelColumn(labels: readonly string[], width: number): number {
  const widest = labels.reduce((most, label) => Math.max(most, textWidth(label)), 1);
  return Math.max(1, Math.min(widest, Math.max(12, Math.floor(width / 2) - 2), width - 2));
}

/** Draws a row of a list with two columns; the selected one is visible with and without colours. */
export function renderListRow(row: ListRow, { look, width, labelWidth }: ListLayout): string {
  const { glyphs, paint } = look;
  const lead = row.isSelected ? `${glyphs.pointer} ` : '  ';
  const room = width - textWidth(lead) - labelWidth - gap.length;
  const hasDetail = row.detail !== '' && room >= leastDetail;
  const labelRoom = hasDetail ? labelWidth : width - textWidth(lead);
  const label = truncateText(row.label, labelRoom, glyphs.ellipsis);
  const padding = hasDetail ? ' '.repeat(labelWidth - textWidth(label)) + gap : '';
  const detail = hasDetail ? truncateText(row.detail, room, glyphs.ellipsis) : '';
  if (!row.isSelected) {
    const shown = row.isDisabled ? paint('dim', label) : label;
    return lead + shown + padding + (detail === '' ? '' : paint('muted', detail));
  }
  const line = lead + paint('accent', bold(label)) + padding + detail;
  return paint('selectedBg', line + ' '.repeat(Math.max(0, width - textWidth(line))));
}

/** Draws the line above a group. */
export function renderGroupLine(name: string, { look, width }: Pick<ListLayout, 'look' | 'width'>): string {
  const rule = look.glyphs.horizontal.repeat(2);
  return look.paint('dim', truncateText(`  ${rule} ${name} ${rule}`, width, look.glyphs.ellipsis));
}

/** The first row of a window that keeps a row in its middle, as far as possible. */
export function windowStart(selected: number, height: number, count: number): number {
  return Math.max(0, Math.min(selected - Math.floor(height / 2), count - height));
}

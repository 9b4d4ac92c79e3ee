import { bold } from '../components/look.ts';
import { textWidth } from '../text/styled-text.ts';
import { wrapText } from '../text/wrap-text.ts';
import type { Alignment, TableContent } from './block.ts';
import { type InlineStyle, renderInline } from './render-inline.ts';

/** A column narrower than this can't be read, so that rows become blocks. */
const narrowest = 6;

/** Shows a table: columns as wide as their content, wrapped where there is less room, or rows as blocks. */
export function renderTable(table: TableContent, width: number, style: InlineStyle): string[] {
  const cell = (text: string) => renderInline(text, style);
  const header = table.header.map((text) => bold(cell(text)));
  const rows = table.rows.map((row) => row.map(cell));
  const widths = columnWidths([header, ...rows], width);
  if (!widths) return renderAsBlocks(header, rows, { width, style });
  const { paint, glyphs } = style.look;
  const separator = paint('borderMuted', ` ${glyphs.vertical} `);
  const { horizontal } = glyphs;
  const rule = widths.map((column) => horizontal.repeat(column)).join(horizontal + glyphs.cross + horizontal);
  const row = (cells: readonly string[]) =>
    renderRow(cells, { widths, alignments: table.alignments, separator });
  return [...row(header), paint('borderMuted', rule), ...rows.flatMap(row)];
}

/** The width of each column; nothing if there is too little room for columns. */
export function columnWidths(rows: readonly (readonly string[])[], width: number): number[] | undefined {
  const natural = (rows[0] ?? []).map((_, column) => widest(rows.map((row) => row[column] ?? '')));
  const room = width - 3 * (natural.length - 1);
  if (sum(natural) <= room) return natural;
  if (natural.some((column) => column >= narrowest) && room < natural.length * narrowest) return undefined;
  const widths = shareRoom(natural, room);
  return widths.some((column) => column < 1) ? undefined : widths;
}

/** Gives each column what it needs where that is less than its share, and the rest to the others alike. */
function shareRoom(natural: readonly number[], room: number): number[] {
  const widths = natural.map(() => 0);
  let left = room;
  const order = natural.map((_, column) => column).sort((a, b) => (natural[a] ?? 0) - (natural[b] ?? 0));
  for (const [index, column] of order.entries()) {
    const share = Math.floor(left / (order.length - index));
    widths[column] = Math.min(natural[column] ?? 0, share);
    left -= widths[column] ?? 0;
  }
  return widths;
}

interface RowLayout {
  readonly widths: readonly number[];
  readonly alignments: readonly Alignment[];
  readonly separator: string;
}

function renderRow(cells: readonly string[], { widths, alignments, separator }: RowLayout): string[] {
  const wrapped = widths.map((width, column) => wrapText(cells[column] ?? '', width));
  const height = wrapped.reduce((most, lines) => Math.max(most, lines.length), 0);
  return Array.from({ length: height }, (_, line) =>
    widths
      .map((width, column) => align(wrapped[column]?.[line] ?? '', width, alignments[column] ?? 'left'))
      .join(separator)
      .trimEnd(),
  );
}

function align(text: string, width: number, alignment: Alignment): string {
  const blanks = Math.max(0, width - textWidth(text));
  const before = alignment === 'right' ? blanks : alignment === 'centre' ? Math.floor(blanks / 2) : 0;
  return ' '.repeat(before) + text + ' '.repeat(blanks - before);
}

function renderAsBlocks(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { width, style }: { readonly width: number; readonly style: InlineStyle },
): string[] {
  const { paint, glyphs } = style.look;
  const rule = paint('borderMuted', glyphs.horizontal.repeat(Math.min(width, 20)));
  if (rows.length === 0) return wrapText(header.join(', '), width);
  return rows.flatMap((row, index) => {
    const lines = row.flatMap((cell, column) => wrapText(`${header[column] ?? ''}: ${cell}`, width));
    return index === 0 ? lines : [rule, ...lines];
  });
}

function widest(texts: readonly string[]): number {
  return texts.flatMap((text) => text.split('\n')).reduce((most, line) => Math.max(most, textWidth(line)), 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

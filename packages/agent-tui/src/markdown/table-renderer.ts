import { bold } from '../components/render-style.ts';
import { textWidth } from '../text/styled-text.ts';
import { wrapText } from '../text/wrap-text.ts';
import type { Alignment, TableContent } from './block.ts';
import { type InlineStyle, renderInline } from './render-inline.ts';

type Row = readonly string[];

/** A row with its cells styled, the columns they would take, and its lines at the widths it was last drawn with. */
interface DrawnRow {
  readonly cells: Row;
  readonly natural: readonly number[];
  widths: readonly number[];
  lines: readonly string[];
}

/** A column narrower than this can't be read, so that rows become blocks. */
const narrowest = 6;
const gapWidth = 3;

/**
 * Shows tables: columns as wide as their content, wrapped where there is less room, or rows as blocks. It remembers
 * rows, so that one more in a table that is still being written costs that row, unless it widens a column.
 */
export class TableRenderer {
  #drawn = new WeakMap<Row, DrawnRow>();

  render(table: TableContent, width: number, style: InlineStyle): string[] {
    const whole = { ...style, isOpen: false };
    const header = draw(table.header, (cell) => bold(renderInline(cell, whole)));
    // The last row of an unfinished table may be incomplete, so it is not cached.
    const open = style.isOpen ? table.rows.at(-1) : undefined;
    const rows = table.rows.map((row) =>
      row === open ? draw(row, (cell) => renderInline(cell, style)) : this.#row(row, whole),
    );
    const widths = columnWidths([header, ...rows], width);
    if (!widths) return renderAsBlocks(header, rows, { width, style });
    const { paint, glyphs } = style.look;
    const { horizontal, vertical, cross } = glyphs;
    const layout = { widths, alignments: table.alignments, separator: paint('borderMuted', ` ${vertical} `) };
    const rule = widths.map((column) => horizontal.repeat(column)).join(horizontal + cross + horizontal);
    return [
      ...linesOf(header, layout),
      paint('borderMuted', rule),
      ...rows.flatMap((row) => linesOf(row, layout)),
    ];
  }

  #row(row: Row, style: InlineStyle): DrawnRow {
    const known = this.#drawn.get(row);
    if (known) return known;
    const drawn = draw(row, (cell) => renderInline(cell, style));
    this.#drawn.set(row, drawn);
    return drawn;
  }
}

function draw(row: Row, style: (cell: string) => string): DrawnRow {
  const cells = row.map(style);
  return { cells, natural: cells.map(naturalWidth), widths: [], lines: [] };
}

function naturalWidth(cell: string): number {
  return cell.split('\n').reduce((most, line) => Math.max(most, textWidth(line)), 1);
}

/** The width of each column; nothing if there is too little room for columns. */
function columnWidths(rows: readonly DrawnRow[], width: number): readonly number[] | undefined {
  const natural = [...(rows[0]?.natural ?? [])];
  for (const row of rows) {
    for (const [column, cell] of row.natural.entries())
      natural[column] = Math.max(natural[column] ?? 1, cell);
  }
  const room = width - gapWidth * (natural.length - 1);
  if (natural.reduce((sum, column) => sum + column, 0) <= room) return natural;
  const isWide = natural.some((column) => column >= narrowest);
  if (isWide && room < natural.length * narrowest) return undefined;
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

function linesOf(row: DrawnRow, { widths, alignments, separator }: RowLayout): readonly string[] {
  if (row.widths.length > 0 && row.widths.every((width, column) => width === widths[column]))
    return row.lines;
  const wrapped = widths.map((width, column) => wrapText(row.cells[column] ?? '', width));
  const height = wrapped.reduce((most, lines) => Math.max(most, lines.length), 0);
  const cell = (column: number, line: number) =>
    align(wrapped[column]?.[line] ?? '', widths[column] ?? 0, alignments[column] ?? 'left');
  row.widths = widths;
  row.lines = Array.from({ length: height }, (_, line) =>
    widths
      .map((_width, column) => cell(column, line))
      .join(separator)
      .trimEnd(),
  );
  return row.lines;
}

function align(text: string, width: number, alignment: Alignment): string {
  const blanks = Math.max(0, width - textWidth(text));
  const before = alignment === 'right' ? blanks : alignment === 'centre' ? Math.floor(blanks / 2) : 0;
  return ' '.repeat(before) + text + ' '.repeat(blanks - before);
}

function renderAsBlocks(
  header: DrawnRow,
  rows: readonly DrawnRow[],
  { width, style }: { readonly width: number; readonly style: InlineStyle },
): string[] {
  const { paint, glyphs } = style.look;
  const rule = paint('borderMuted', glyphs.horizontal.repeat(Math.min(width, 20)));
  if (rows.length === 0) return wrapText(header.cells.join(', '), width);
  return rows.flatMap(({ cells }, index) => {
    const lines = cells.flatMap((cell, column) => wrapText(`${header.cells[column] ?? ''}: ${cell}`, width));
    return index === 0 ? lines : [rule, ...lines];
  });
}

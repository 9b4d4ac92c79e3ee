import type { Alignment } from './block.ts';

const fence = /^( {0,3})(`{3,}|~{3,})(.*)$/s;
const heading = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const setextUnderline = /^ {0,3}(?:=+|-+)[ \t]*$/;
const item = /^( *)([-+*]|\d{1,9}[.)])( +|$)/;
const quote = /^ {0,3}> ?/;
const delimiterRow = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;

/** How a code block begins. */
export interface FenceStart {
  readonly indent: number;
  readonly marks: string;
  readonly language: string;
}

/** How an item of a list begins. */
export interface ItemStart {
  readonly indent: number;
  /** `-`, `+`, `*`, `.` or `)`: items with the same one belong to the same list. */
  readonly type: string;
  readonly number: number | undefined;
  /** The column its text begins at, which lines that belong to it are indented by. */
  readonly contentIndent: number;
  readonly text: string;
}

/** True if a line holds nothing. */
export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** The blanks a line begins with. */
export function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === ' ') indent++;
  return indent;
}

/** The line with tabs before its text made blanks. */
export function withoutLeadingTabs(line: string): string {
  const start = line.search(/[^ \t]/);
  const lead = start < 0 ? line : line.slice(0, start);
  if (!lead.includes('\t')) return line;
  let column = 0;
  for (const character of lead) column += widthAt(column, character);
  return ' '.repeat(column) + (start < 0 ? '' : line.slice(start));
}

/** The line without the first columns of its indent; the rest keeps its tabs, but for one that is only partly taken. */
export function withoutIndent(line: string, columns: number): string {
  let column = 0;
  let index = 0;
  while (column < columns && (line[index] === ' ' || line[index] === '\t')) {
    column += widthAt(column, line[index]);
    index++;
  }
  return ' '.repeat(Math.max(0, column - columns)) + line.slice(index);
}

const tabWidth = 4;

function widthAt(column: number, character: string | undefined): number {
  return character === '\t' ? tabWidth - (column % tabWidth) : 1;
}

/** Reads the beginning of a code block. */
export function readFence(line: string): FenceStart | undefined {
  const found = fence.exec(line);
  if (!found) return undefined;
  const [, indent = '', marks = '', info = ''] = found;
  if (marks.startsWith('`') && info.includes('`')) return undefined;
  return { indent: indent.length, marks, language: /^[^\s{]*/.exec(info.trim())?.[0] ?? '' };
}

/** True if a line ends a code block. */
export function closesFence(line: string, start: FenceStart): boolean {
  const text = line.trim();
  const mark = start.marks[0] ?? '`';
  if (indentOf(line) > 3 || text.length < start.marks.length) return false;
  return text === mark.repeat(text.length);
}

/** Reads a heading that begins with `#`. */
export function readHeading(line: string): { readonly depth: number; readonly text: string } | undefined {
  const found = heading.exec(line);
  if (!found) return undefined;
  const text = line.slice(found[0].length).trim();
  return { depth: found[1]?.length ?? 1, text: withoutClosingMarks(text) };
}

/** True if a line is a horizontal rule. */
export function isRule(line: string): boolean {
  return rule.test(line);
}

/** The depth of the heading that a line makes of the line above it. */
export function readUnderline(line: string): number | undefined {
  if (!setextUnderline.test(line)) return undefined;
  return line.includes('=') ? 1 : 2;
}

/** Reads the beginning of an item of a list. */
export function readItem(line: string): ItemStart | undefined {
  const found = item.exec(line);
  if (!found) return undefined;
  const [, indent = '', mark = '', blanks = ''] = found;
  const text = line.slice(found[0].length);
  // More blanks than four begin a code block inside the item, and those of an empty item mean nothing.
  const gap = text === '' || blanks.length > 4 ? 1 : blanks.length;
  return {
    indent: indent.length,
    type: mark.slice(-1),
    number: mark.length > 1 ? Number.parseInt(mark, 10) : undefined,
    contentIndent: indent.length + mark.length + gap,
    text: ' '.repeat(Math.max(0, blanks.length - gap)) + text,
  };
}

/** The line without its sign of a quote. */
export function readQuote(line: string): string | undefined {
  const found = quote.exec(line);
  return found ? line.slice(found[0].length) : undefined;
}

/** The columns in the second line of a table. */
export function readDelimiterRow(line: string): Alignment[] | undefined {
  if (!line.includes('|') || indentOf(line) > 3 || !delimiterRow.test(line.trim())) return undefined;
  return splitRow(line).map((cell) => {
    if (!cell.endsWith(':')) return 'left';
    return cell.startsWith(':') ? 'centre' : 'right';
  });
}

/** The cells of a row of a table. */
export function splitRow(line: string): string[] {
  const text = line.trim();
  const cells: string[] = [];
  let cell = '';
  for (let index = text.startsWith('|') ? 1 : 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (character === '\\' && text[index + 1] === '|') {
      cell += '|';
      index++;
    } else if (character === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  if (cell.trim() !== '' || !text.endsWith('|')) cells.push(cell.trim());
  return cells;
}

/** True if a line begins something that ends a paragraph. */
export function interruptsParagraph(line: string): boolean {
  if (readFence(line) || heading.test(line) || isRule(line) || quote.test(line)) return true;
  const start = readItem(line);
  return start !== undefined && start.indent < 4 && start.text !== '' && (start.number ?? 1) === 1;
}

/** Lines without the blank ones at their end. */
export function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  while (end > 0 && isBlank(lines[end - 1] ?? '')) end--;
  return end === lines.length ? lines : lines.slice(0, end);
}

function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end--;
  const isClosing = end < text.length && (end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t');
  return isClosing ? text.slice(0, end).trimEnd() : text;
}

import { type Inline, parseInline } from './parse-inline.ts';

/** A block of a Markdown text. */
export type Block =
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list';
      readonly ordered: boolean;
      readonly start: number;
      readonly items: readonly ListItem[];
    }
  | {
      readonly kind: 'table';
      /** How each column is set; the left where nothing is said. */
      readonly align: readonly (Alignment | undefined)[];
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: 'rule' };

export type Alignment = 'left' | 'center' | 'right';

interface ListItem {
  /** Whether it is ticked, where it has a box. */
  readonly done?: boolean;
  readonly blocks: readonly Block[];
}

const deepest = 8;
const itemPattern = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)(.*)$/s;
const headingPattern = /^ {0,3}(#{1,6})(?![^ \t])(.*)$/s;
const rulePattern = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** Reads the Markdown that models write. HTML in it is text like any other. */
export function parseMarkdown(text: string): readonly Block[] {
  return new BlockReader(text.split(/\r?\n/), 0).read();
}

class BlockReader {
  readonly #lines: readonly string[];
  readonly #depth: number;
  readonly #blocks: Block[] = [];
  #at = 0;
  #paragraph: string[] = [];

  constructor(lines: readonly string[], depth: number) {
    this.#lines = lines;
    this.#depth = depth;
  }

  read(): readonly Block[] {
    while (this.#at < this.#lines.length) this.#readLine(this.#lines[this.#at] ?? '');
    this.#endParagraph();
    return this.#blocks;
  }

  #readLine(line: string): void {
    if (line.trim() === '') {
      this.#endParagraph();
      this.#at++;
      return;
    }
    const fence = /^( {0,3})(`{3,}|~{3,})(.*)$/s.exec(line);
    if (fence && !(fence[2]?.startsWith('`') && fence[3]?.includes('`'))) return this.#readFence(fence);
    const heading = headingPattern.exec(line);
    if (heading) {
      return this.#add(
        { kind: 'heading', level: heading[1]?.length ?? 1, content: parseInline(titleOf(heading)) },
        1,
      );
    }
    if (rulePattern.test(line)) return this.#add({ kind: 'rule' }, 1);
    if (this.#depth < deepest && /^ {0,3}>/.test(line)) return this.#readQuote();
    if (this.#depth < deepest && itemPattern.test(line)) return this.#readList();
    if (line.includes('|') && this.#startsTable()) return this.#readTable();
    this.#paragraph.push(line.trim() === line ? line : line.trimStart());
    this.#at++;
  }

  #add(block: Block, lines: number): void {
    this.#endParagraph();
    this.#blocks.push(block);
    this.#at += lines;
  }

  #endParagraph(): void {
    if (this.#paragraph.length === 0) return;
    this.#blocks.push({ kind: 'paragraph', content: parseInline(this.#paragraph.join('\n').trimEnd()) });
    this.#paragraph = [];
  }

  #readFence([, indent = '', run = '', rest = '']: RegExpExecArray): void {
    const closing = new RegExp(`^ {0,3}\\${run[0]}{${run.length},}[ \\t]*$`);
    const body: string[] = [];
    let at = this.#at + 1;
    for (; at < this.#lines.length && !closing.test(this.#lines[at] ?? ''); at++)
      body.push(withoutIndent(this.#lines[at] ?? '', indent.length));
    const language = rest.trim().split(/\s/, 1)[0] ?? '';
    this.#add({ kind: 'code', language, text: body.join('\n') }, at + 1 - this.#at);
  }

  #readQuote(): void {
    const inner: string[] = [];
    let at = this.#at;
    for (; at < this.#lines.length; at++) {
      const line = this.#lines[at] ?? '';
      if (!/^ {0,3}>/.test(line)) break;
      inner.push(line.replace(/^ {0,3}> ?/, ''));
    }
    this.#add({ kind: 'quote', blocks: this.#nested(inner) }, at - this.#at);
  }

  #readList(): void {
    const first = itemPattern.exec(this.#lines[this.#at] ?? '');
    const ordered = /\d/.test(first?.[2] ?? '');
    const items: ListItem[] = [];
    let at = this.#at;
    while (at < this.#lines.length) {
      const found = itemPattern.exec(this.#lines[at] ?? '');
      if (!found || rulePattern.test(found[0]) || /\d/.test(found[2] ?? '') !== ordered) break;
      const { lines, next } = this.#itemLines(at, found);
      items.push(this.#item(lines));
      at = next;
    }
    const start = Number.parseInt(first?.[2] ?? '1', 10);
    this.#add({ kind: 'list', ordered, start: ordered ? start : 1, items }, at - this.#at);
  }

  /** An item goes on over lines that are indented like its text, and over lazy lines of its paragraph. */
  #itemLines(at: number, [, indent = '', marker = '', space = '', text = '']: RegExpExecArray) {
    const width = indent.length + marker.length + Math.min(Math.max(space.length, 1), 4);
    const lines = [text];
    let next = at + 1;
    for (; next < this.#lines.length; next++) {
      const line = this.#lines[next] ?? '';
      const own = line.length - line.trimStart().length;
      const isBlank = line.trim() === '';
      const following = this.#lines[next + 1] ?? '';
      if (isBlank && !/^\s/.test(following) && !itemPattern.test(following)) break;
      if (!isBlank && own < Math.min(width, 2) && (startsBlock(line) || lines.at(-1)?.trim() === '')) break;
      lines.push(withoutIndent(line, width));
    }
    return { lines, next };
  }

  #item(lines: readonly string[]): ListItem {
    const [first = '', ...rest] = lines;
    const box = /^\[([ xX])\] +(.*)$/s.exec(first);
    if (!box) return { blocks: this.#nested(lines) };
    return { done: box[1] !== ' ', blocks: this.#nested([box[2] ?? '', ...rest]) };
  }

  #startsTable(): boolean {
    const separator = this.#lines[this.#at + 1] ?? '';
    return separator.includes('-') && separator.includes('|') && isSeparator(separator);
  }

  #readTable(): void {
    const head = cellsOf(this.#lines[this.#at] ?? '');
    const rows: (readonly (readonly Inline[])[])[] = [];
    let at = this.#at + 2;
    for (; at < this.#lines.length && this.#lines[at]?.includes('|'); at++)
      rows.push(cellsOf(this.#lines[at] ?? ''));
    const align = alignmentsOf(this.#lines[this.#at + 1] ?? '');
    this.#add({ kind: 'table', align, head, rows }, at - this.#at);
  }

  #nested(lines: readonly string[]): readonly Block[] {
    return new BlockReader(lines, this.#depth + 1).read();
  }
}

function startsBlock(line: string): boolean {
  return (
    itemPattern.test(line) ||
    headingPattern.test(line) ||
    rulePattern.test(line) ||
    /^ {0,3}(>|```|~~~)/.test(line)
  );
}

/** Signs that close a heading do not belong to its title. */
function titleOf([, , text = '']: RegExpExecArray): string {
  return text
    .trim()
    .replace(/(?<![^ \t])#+$/, '')
    .trim();
}

/** The line below the head of a table, such as `| --- | :-: |`. */
function isSeparator(line: string): boolean {
  return separatorCells(line).every((cell) => /^:?-+:?$/.test(cell));
}

function alignmentsOf(line: string): readonly (Alignment | undefined)[] {
  return separatorCells(line).map((cell) => {
    if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right';
    return cell.startsWith(':') ? 'left' : undefined;
  });
}

function separatorCells(line: string): readonly string[] {
  const cells = line.trim().replace(/^\|/, '').replace(/\|$/, '').split('|');
  return cells.map((cell) => cell.trim());
}

function withoutIndent(line: string, width: number): string {
  const own = line.length - line.trimStart().length;
  return line.slice(Math.min(own, width));
}

function cellsOf(line: string): readonly (readonly Inline[])[] {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/);
  return cells.map((cell) => parseInline(cell.trim().replaceAll('\\|', '|')));
}

import type { Alignment, BlockContent, CodeContent } from './block.ts';
import {
  closesFence,
  type FenceStart,
  type ItemStart,
  indentOf,
  interruptsParagraph,
  isBlank,
  isRule,
  readDelimiterRow,
  readFence,
  readHeading,
  readItem,
  readQuote,
  readUnderline,
  splitRow,
} from './line-kinds.ts';

/**
 * What a block makes of the next line: it takes it, takes it as its last, leaves it to the next block, or finds that
 * it is something else.
 */
export type Taking = 'taken' | 'last' | 'refused' | OpenBlock;

/** A block that further lines may belong to. */
export interface OpenBlock {
  take(line: string): Taking;
  /** What it holds so far. */
  contents(): readonly BlockContent[];
  /** Another one in the same state, so that a line can be tried. */
  copy(): OpenBlock;
  /** Whether its last line is blank, which is a gap before the next block. */
  readonly endsBlank: boolean;
}

/** The block that begins with a line that is not blank. */
export function openBlock(line: string, previousItem: ItemStart | undefined): OpenBlock {
  const heading = readHeading(line);
  if (heading) return new ClosedBlock({ kind: 'heading', ...heading });
  const fence = readFence(line);
  if (fence) return new FencedCode(fence);
  if (isRule(line)) return new ClosedBlock({ kind: 'rule' });
  if (readQuote(line) !== undefined) return new Quote([], line);
  const item = readItem(line);
  if (item && item.indent < 4) return new Item(followingItem(item, previousItem));
  if (indentOf(line) >= 4) return new IndentedCode([], line);
  return new Paragraph([line]);
}

/** The start of an item with the number it is shown with: as written, but never lower than its place in the list. */
function followingItem(item: ItemStart, previous: ItemStart | undefined): ItemStart {
  if (item.number === undefined || previous?.number === undefined || previous.type !== item.type) return item;
  return { ...item, number: Math.max(item.number, previous.number + 1) };
}

/** A heading or a rule, which is one line. */
class ClosedBlock implements OpenBlock {
  readonly endsBlank = false;
  readonly #content: BlockContent;

  constructor(content: BlockContent) {
    this.#content = content;
  }

  take(): Taking {
    return 'refused';
  }

  contents(): readonly BlockContent[] {
    return [this.#content];
  }

  copy(): OpenBlock {
    return this;
  }
}

class Paragraph implements OpenBlock {
  readonly endsBlank = false;
  readonly #lines: string[];
  #depth: number | undefined;

  constructor(lines: readonly string[]) {
    this.#lines = [...lines];
  }

  take(line: string): Taking {
    if (isBlank(line)) return 'refused';
    const depth = readUnderline(line);
    // Below several lines people mean a rule.
    if (depth !== undefined && (depth === 1 || this.#lines.length === 1)) {
      this.#depth = depth;
      return 'last';
    }
    const table = this.#asTable(line);
    if (table) return table;
    if (interruptsParagraph(line)) return 'refused';
    this.#lines.push(line);
    return 'taken';
  }

  contents(): readonly BlockContent[] {
    const text = this.#lines.map((line) => line.trimStart()).join('\n');
    if (this.#depth === undefined) return [{ kind: 'paragraph', text: text.trimEnd() }];
    return [{ kind: 'heading', depth: this.#depth, text: text.trim() }];
  }

  copy(): OpenBlock {
    return new Paragraph(this.#lines);
  }

  #asTable(line: string): OpenBlock | undefined {
    const alignments = readDelimiterRow(line);
    const header = this.#lines.at(-1) ?? '';
    if (!alignments || !header.includes('|') || splitRow(header).length !== alignments.length)
      return undefined;
    const before = this.#lines.slice(0, -1);
    return new Table({ before, header: splitRow(header), alignments, rows: [] });
  }
}

interface TableState {
  /** Lines of a paragraph that the table follows without a gap. */
  readonly before: readonly string[];
  readonly header: readonly string[];
  readonly alignments: readonly Alignment[];
  readonly rows: readonly (readonly string[])[];
}

class Table implements OpenBlock {
  readonly endsBlank = false;
  readonly #state: TableState;
  readonly #rows: (readonly string[])[];

  constructor(state: TableState) {
    this.#state = state;
    this.#rows = [...state.rows];
  }

  take(line: string): Taking {
    if (isBlank(line) || !line.includes('|') || interruptsParagraph(line)) return 'refused';
    const cells = splitRow(line);
    this.#rows.push(this.#state.header.map((_, column) => cells[column] ?? ''));
    return 'taken';
  }

  contents(): readonly BlockContent[] {
    const { before, header, alignments } = this.#state;
    const table: BlockContent = { kind: 'table', header, alignments, rows: [...this.#rows] };
    return before.length === 0 ? [table] : [...new Paragraph(before).contents(), table];
  }

  copy(): OpenBlock {
    return new Table({ ...this.#state, rows: this.#rows });
  }
}

/** Code between two fences. */
export class FencedCode implements OpenBlock {
  readonly endsBlank = false;
  readonly #start: FenceStart;
  /** Shared with copies, which only add to their own tail. */
  readonly #lines: string[];
  readonly #tail: string[] | undefined;

  constructor(start: FenceStart, shared?: string[]) {
    this.#start = start;
    this.#lines = shared ?? [];
    this.#tail = shared ? [] : undefined;
  }

  take(line: string): Taking {
    if (closesFence(line, this.#start)) return 'last';
    const code = line.slice(Math.min(this.#start.indent, indentOf(line)));
    (this.#tail ?? this.#lines).push(code);
    return 'taken';
  }

  contents(): readonly BlockContent[] {
    return [this.content];
  }

  get content(): CodeContent {
    const { language } = this.#start;
    return { kind: 'code', language, lines: this.#lines, tail: this.#tail ?? [] };
  }

  copy(): OpenBlock {
    return new FencedCode(this.#start, this.#lines);
  }
}

class IndentedCode implements OpenBlock {
  readonly #lines: string[];

  constructor(lines: readonly string[], line?: string) {
    this.#lines = [...lines];
    if (line !== undefined) this.#lines.push(line.slice(4));
  }

  get endsBlank(): boolean {
    return isBlank(this.#lines.at(-1) ?? '');
  }

  take(line: string): Taking {
    if (!isBlank(line) && indentOf(line) < 4) return 'refused';
    this.#lines.push(line.slice(4));
    return 'taken';
  }

  contents(): readonly BlockContent[] {
    return [{ kind: 'code', language: '', lines: withoutBlankEnd(this.#lines), tail: [] }];
  }

  copy(): OpenBlock {
    return new IndentedCode(this.#lines);
  }
}

class Quote implements OpenBlock {
  readonly endsBlank = false;
  readonly #lines: string[];

  constructor(lines: readonly string[], line?: string) {
    this.#lines = [...lines];
    if (line !== undefined) this.#lines.push(readQuote(line) ?? line);
  }

  take(line: string): Taking {
    const text = readQuote(line);
    const goesOn =
      text !== undefined || (!isBlank(line) && !interruptsParagraph(line) && !this.#endsParagraph);
    if (!goesOn) return 'refused';
    this.#lines.push(text ?? line);
    return 'taken';
  }

  contents(): readonly BlockContent[] {
    return [{ kind: 'quote', lines: withoutBlankEnd(this.#lines) }];
  }

  copy(): OpenBlock {
    return new Quote(this.#lines);
  }

  get #endsParagraph(): boolean {
    return isBlank(this.#lines.at(-1) ?? '');
  }
}

/** An item of a list with everything that is indented below it. */
export class Item implements OpenBlock {
  readonly start: ItemStart;
  readonly #lines: string[];
  #fence: FenceStart | undefined;
  /** Whether its last line is text, which lines may follow without being indented. */
  #endsInText = true;

  constructor(start: ItemStart, original?: Item) {
    this.start = start;
    this.#lines = original ? [...original.#lines] : [];
    if (!original) {
      this.#add(start.text);
      return;
    }
    this.#fence = original.#fence;
    this.#endsInText = original.#endsInText;
  }

  get endsBlank(): boolean {
    return this.#lines.length > 1 && isBlank(this.#lines.at(-1) ?? '');
  }

  take(line: string): Taking {
    if (isBlank(line)) return this.#add('');
    const indent = indentOf(line);
    const isInside = indent >= this.start.contentIndent || this.#isNestedItem(line);
    if (isInside) return this.#add(line.slice(Math.min(indent, this.start.contentIndent)));
    const goesOn = this.#endsInText && !interruptsParagraph(line) && !readItem(line);
    return goesOn ? this.#add(line.trimStart()) : 'refused';
  }

  contents(): readonly BlockContent[] {
    const { number, type } = this.start;
    const label = number === undefined ? '' : `${number}${type}`;
    const task = /^\[([ xX])\](?: |$)/.exec(this.#lines[0] ?? '');
    const lines = withoutBlankEnd(this.#lines);
    if (!task) return [{ kind: 'item', label, lines }];
    const first = (lines[0] ?? '').slice(task[0].length);
    return [
      { kind: 'item', label, task: task[1] === ' ' ? 'open' : 'done', lines: [first, ...lines.slice(1)] },
    ];
  }

  copy(): OpenBlock {
    return new Item(this.start, this);
  }

  /** Two columns more than the item have always been enough for people to mean a list inside it. */
  #isNestedItem(line: string): boolean {
    return !this.#fence && indentOf(line) >= this.start.indent + 2 && readItem(line) !== undefined;
  }

  #add(line: string): 'taken' {
    this.#lines.push(line);
    const wasInFence = this.#fence !== undefined;
    if (!this.#fence) this.#fence = readFence(line);
    else if (closesFence(line, this.#fence)) this.#fence = undefined;
    this.#endsInText = !wasInFence && !this.#fence && !isBlank(line) && !readHeading(line) && !isRule(line);
    return 'taken';
  }
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  while (end > 0 && isBlank(lines[end - 1] ?? '')) end--;
  return end === lines.length ? lines : lines.slice(0, end);
}

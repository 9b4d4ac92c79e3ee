import type { Alignment, BlockContent, OpenBlock, Taking } from './block.ts';
import { interruptsParagraph, isBlank, readDelimiterRow, readUnderline, splitRow } from './line-kinds.ts';

/** Longer text is split into several paragraphs, of which only the last is rendered while it grows. */
const longestParagraph = 16_384;

/** Lines of text, which the next line may make a heading or the head of a table. */
export class Paragraph implements OpenBlock {
  readonly endsBlank = false;
  readonly #lines: string[] = [];
  #depth: number | undefined;

  #length = 0;

  constructor(lines: readonly string[]) {
    for (const line of lines) this.#add(line);
  }

  take(line: string): Taking {
    if (isBlank(line)) return 'refused';
    const depth = readUnderline(line);
    // Below several lines, a rule is meant.
    if (depth !== undefined && (depth === 1 || this.#lines.length === 1)) {
      this.#depth = depth;
      return 'last';
    }
    const table = this.#asTable(line);
    if (table) return table;
    if (interruptsParagraph(line) || this.#length > longestParagraph) return 'refused';
    this.#add(line);
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

  #add(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
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

import { changeStart, type DiffLine, marksOfLine } from '@robota-sdk/agent-diff';
import { bold, inverse, type RenderStyle, underline } from '../components/render-style.ts';
import { textWidth } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';
import { cutCells, type DiffCell, diffCells, wrapCells } from './diff-cells.ts';
import type { DiffCode } from './diff-code.ts';
import type { DiffEntry, DiffLayout } from './diff-layout.ts';

export interface DiffPainterOptions {
  readonly look: RenderStyle;
  readonly code: DiffCode;
  readonly isRevealing: boolean;
  /** Whether lines that are too long continue below. */
  readonly isWrapping: boolean;
}

const signs = { added: '+', removed: '-', context: ' ', gap: ' ' } as const;
const signTokens = { added: 'diffAdded', removed: 'diffRemoved', context: 'dim', gap: 'dim' } as const;
const grounds = { added: 'diffAddedBg', removed: 'diffRemovedBg' } as const;
const wordGrounds = { added: 'diffAddedWordBg', removed: 'diffRemovedWordBg' } as const;

/** Columns that numbers and signs take before the code. */
export function leadWidth(digits: number): number {
  return digits === 0 ? 2 : digits + 3;
}

/** A line, and the columns it may take; the old side of a pair has numbers of its own. */
interface Side {
  readonly index: number;
  readonly width: number;
  readonly isOld?: boolean;
}

/** Paints the rows of entries of a diff. */
export class DiffPainter {
  readonly #options: DiffPainterOptions;
  readonly #layout: DiffLayout;

  constructor(layout: DiffLayout, options: DiffPainterOptions) {
    this.#layout = layout;
    this.#options = options;
  }

  paint(entry: DiffEntry): readonly string[] {
    const { width, isSplit } = this.#layout;
    if (entry.kind === 'gap') return [this.#gap(this.#layout.lines[entry.left], width)];
    if (!isSplit) return this.#side(entry, { index: entry.left, width });
    const left = Math.floor(width / 2);
    const old = this.#side(entry, { index: entry.left, width: left, isOld: true });
    const now = this.#side(entry, { index: entry.right, width: width - left - 1 });
    const { paint, glyphs } = this.#options.look;
    const bar = paint('border', glyphs.vertical);
    return Array.from(
      { length: Math.max(old.length, now.length) },
      (_, row) => this.#fill(old[row] ?? '', left) + bar + (now[row] ?? ''),
    );
  }

  /** The rows of a line, or of one side of a pair. */
  #side(entry: DiffEntry, { index, width, isOld = false }: Side): readonly string[] {
    const line = this.#layout.lines[index];
    if (!line) return [];
    if (entry.kind === 'no-newline') return [this.#noNewline(width)];
    const lead = this.#lead(line, isOld ? this.#layout.oldNumbers[index] : line.line);
    return this.#rowsOf(index).map((cells, row) => {
      const code = this.#code(cells, line.kind);
      const start = row === 0 ? lead : ' '.repeat(textWidth(lead));
      return this.#ground(truncateText(start + code, width, ''), { kind: line.kind, width });
    });
  }

  #rowsOf(index: number): readonly (readonly DiffCell[])[] {
    const { lines, room } = this.#layout;
    const { code, isRevealing, isWrapping, look } = this.#options;
    const kind = lines[index]?.kind;
    const isChanged = kind === 'added' || kind === 'removed';
    const cells = diffCells({
      parts: code.partsOf(index),
      marks: marksOfLine(lines, index),
      blank: isChanged ? look.glyphs.blank : undefined,
      isRevealing,
    });
    if (isWrapping) return wrapCells(cells, room);
    const focusOf = () => {
      const same = (lines[index]?.text ?? '').slice(0, changeStart(lines, index));
      return diffCells({ parts: [{ text: same }], isRevealing }).length;
    };
    return [cutCells(cells, { width: room, mark: look.glyphs.ellipsis, focusOf })];
  }

  #lead({ kind }: DiffLine, number: number | undefined): string {
    const { digits } = this.#layout;
    const { paint } = this.#options.look;
    const shown = number === undefined || number === 0 ? '' : String(number);
    const text = `${digits === 0 ? '' : `${shown.padStart(digits)} `}${signs[kind]} `;
    return paint(signTokens[kind], text);
  }

  #code(cells: readonly DiffCell[], kind: DiffLine['kind']): string {
    const { paint } = this.#options.look;
    let painted = '';
    for (let index = 0; index < cells.length; ) {
      const first = cells[index];
      if (!first) break;
      let end = index;
      let text = '';
      while (cells[end]?.token === first.token && cells[end]?.isMarked === first.isMarked)
        text += cells[end++]?.text;
      const isMarked = first.isMarked && (kind === 'added' || kind === 'removed');
      painted += isMarked ? this.#marked(text, first.token, kind) : paint(first.token, text);
      index = end;
    }
    return painted;
  }

  /** A changed word: on a ground of its own, else inverse, else bold and underlined where there are no colours. */
  #marked(text: string, token: DiffCell['token'], kind: 'added' | 'removed'): string {
    const { paint } = this.#options.look;
    const coloured = paint(token === 'warning' ? token : 'text', text);
    const isTinted = paint(wordGrounds[kind], 'x') !== 'x';
    if (isTinted) return paint(wordGrounds[kind], bold(coloured));
    return paint(signTokens[kind], 'x') === 'x' ? bold(underline(text)) : inverse(coloured);
  }

  #ground(
    text: string,
    { kind, width }: { readonly kind: DiffLine['kind']; readonly width: number },
  ): string {
    if (kind !== 'added' && kind !== 'removed') return text;
    const { paint } = this.#options.look;
    const token = grounds[kind];
    return paint(token, 'x') === 'x' ? text : paint(token, this.#fill(text, width));
  }

  #gap(line: DiffLine | undefined, width: number): string {
    const { digits } = this.#layout;
    const { paint, glyphs } = this.#options.look;
    const count = line?.hidden;
    const text =
      count === undefined ? (line?.text ?? '') : `${count} unchanged line${count === 1 ? '' : 's'}`;
    const lead = digits === 0 ? glyphs.gap : glyphs.gap.padStart(digits);
    const row = `${lead}${' '.repeat(Math.max(1, leadWidth(digits) - lead.length))}${text}`.trimEnd();
    return paint('dim', truncateText(row, width, glyphs.ellipsis));
  }

  #noNewline(width: number): string {
    const { paint, glyphs } = this.#options.look;
    const text = `${' '.repeat(leadWidth(this.#layout.digits))}${glyphs.noNewline} no newline at end of file`;
    return paint('dim', truncateText(text, width, glyphs.ellipsis));
  }

  #fill(text: string, width: number): string {
    return text + ' '.repeat(Math.max(0, width - textWidth(text)));
  }
}

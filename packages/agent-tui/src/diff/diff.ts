import { countChanges, type DiffLine, type FileDiff, withContext } from '@robota-sdk/agent-diff';
import { createRenderStyle, type RenderStyle } from '../components/render-style.ts';
import type { Component } from '../text/component.ts';
import { truncateText } from '../text/truncate-text.ts';
import { rowsNeeded } from './diff-cells.ts';
import { DiffCode } from './diff-code.ts';
import {
  type DiffLayout,
  digitsOf,
  entryAt,
  oldNumbersOf,
  splitEntries,
  unifiedEntries,
} from './diff-layout.ts';
import { DiffPainter, leadWidth } from './diff-painter.ts';

/** Options of a {@link Diff}. */
export interface DiffOptions {
  readonly diff: Pick<FileDiff, 'lines' | 'more' | 'added' | 'removed'> & { readonly path?: string };
  readonly look?: RenderStyle;
  /** `render` shows no more rows than this, and how much it hides. */
  readonly mostRows?: number;
  /** Long lines continue below instead of being cut. Narrow terminals always do that. */
  readonly isWrapping?: boolean;
  /** Spells out every invisible character, for users who decide by the diff. */
  readonly isRevealing?: boolean;
  /** Old and new lines stand side by side from this width on; never if it is 0. */
  readonly splitWidth?: number;
  /** Columns that numbers take at least. */
  readonly numberWidth?: number;
}

const narrowWidth = 60;
const narrowContext = 1;
const defaultSplitWidth = 160;
const defaultNumberWidth = 5;
const mostPaintedEntries = 512;

/** The change of a file as rows. Only the rows that are asked for are painted. */
export class Diff implements Component {
  readonly #options: DiffOptions;
  readonly #look: RenderStyle;
  readonly #painted = new Map<number, readonly string[]>();
  #drawn: { readonly layout: DiffLayout; readonly painter: DiffPainter } | undefined;

  constructor(options: DiffOptions) {
    this.#options = options;
    this.#look = options.look ?? createRenderStyle();
  }

  /** How many rows show all of it. */
  height(width: number): number {
    const { layout } = this.#at(width);
    return (layout.starts.at(-1) ?? 0) + (this.#isCut ? 1 : 0);
  }

  /** The rows at which hunks begin. */
  hunkRows(width: number): readonly number[] {
    const { entries, starts } = this.#at(width).layout;
    return entries.flatMap(({ kind }, index) => {
      const isStart = kind !== 'gap' && (index === 0 || entries[index - 1]?.kind === 'gap');
      return isStart ? [starts[index] ?? 0] : [];
    });
  }

  /** The rows of a line, from the first to the one after the last; undefined if it is not shown at this width. */
  rowsOfLine(width: number, line: DiffLine): { readonly start: number; readonly end: number } | undefined {
    const { entries, starts, lines } = this.#at(width).layout;
    const index = lines.indexOf(line);
    const entry = index < 0 ? -1 : entries.findIndex(({ left, right }) => left === index || right === index);
    return entry < 0 ? undefined : { start: starts[entry] ?? 0, end: starts[entry + 1] ?? 0 };
  }

  /** The rows from one to another, which is not among them. */
  rows(width: number, start: number, end: number): readonly string[] {
    const { layout } = this.#at(width);
    const total = layout.starts.at(-1) ?? 0;
    const rows: string[] = [];
    const last = Math.min(end, total);
    let index = start < last ? entryAt(layout, start) : layout.entries.length;
    for (; index < layout.entries.length && (layout.starts[index] ?? 0) < last; index++) {
      const first = layout.starts[index] ?? 0;
      const painted = this.#paint(index);
      rows.push(...painted.slice(Math.max(0, start - first), Math.max(0, last - first)));
    }
    if (this.#isCut && start <= total && end > total) rows.push(this.#more(layout.width, this.#cutText()));
    return rows;
  }

  /** All rows, or as many as the options allow, and how much is hidden. */
  render(width: number): readonly string[] {
    const { mostRows = Number.POSITIVE_INFINITY } = this.#options;
    const height = this.height(width);
    // A line that says that one is hidden takes as much room as that one.
    if (height <= mostRows + 1) return this.rows(width, 0, height);
    const shown = this.#rowsThatFit(width, mostRows);
    return [
      ...this.rows(width, 0, shown),
      this.#more(this.#at(width).layout.width, this.#hiddenText(width, shown)),
    ];
  }

  invalidate(): void {
    this.#painted.clear();
  }

  get #isCut(): boolean {
    return (this.#options.diff.more ?? 0) > 0;
  }

  /** Whole hunks if they fill half of the room, else as many rows as may be shown. */
  #rowsThatFit(width: number, most: number): number {
    const { entries, starts } = this.#at(width).layout;
    const ends = entries.flatMap(({ kind }, index) => (kind === 'gap' ? [starts[index] ?? 0] : []));
    const whole = ends.findLast((end) => end <= most) ?? 0;
    return whole * 2 >= most ? whole : Math.max(0, most);
  }

  #hiddenText(width: number, shown: number): string {
    const { layout } = this.#at(width);
    const index = entryAt(layout, shown);
    const isBetweenHunks = layout.entries[index]?.kind === 'gap' && layout.starts[index] === shown;
    if (!isBetweenHunks || this.#isCut) return plural(this.#linesFrom(layout, index), 'more line');
    const hidden = layout.entries.slice(index);
    const first = hidden[0]?.left ?? 0;
    const rest = layout.lines.slice(first);
    const all = countChanges(this.#options.diff);
    const before = countChanges({ lines: layout.lines.slice(0, first) });
    const hunks = rest.filter(({ kind }) => kind === 'gap').length;
    const counts = changeText(
      { added: all.added - before.added, removed: all.removed - before.removed },
      this.#look,
    );
    return `${plural(hunks, 'more hunk')}${counts === '' ? '' : `, ${counts}`}`;
  }

  #linesFrom({ entries, lines }: DiffLayout, index: number): number {
    const first = Math.max(entries[index]?.left ?? -1, entries[index]?.right ?? -1);
    const hidden = lines.slice(first).filter(({ kind }) => kind !== 'gap').length;
    return hidden + (this.#options.diff.more ?? 0);
  }

  #cutText(): string {
    return plural(this.#options.diff.more ?? 0, 'more line');
  }

  #more(width: number, text: string): string {
    const { glyphs, paint } = this.#look;
    const { layout } = this.#at(width);
    const indent = ' '.repeat(Math.max(0, layout.digits - 1));
    return paint('dim', truncateText(`${indent}${glyphs.ellipsis} ${text}`, width, glyphs.ellipsis));
  }

  #paint(index: number): readonly string[] {
    const known = this.#painted.get(index);
    if (known) return known;
    const entry = this.#drawn?.layout.entries[index];
    const painted = (entry && this.#drawn?.painter.paint(entry)) ?? [];
    if (this.#painted.size >= mostPaintedEntries) this.#painted.clear();
    this.#painted.set(index, painted);
    return painted;
  }

  #at(width: number): { readonly layout: DiffLayout; readonly painter: DiffPainter } {
    if (this.#drawn?.layout.width === width) return this.#drawn;
    this.#painted.clear();
    this.#drawn = this.#lay(width);
    return this.#drawn;
  }

  #lay(width: number): { readonly layout: DiffLayout; readonly painter: DiffPainter } {
    const {
      diff,
      splitWidth = defaultSplitWidth,
      numberWidth = defaultNumberWidth,
      isRevealing = false,
    } = this.#options;
    const isNarrow = width < narrowWidth;
    const isWrapping = isNarrow || this.#options.isWrapping === true;
    const lines = isNarrow ? withContext(diff.lines, narrowContext) : diff.lines;
    const has = (wanted: DiffLine['kind']) => lines.some(({ kind }) => kind === wanted);
    // Half of the screen would be empty beside a new file.
    const isSplit = splitWidth > 0 && width >= splitWidth && has('added') && has('removed');
    const entries = isSplit ? splitEntries(lines) : unifiedEntries(lines);
    const starts = new Uint32Array(entries.length + 1);
    const digits = digitsOf(lines, isNarrow ? Math.min(numberWidth, narrowNumberWidth) : numberWidth);
    const room = Math.max(1, (isSplit ? Math.floor((width - 1) / 2) : width) - leadWidth(digits));
    const layout = { width, room, isSplit, lines, entries, starts, digits, oldNumbers: oldNumbersOf(lines) };
    const code = new DiffCode(lines, diff.path);
    const painter = new DiffPainter(layout, { look: this.#look, code, isRevealing, isWrapping });
    const heightOf = (index: number) => {
      const text = isWrapping ? (lines[index]?.text ?? '') : '';
      return rowsNeeded(text, { width: room, isRevealing });
    };
    for (const [index, { kind, left, right }] of entries.entries()) {
      const height = kind === 'line' || kind === 'pair' ? Math.max(heightOf(left), heightOf(right)) : 1;
      starts[index + 1] = (starts[index] ?? 0) + height;
    }
    return { layout, painter };
  }
}

const narrowNumberWidth = 3;

/** The counts of a change, such as `+3 −2`; a count of nothing is left out. */
export function changeText(
  { added, removed }: { readonly added: number; readonly removed: number },
  { glyphs }: Pick<RenderStyle, 'glyphs'>,
): string {
  return [added > 0 ? `+${added}` : '', removed > 0 ? `${glyphs.minus}${removed}` : '']
    .filter((part) => part !== '')
    .join(' ');
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

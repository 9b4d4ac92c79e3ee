import type { Component } from '../text/component.ts';
import { filterEscapes } from '../text/escape-filter.ts';
import { textWidth } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';
import { wrapText } from '../text/wrap-text.ts';
import type { ToolkitToken } from '../theme/theme-tokens.ts';
import { changedWords, type WordPart } from './changed-words.ts';
import type { DiffLine } from './diff-lines.ts';
import { bold, createRenderStyle, inverse, type RenderStyle } from './render-style.ts';

/** Options of a {@link Diff}. */
export interface DiffOptions {
  readonly lines: readonly DiffLine[];
  /** Named above the lines. */
  readonly path?: string;
  readonly look?: RenderStyle;
  /** Shows at most ten lines: of more only eight, and how many there are besides. */
  readonly isCompact?: boolean;
  /** Spells out invisible characters, for users who decide by the diff. */
  readonly isRevealing?: boolean;
}

const compactLimit = 10;
const compactHead = 8;
const signs = { added: '+', removed: '-', context: ' ', gap: ' ' } as const;
const tokens = {
  added: 'diffAdded',
  removed: 'diffRemoved',
  context: 'diffContext',
  gap: 'dim',
} as const satisfies Record<DiffLine['kind'], ToolkitToken>;

/** The changes of a file: what was removed and added in colours, and inside of lines what changed in inverse. */
export class Diff implements Component {
  readonly #options: DiffOptions;
  readonly #look: RenderStyle;
  #kept: { readonly width: number; readonly lines: readonly string[] } | undefined;

  constructor(options: DiffOptions) {
    this.#options = options;
    this.#look = options.look ?? createRenderStyle();
  }

  render(width: number): readonly string[] {
    if (this.#kept?.width !== width) this.#kept = { width, lines: this.#draw(width) };
    return this.#kept.lines;
  }

  invalidate(): void {
    this.#kept = undefined;
  }

  #draw(width: number): readonly string[] {
    const { lines, path, isCompact } = this.#options;
    if (lines.length === 0) return [];
    const isCut = isCompact === true && lines.length > compactLimit;
    const shown = isCut ? lines.slice(0, compactHead) : lines;
    const header = path === undefined ? [] : [this.#header(path, width)];
    const more = isCut ? [this.#more(lines.length - compactHead, width)] : [];
    return [...header, ...this.#drawLines(shown, width), ...more];
  }

  #header(path: string, width: number): string {
    return truncateText(bold(this.#clean(path)), width, this.#look.glyphs.ellipsis);
  }

  #more(count: number, width: number): string {
    const { ellipsis } = this.#look.glyphs;
    const text = `${ellipsis} ${count} more line${count === 1 ? '' : 's'}`;
    return this.#look.paint('dim', truncateText(text, width, ellipsis));
  }

  #drawLines(lines: readonly DiffLine[], width: number): string[] {
    const highest = lines.reduce((most, { line = 0 }) => Math.max(most, line), 0);
    const digits = highest === 0 ? 0 : String(highest).length;
    const words = this.#wordsOf(lines);
    return lines.flatMap((line, index) => this.#drawLine(line, { parts: words.get(index), digits, width }));
  }

  #drawLine(
    { kind, text, line }: DiffLine,
    layout: {
      readonly parts: readonly WordPart[] | undefined;
      readonly digits: number;
      readonly width: number;
    },
  ): string[] {
    const { paint, glyphs } = this.#look;
    const { digits, width, parts } = layout;
    const number = digits === 0 ? '' : `${String(line ?? '').padStart(digits)} `;
    const lead = number + (kind === 'gap' ? '' : `${signs[kind]} `);
    const token = tokens[kind];
    if (kind === 'gap') return [paint(token, lead + glyphs.ellipsis)];
    const styled = parts
      ? parts.map((part) => (part.isChanged ? inverse(part.text) : part.text)).join('')
      : this.#clean(text);
    const room = Math.max(1, width - textWidth(lead));
    return wrapText(styled, room).map((part, row) =>
      paint(token, (row === 0 ? lead : ' '.repeat(lead.length)) + part),
    );
  }

  /** Which words changed, by the index of a line. Lines are compared where as many were added as were removed. */
  #wordsOf(lines: readonly DiffLine[]): Map<number, readonly WordPart[]> {
    const words = new Map<number, readonly WordPart[]>();
    for (let index = 0; index < lines.length; ) {
      const removed = runLength(lines, index, 'removed');
      const added = runLength(lines, index + removed, 'added');
      if (removed === added) this.#comparePairs(lines, { start: index, count: removed, words });
      index += Math.max(1, removed + added);
    }
    return words;
  }

  #comparePairs(
    lines: readonly DiffLine[],
    { start, count, words }: { start: number; count: number; words: Map<number, readonly WordPart[]> },
  ): void {
    for (let index = start; index < start + count; index++) {
      const before = this.#clean(lines[index]?.text ?? '');
      const after = this.#clean(lines[index + count]?.text ?? '');
      const changed = changedWords(before, after);
      if (changed) words.set(index, changed.before).set(index + count, changed.after);
    }
  }

  #clean(text: string): string {
    const filtered = filterEscapes(text, { sequences: this.#options.isRevealing ? 'show' : 'drop' });
    return filtered.replaceAll('\n', this.#look.glyphs.newline);
  }
}

function runLength(lines: readonly DiffLine[], start: number, kind: DiffLine['kind']): number {
  let end = start;
  while (lines[end]?.kind === kind) end++;
  return end - start;
}

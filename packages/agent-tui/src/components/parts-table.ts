import type { Component } from '../text/component.ts';
import { textWidth } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';
import type { ToolkitToken } from '../theme/theme-tokens.ts';
import { createRenderStyle, oneLine, type RenderStyle } from './render-style.ts';

/** A part of a whole, such as of the context window. */
export interface Part<Token extends string = ToolkitToken> {
  readonly label: string;
  readonly amount: number;
  /** Something more that is known of it, such as how much is cached. */
  readonly note?: string;
  readonly token: Token;
}

/** The parts of a whole. */
export interface PartsTableOptions<Token extends string = ToolkitToken> {
  readonly parts: readonly Part<Token>[];
  readonly total: number;
  /** How amounts are written. */
  readonly format?: (amount: number) => string;
  readonly look?: RenderStyle<Token | ToolkitToken>;
}

const widestBar = 60;
const gap = '  ';

/** A bar of parts, and below it a line for each with its amount and its share. */
export class PartsTable<Token extends string = ToolkitToken> implements Component {
  readonly #options: PartsTableOptions<Token>;
  readonly #look: RenderStyle<Token | ToolkitToken>;

  constructor(options: PartsTableOptions<Token>) {
    this.#options = options;
    this.#look = options.look ?? createRenderStyle();
  }

  render(width: number): readonly string[] {
    const { parts, total, format = String } = this.#options;
    const share = (amount: number) => (total > 0 ? amount / total : 0);
    const bar = renderBar(
      parts.map(({ amount, token }) => ({ share: share(amount), token })),
      Math.min(width, widestBar),
      this.#look,
    );
    const rows = parts.map((part) => ({
      ...part,
      label: oneLine(part.label),
      amount: format(part.amount),
      percent: percentOf(share(part.amount)),
    }));
    const amountWidth = widest(rows.map(({ amount }) => amount));
    const percentWidth = widest(rows.map(({ percent }) => percent));
    const fixed = 2 + amountWidth + percentWidth + 2 * gap.length;
    const labelWidth = Math.max(1, Math.min(widest(rows.map(({ label }) => label)), width - fixed));
    const lines = rows.map(({ label, amount, percent, token, note = '' }) => {
      const name = pad(truncateText(label, labelWidth, this.#look.glyphs.ellipsis), labelWidth);
      const numbers = amount.padStart(amountWidth) + gap + percent.padStart(percentWidth);
      const mark = this.#look.paint(token, this.#look.glyphs.barFull);
      return this.#withNote(`${mark} ${name}${gap}${numbers}`, oneLine(note), width);
    });
    return [bar, ...lines];
  }

  #withNote(line: string, note: string, width: number): string {
    const room = width - textWidth(line) - gap.length;
    const { ellipsis } = this.#look.glyphs;
    if (note === '' || room < 6) return truncateText(line, width, ellipsis);
    return line + gap + this.#look.paint('muted', truncateText(note, room, ellipsis));
  }
}

function percentOf(share: number): string {
  return share > 0 && share < 0.01 ? '<1%' : `${Math.round(share * 100)}%`;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text)), 0);
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** A part of a bar. */
export interface BarPart<Token extends string = ToolkitToken> {
  /** How much of the whole it is, from 0 to 1. */
  readonly share: number;
  readonly token: Token;
}

/** A bar of a width with its parts side by side; never more than the bar. What is less than half a cell adds to the next part. */
export function renderBar<Token extends string = ToolkitToken>(
  parts: readonly BarPart<Token>[],
  width: number,
  look: RenderStyle<Token | ToolkitToken>,
): string {
  const { barFull, barEmpty } = look.glyphs;
  let left = Math.max(0, Math.floor(width));
  let bar = '';
  let sum = 0;
  let drawn = 0;
  for (const { share, token } of parts) {
    const whole = Number.isFinite(share) ? Math.max(0, share) : 0;
    sum += whole;
    // Rounding the sum keeps the bar as long as the sum of its parts.
    const cells = Math.min(left, Math.max(0, Math.round(sum * width) - drawn));
    if (cells > 0) bar += look.paint(token, barFull.repeat(cells));
    left -= cells;
    drawn += cells;
  }
  return left > 0 ? bar + look.paint('dim', barEmpty.repeat(left)) : bar;
}

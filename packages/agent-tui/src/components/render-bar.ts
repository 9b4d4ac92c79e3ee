import type { ToolkitToken } from '../theme/theme-tokens.ts';
import type { RenderStyle } from './render-style.ts';

/** A part of a bar. */
export interface BarPart<Token extends string = ToolkitToken> {
  /** How much of the whole it is, from 0 to 1. */
  readonly share: number;
  readonly token: Token;
  /** What it is drawn with, so that parts can be told apart without colours. */
  readonly glyph?: string;
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
  for (const { share, token, glyph = barFull } of parts) {
    const whole = Number.isFinite(share) ? Math.max(0, share) : 0;
    sum += whole;
    // Rounding the sum keeps the bar as long as the sum of its parts.
    const cells = Math.min(left, Math.max(0, Math.round(sum * width) - drawn));
    if (cells > 0) bar += look.paint(token, glyph.repeat(cells));
    left -= cells;
    drawn += cells;
  }
  return left > 0 ? bar + look.paint('dim', barEmpty.repeat(left)) : bar;
}

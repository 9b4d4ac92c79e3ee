import { filterEscapes } from '../text/escape-filter.ts';
import type { ThemeToken } from '../theme/theme-tokens.ts';
import { asciiGlyphs, type Glyphs, unicodeGlyphs } from './glyphs.ts';

/** The colours of code. */
export type SyntaxToken = Extract<ThemeToken, `syntax${string}`>;

/** Gives a text the colour of a token. */
export type Paint = (token: ThemeToken, text: string) => string;

/** How components look on this terminal. */
export interface Look {
  readonly paint: Paint;
  readonly glyphs: Glyphs;
  /** Whether the terminal opens links that are written by OSC 8. */
  readonly hasLinks: boolean;
}

/** A look without what is not given: no colours, box characters unless `isAscii`, addresses written out. */
export function createLook(
  options: { readonly paint?: Paint; readonly isAscii?: boolean; readonly hasLinks?: boolean } = {},
): Look {
  return {
    paint: options.paint ?? ((_token, text) => text),
    glyphs: options.isAscii ? asciiGlyphs : unicodeGlyphs,
    hasLinks: options.hasLinks ?? false,
  };
}

/** Bold text. */
export function bold(text: string): string {
  return `\x1b[1m${text}\x1b[22m`;
}

/** Slanted text. */
export function italic(text: string): string {
  return `\x1b[3m${text}\x1b[23m`;
}

/** Underlined text. */
export function underline(text: string): string {
  return `\x1b[4m${text}\x1b[24m`;
}

/** Text with the colours of ink and paper exchanged. */
export function inverse(text: string): string {
  return `\x1b[7m${text}\x1b[27m`;
}

/** Text with a line through it. */
export function strike(text: string): string {
  return `\x1b[9m${text}\x1b[29m`;
}

/** A text of any origin as one line that is safe to show. */
export function oneLine(text: string): string {
  return filterEscapes(text).replace(/\s+/g, ' ').trim();
}

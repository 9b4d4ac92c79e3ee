import { filterEscapes } from '../text/escape-filter.ts';
import type { ToolkitToken } from '../theme/theme-tokens.ts';
import { asciiGlyphs, type Glyphs, unicodeGlyphs } from './glyphs.ts';

/** The tokens of highlighted code. */
export type SyntaxToken = Extract<ToolkitToken, `syntax${string}`>;

/** Paints a text in the colour of a token. */
export type Paint<Token extends string = ToolkitToken> = (token: Token, text: string) => string;

/** The colours, glyphs and abilities that components draw with. */
export interface RenderStyle<Token extends string = ToolkitToken> {
  readonly paint: Paint<Token>;
  readonly glyphs: Glyphs;
  /** True if the terminal supports OSC 8 links. */
  readonly hasLinks: boolean;
}

/** A style; by default without colours, with box characters and with URLs written out. */
export function createRenderStyle<Token extends string = ToolkitToken>(
  options: { readonly paint?: Paint<Token>; readonly isAscii?: boolean; readonly hasLinks?: boolean } = {},
): RenderStyle<Token> {
  return {
    paint: options.paint ?? ((_token, text) => text),
    glyphs: options.isAscii ? asciiGlyphs : unicodeGlyphs,
    hasLinks: options.hasLinks ?? false,
  };
}

/** Fainter text, in whatever colour: for what is shown before the theme is known. */
export function faint(text: string): string {
  return `\x1b[2m${text}\x1b[22m`;
}

/** Bold text. */
export function bold(text: string): string {
  return `\x1b[1m${text}\x1b[22m`;
}

/** Italic text. */
export function italic(text: string): string {
  return `\x1b[3m${text}\x1b[23m`;
}

/** Underlined text. */
export function underline(text: string): string {
  return `\x1b[4m${text}\x1b[24m`;
}

/** Text with foreground and background swapped. */
export function inverse(text: string): string {
  return `\x1b[7m${text}\x1b[27m`;
}

/** Struck-through text. */
export function strike(text: string): string {
  return `\x1b[9m${text}\x1b[29m`;
}

/** Untrusted text as one line that is safe to print. */
export function oneLine(text: string): string {
  return filterEscapes(text).replace(/\s+/g, ' ').trim();
}

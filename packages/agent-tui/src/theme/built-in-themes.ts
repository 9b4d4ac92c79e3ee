import type { Rgb } from '../input/input-event.ts';
import type { Colour } from './colour.ts';
import type { ThemeDefinition } from './theme.ts';

/** The colours of a built-in theme. Those that end in `Bg` are backgrounds. */
interface Palette {
  readonly text: Colour;
  readonly accent: Colour;
  readonly muted: Colour;
  readonly dim: Colour;
  readonly success: Colour;
  readonly warning: Colour;
  readonly error: Colour;
  readonly border: Colour;
  readonly selectedBg: Colour;
  readonly addedBg: Colour;
  readonly addedWordBg: Colour;
  readonly removedBg: Colour;
  readonly removedWordBg: Colour;
  readonly comment: Colour;
  readonly keyword: Colour;
  readonly function: Colour;
  readonly string: Colour;
  readonly number: Colour;
  readonly type: Colour;
}

/** The theme for dark terminals. */
export function darkTheme(): ThemeDefinition {
  return { name: 'dark', colours: coloursOf(dark()) };
}

/** The theme for light terminals. */
export function lightTheme(): ThemeDefinition {
  return { name: 'light', colours: coloursOf(light()) };
}

/** The dark theme without red beside green. */
export function colourBlindDarkTheme(): ThemeDefinition {
  const palette = {
    ...dark(),
    accent: rgb(0xd6b4fc),
    success: rgb(0x6cb8ff),
    warning: rgb(0xf2e36b),
    error: rgb(0xffa657),
    selectedBg: rgb(0x37304a),
    addedBg: rgb(0x0f2b47),
    addedWordBg: rgb(0x1b4a7a),
    removedBg: rgb(0x40280f),
    removedWordBg: rgb(0x6b4210),
    string: rgb(0xe6d3a3),
    type: rgb(0xb3d8f7),
  };
  return { name: 'colour-blind-dark', colours: coloursOf(palette) };
}

/** The light theme without red beside green. */
export function colourBlindLightTheme(): ThemeDefinition {
  const palette = {
    ...light(),
    accent: rgb(0x6f359c),
    success: rgb(0x0a5bb0),
    warning: rgb(0x6b5c00),
    error: rgb(0x9a4a00),
    selectedBg: rgb(0xe9def7),
    addedBg: rgb(0xdcebfb),
    addedWordBg: rgb(0xb5d5f7),
    removedBg: rgb(0xfdebd3),
    removedWordBg: rgb(0xf8d09a),
    string: rgb(0x665000),
    type: rgb(0x1c5680),
  };
  return { name: 'colour-blind-light', colours: coloursOf(palette) };
}

/** The dark theme in which everything stands out. */
export function highContrastDarkTheme(): ThemeDefinition {
  const palette = {
    ...dark(),
    text: rgb(0xffffff),
    accent: rgb(0xa9d0ff),
    muted: rgb(0xd0d0d0),
    dim: rgb(0xd0d0d0),
    success: rgb(0xa6e398),
    warning: rgb(0xf3da85),
    error: rgb(0xffb8b8),
    border: rgb(0x98a2ad),
    selectedBg: rgb(0x1b2a3d),
    addedBg: rgb(0x0b2114),
    addedWordBg: rgb(0x174528),
    removedBg: rgb(0x331417),
    removedWordBg: rgb(0x5c1e24),
    comment: rgb(0xc6cdd5),
    keyword: rgb(0xdfc8f7),
    function: rgb(0xb3d2ff),
    string: rgb(0xbde6b3),
    number: rgb(0xf6cba6),
    type: rgb(0xa3e3df),
  };
  return { name: 'high-contrast-dark', colours: coloursOf(palette) };
}

/** The light theme in which everything stands out. */
export function highContrastLightTheme(): ThemeDefinition {
  const palette = {
    ...light(),
    text: rgb(0x000000),
    accent: rgb(0x0f438a),
    muted: rgb(0x3a3a3a),
    dim: rgb(0x3a3a3a),
    success: rgb(0x12491a),
    warning: rgb(0x5a3e00),
    error: rgb(0x8a1710),
    border: rgb(0x6c7580),
    selectedBg: rgb(0xe3eefb),
    addedBg: rgb(0xe8f7ea),
    addedWordBg: rgb(0xc2e9c8),
    removedBg: rgb(0xfeeeed),
    removedWordBg: rgb(0xfad2d0),
    comment: rgb(0x3f474f),
    keyword: rgb(0x57237f),
    function: rgb(0x153d85),
    string: rgb(0x134a19),
    number: rgb(0x6b3004),
    type: rgb(0x074a4d),
  };
  return { name: 'high-contrast-light', colours: coloursOf(palette) };
}

/** A theme of the first eight colours of the terminal's own palette, without tints. */
export function ansiTheme(): ThemeDefinition {
  const palette: Palette = {
    text: 'default',
    accent: 6,
    muted: 'default',
    dim: 'faint',
    success: 2,
    warning: 3,
    error: 1,
    border: 'faint',
    selectedBg: 'reverse',
    addedBg: 'default',
    addedWordBg: 'default',
    removedBg: 'default',
    removedWordBg: 'default',
    comment: 'default',
    keyword: 'default',
    function: 'default',
    string: 'default',
    number: 'default',
    type: 'default',
  };
  return { name: 'ansi', colours: coloursOf(palette) };
}

function dark(): Palette {
  return {
    text: rgb(0xd9dde2),
    accent: rgb(0x82bbff),
    muted: rgb(0xb4bcc6),
    dim: rgb(0x99a2ad),
    success: rgb(0x8ecf7f),
    warning: rgb(0xe6c76a),
    error: rgb(0xff9090),
    border: rgb(0x5c6672),
    selectedBg: rgb(0x26364a),
    addedBg: rgb(0x12301d),
    addedWordBg: rgb(0x1d5431),
    removedBg: rgb(0x3d1a1d),
    removedWordBg: rgb(0x6e262c),
    comment: rgb(0x9aa5b1),
    keyword: rgb(0xcfaef0),
    function: rgb(0x8fbcff),
    string: rgb(0xa5d99a),
    number: rgb(0xefb27f),
    type: rgb(0x7fd4cf),
  };
}

function light(): Palette {
  return {
    text: rgb(0x1f2328),
    accent: rgb(0x1a5cb0),
    muted: rgb(0x4d5660),
    dim: rgb(0x586169),
    success: rgb(0x226d27),
    warning: rgb(0x7d5700),
    error: rgb(0xb3261e),
    border: rgb(0xa7afb8),
    selectedBg: rgb(0xd9e7f8),
    addedBg: rgb(0xddf3e0),
    addedWordBg: rgb(0xb3e2ba),
    removedBg: rgb(0xfde5e4),
    removedWordBg: rgb(0xf8c4c1),
    comment: rgb(0x56606a),
    keyword: rgb(0x6f359c),
    function: rgb(0x1f4fa6),
    string: rgb(0x1f6425),
    number: rgb(0x8f4206),
    type: rgb(0x0b6165),
  };
}

function coloursOf(palette: Palette): ThemeDefinition['colours'] {
  const { text, accent, muted, dim, success, warning, error, border, selectedBg } = palette;
  return {
    accent,
    border,
    borderAccent: accent,
    borderMuted: border,
    success,
    error,
    warning,
    muted,
    dim,
    text,
    selectedBg,
    ...markdownColours(palette),
    diffAdded: success,
    diffRemoved: error,
    diffContext: text,
    diffAddedBg: palette.addedBg,
    diffAddedWordBg: palette.addedWordBg,
    diffRemovedBg: palette.removedBg,
    diffRemovedWordBg: palette.removedWordBg,
    syntaxComment: palette.comment,
    syntaxKeyword: palette.keyword,
    syntaxFunction: palette.function,
    syntaxVariable: text,
    syntaxString: palette.string,
    syntaxNumber: palette.number,
    syntaxType: palette.type,
    syntaxOperator: muted,
    syntaxPunctuation: muted,
  };
}

function markdownColours({ accent, type, string, muted, dim, border }: Palette) {
  return {
    mdHeading: accent,
    mdLink: accent,
    mdLinkUrl: dim,
    mdCode: type,
    mdCodeBlock: string,
    mdCodeBlockBorder: border,
    mdQuote: muted,
    mdQuoteBorder: border,
    mdHr: border,
    mdListBullet: accent,
  };
}

function rgb(value: number): Rgb {
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

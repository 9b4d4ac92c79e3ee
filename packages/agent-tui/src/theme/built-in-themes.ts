import type { Rgb } from '../input/input-event.ts';
import type { Colour } from './colour.ts';
import type { ThemeDefinition } from './theme.ts';

/** The colours of a built-in theme. */
interface Palette {
  readonly accent: Colour;
  readonly green: Colour;
  readonly red: Colour;
  readonly yellow: Colour;
  readonly blue: Colour;
  readonly cyan: Colour;
  readonly purple: Colour;
  readonly orange: Colour;
  readonly grey: Colour;
  readonly faint: Colour;
  readonly line: Colour;
  readonly selected: Colour;
}

/** The theme for dark terminals. */
export function darkTheme(): ThemeDefinition {
  const palette: Palette = {
    accent: rgb(0x7cb7ff),
    green: rgb(0x8ecf7f),
    red: rgb(0xf07f7f),
    yellow: rgb(0xe6c76a),
    blue: rgb(0x7aa8f0),
    cyan: rgb(0x6fc9c4),
    purple: rgb(0xc39be8),
    orange: rgb(0xe8a36b),
    grey: rgb(0x9aa3ad),
    faint: rgb(0x6f7882),
    line: rgb(0x4b535c),
    selected: rgb(0x2c3a4d),
  };
  return { name: 'dark', colours: coloursOf(palette) };
}

/** The theme for light terminals. */
export function lightTheme(): ThemeDefinition {
  const palette: Palette = {
    accent: rgb(0x1f63b8),
    green: rgb(0x2b7a2f),
    red: rgb(0xb3261e),
    yellow: rgb(0x8a6100),
    blue: rgb(0x2657b0),
    cyan: rgb(0x0f6f73),
    purple: rgb(0x7a3fa8),
    orange: rgb(0xa34e0b),
    grey: rgb(0x5b646e),
    faint: rgb(0x7a838c),
    line: rgb(0xb3bac2),
    selected: rgb(0xd5e4f7),
  };
  return { name: 'light', colours: coloursOf(palette) };
}

function coloursOf(palette: Palette): ThemeDefinition['colours'] {
  const { accent, green, red, yellow, blue, cyan, purple, orange, grey, faint, line } = palette;
  return {
    accent,
    border: line,
    borderAccent: accent,
    borderMuted: line,
    success: green,
    error: red,
    warning: yellow,
    muted: grey,
    dim: faint,
    text: 'default',
    selectedBg: palette.selected,
    ...markdownColours(palette),
    diffAdded: green,
    diffRemoved: red,
    diffContext: grey,
    syntaxComment: faint,
    syntaxKeyword: purple,
    syntaxFunction: blue,
    syntaxVariable: 'default',
    syntaxString: green,
    syntaxNumber: orange,
    syntaxType: cyan,
    syntaxOperator: grey,
    syntaxPunctuation: grey,
  };
}

function markdownColours({ accent, cyan, green, grey, faint, line }: Palette) {
  return {
    mdHeading: accent,
    mdLink: accent,
    mdLinkUrl: faint,
    mdCode: cyan,
    mdCodeBlock: green,
    mdCodeBlockBorder: line,
    mdQuote: grey,
    mdQuoteBorder: line,
    mdHr: line,
    mdListBullet: accent,
  };
}

function rgb(value: number): Rgb {
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

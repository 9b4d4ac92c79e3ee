import type { Rgb } from '../input/input-event.ts';
import type { Colour } from './colour.ts';
import type { ThemeDefinition } from './theme.ts';

/** The colours that a built-in theme is made of. */
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
  readonly user: Colour;
  readonly custom: Colour;
  readonly pending: Colour;
  readonly succeeded: Colour;
  readonly failed: Colour;
}

/** For dark terminals. */
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
    user: rgb(0x2a3038),
    custom: rgb(0x2e2a3d),
    pending: rgb(0x262b31),
    succeeded: rgb(0x232f26),
    failed: rgb(0x3a2627),
  };
  const page = { pageBg: rgb(0x16191d), cardBg: rgb(0x1e2227), infoBg: rgb(0x2a3038) };
  return { name: 'dark', colours: coloursOf(palette), page };
}

/** For light terminals. */
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
    user: rgb(0xeceff3),
    custom: rgb(0xefe9f7),
    pending: rgb(0xf1f3f5),
    succeeded: rgb(0xe6f3e6),
    failed: rgb(0xf9e5e4),
  };
  const page = { pageBg: rgb(0xffffff), cardBg: rgb(0xf6f7f9), infoBg: rgb(0xeceff3) };
  return { name: 'light', colours: coloursOf(palette), page };
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
    thinkingText: grey,
    selectedBg: palette.selected,
    userMessageBg: palette.user,
    userMessageText: 'default',
    customMessageBg: palette.custom,
    customMessageText: 'default',
    customMessageLabel: purple,
    toolPendingBg: palette.pending,
    toolSuccessBg: palette.succeeded,
    toolErrorBg: palette.failed,
    toolTitle: 'default',
    toolOutput: grey,
    ...markdownColours(palette),
    toolDiffAdded: green,
    toolDiffRemoved: red,
    toolDiffContext: grey,
    syntaxComment: faint,
    syntaxKeyword: purple,
    syntaxFunction: blue,
    syntaxVariable: 'default',
    syntaxString: green,
    syntaxNumber: orange,
    syntaxType: cyan,
    syntaxOperator: grey,
    syntaxPunctuation: grey,
    thinkingOff: line,
    thinkingMinimal: faint,
    thinkingLow: blue,
    thinkingMedium: cyan,
    thinkingHigh: purple,
    thinkingXhigh: orange,
    thinkingMax: red,
    bashMode: green,
    scrollbarThumb: palette.selected,
    searchMatchBg: palette.selected,
    searchMatchText: 'default',
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

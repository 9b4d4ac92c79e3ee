import type { builtInThemeNames } from '@robota-sdk/agent-sdk/front-end';
import {
  ansiTheme,
  type Colour,
  colourBlindDarkTheme,
  colourBlindLightTheme,
  darkTheme,
  highContrastDarkTheme,
  highContrastLightTheme,
  lightTheme,
  type ThemeDefinition,
} from '@robota-sdk/agent-tui';
import type { AppToken } from './app-tokens.ts';

/** The backgrounds of messages and tool calls. */
interface Backgrounds {
  readonly user: Colour;
  readonly custom: Colour;
  readonly pending: Colour;
  readonly succeeded: Colour;
  readonly failed: Colour;
  readonly danger: Colour;
}

const onDark: Backgrounds = {
  user: [0x2a, 0x30, 0x38],
  custom: [0x2e, 0x2a, 0x3d],
  pending: [0x26, 0x2b, 0x31],
  succeeded: [0x23, 0x2f, 0x26],
  failed: [0x3a, 0x26, 0x27],
  danger: [0x5a, 0x1d, 0x22],
};

const onLight: Backgrounds = {
  user: [0xec, 0xef, 0xf3],
  custom: [0xef, 0xe9, 0xf7],
  pending: [0xf1, 0xf3, 0xf5],
  succeeded: [0xe6, 0xf3, 0xe6],
  failed: [0xf9, 0xe5, 0xe4],
  danger: [0xfb, 0xd5, 0xd3],
};

const none: Backgrounds = {
  user: 'default',
  custom: 'default',
  pending: 'default',
  succeeded: 'default',
  failed: 'default',
  danger: { text: 1 },
};

/** The theme for dark terminals. */
export function appDarkTheme(): ThemeDefinition<AppToken> {
  return extendTheme(darkTheme(), onDark);
}

/** The theme of the terminal's own palette. */
export function appAnsiTheme(): ThemeDefinition<AppToken> {
  return extendTheme(ansiTheme(), none);
}

const makers = {
  dark: appDarkTheme,
  light: () => extendTheme(lightTheme(), onLight),
  'colour-blind-dark': () => extendTheme(colourBlindDarkTheme(), { ...onDark, danger: [0x5a, 0x36, 0x0d] }),
  'colour-blind-light': () =>
    extendTheme(colourBlindLightTheme(), { ...onLight, danger: [0xfb, 0xdc, 0xae] }),
  'high-contrast-dark': () => extendTheme(highContrastDarkTheme(), onDark),
  'high-contrast-light': () => extendTheme(highContrastLightTheme(), onLight),
  ansi: appAnsiTheme,
} as const satisfies Readonly<Record<(typeof builtInThemeNames)[number], () => ThemeDefinition<AppToken>>>;

/** The themes that need no file, the default one first. */
export function builtInThemes(): readonly [ThemeDefinition<AppToken>, ...ThemeDefinition<AppToken>[]] {
  const { dark, ...others } = makers;
  return [dark(), ...Object.values(others).map((make) => make())];
}

function extendTheme(
  { name, colours }: ThemeDefinition,
  backgrounds: Backgrounds,
): ThemeDefinition<AppToken> {
  const { muted, selectedBg } = colours;
  return {
    name,
    colours: {
      ...colours,
      userMessageBg: backgrounds.user,
      userMessageText: 'default',
      customMessageBg: backgrounds.custom,
      customMessageText: 'default',
      customMessageLabel: colours.syntaxKeyword,
      toolPendingBg: backgrounds.pending,
      toolSuccessBg: backgrounds.succeeded,
      toolErrorBg: backgrounds.failed,
      dangerBg: backgrounds.danger,
      toolTitle: 'default',
      toolOutput: muted,
      toolDiffAdded: colours.diffAdded,
      toolDiffRemoved: colours.diffRemoved,
      toolDiffContext: colours.diffContext,
      thinkingText: muted,
      thinkingOff: colours.border,
      thinkingMinimal: colours.dim,
      thinkingLow: colours.syntaxFunction,
      thinkingMedium: colours.syntaxType,
      thinkingHigh: colours.syntaxKeyword,
      thinkingXhigh: colours.syntaxNumber,
      thinkingMax: colours.error,
      bashMode: colours.success,
      scrollbarThumb: selectedBg,
      searchMatchBg: selectedBg,
      searchMatchText: 'default',
    },
  };
}

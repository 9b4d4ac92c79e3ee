import { type Colour, darkTheme, lightTheme, type ThemeDefinition } from '@robota-sdk/agent-tui';
import type { AppToken } from './app-tokens.ts';

/** The backgrounds of messages and tool calls. */
interface Backgrounds {
  readonly user: Colour;
  readonly custom: Colour;
  readonly pending: Colour;
  readonly succeeded: Colour;
  readonly failed: Colour;
}

/** The theme for dark terminals. */
export function appDarkTheme(): ThemeDefinition<AppToken> {
  return extendTheme(darkTheme(), {
    user: [0x2a, 0x30, 0x38],
    custom: [0x2e, 0x2a, 0x3d],
    pending: [0x26, 0x2b, 0x31],
    succeeded: [0x23, 0x2f, 0x26],
    failed: [0x3a, 0x26, 0x27],
  });
}

/** The theme for light terminals. */
export function appLightTheme(): ThemeDefinition<AppToken> {
  return extendTheme(lightTheme(), {
    user: [0xec, 0xef, 0xf3],
    custom: [0xef, 0xe9, 0xf7],
    pending: [0xf1, 0xf3, 0xf5],
    succeeded: [0xe6, 0xf3, 0xe6],
    failed: [0xf9, 0xe5, 0xe4],
  });
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

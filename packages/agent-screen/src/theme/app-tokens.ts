import { basicTokens, type RenderStyle, type ThemeTokens } from '@robota-sdk/agent-tui';

/** The colours of a theme file. Names that end in `Bg` are backgrounds. */
const requiredTokens = [
  ...basicTokens,
  'thinkingText',
  'userMessageBg',
  'userMessageText',
  'customMessageBg',
  'customMessageText',
  'customMessageLabel',
  'toolPendingBg',
  'toolSuccessBg',
  'toolErrorBg',
  'toolTitle',
  'toolOutput',
  'toolDiffAdded',
  'toolDiffRemoved',
  'toolDiffContext',
  'thinkingOff',
  'thinkingMinimal',
  'thinkingLow',
  'thinkingMedium',
  'thinkingHigh',
  'thinkingXhigh',
  'bashMode',
] as const;

const optionalTokens = {
  thinkingMax: 'thinkingXhigh',
  scrollbarThumb: 'selectedBg',
  searchMatchBg: 'selectedBg',
  searchMatchText: 'text',
  diffAdded: 'toolDiffAdded',
  diffRemoved: 'toolDiffRemoved',
  diffContext: 'toolDiffContext',
  diffAddedBg: 'none',
  diffAddedWordBg: 'none',
  diffRemovedBg: 'none',
  diffRemovedWordBg: 'none',
  dangerBg: 'toolErrorBg',
} as const satisfies Readonly<Record<string, (typeof requiredTokens)[number] | 'none'>>;

/** The name of a colour of a theme. */
export type AppToken = (typeof requiredTokens)[number] | keyof typeof optionalTokens;

/** The colours of the program's themes. */
export const appTokens = {
  required: requiredTokens,
  optional: optionalTokens,
} as const satisfies ThemeTokens<AppToken>;

/** The style that the program draws with. */
export type AppStyle = RenderStyle<AppToken>;

/** Colours that the toolkit's components use, without those of diffs. Names that end in `Bg` are backgrounds. */
export const basicTokens = [
  'accent',
  'border',
  'borderAccent',
  'borderMuted',
  'success',
  'error',
  'warning',
  'muted',
  'dim',
  'text',
  'selectedBg',
  'mdHeading',
  'mdLink',
  'mdLinkUrl',
  'mdCode',
  'mdCodeBlock',
  'mdCodeBlockBorder',
  'mdQuote',
  'mdQuoteBorder',
  'mdHr',
  'mdListBullet',
  'syntaxComment',
  'syntaxKeyword',
  'syntaxFunction',
  'syntaxVariable',
  'syntaxString',
  'syntaxNumber',
  'syntaxType',
  'syntaxOperator',
  'syntaxPunctuation',
] as const;

/** All colours that the toolkit's components use. */
export const toolkitTokens = [
  ...basicTokens,
  'diffAdded',
  'diffRemoved',
  'diffContext',
  'diffAddedBg',
  'diffAddedWordBg',
  'diffRemovedBg',
  'diffRemovedWordBg',
] as const;

/** The name of a colour that the toolkit's components use. */
export type ToolkitToken = (typeof toolkitTokens)[number];

/** The colours of a program's themes. They include those of {@link ToolkitToken}. */
export interface ThemeTokens<Token extends string> {
  /** A theme file without one of these takes it from the fallback theme. */
  readonly required: readonly Token[];
  /** Colours that a theme file may leave out, each with the one that replaces it; `none` leaves the terminal's own. */
  readonly optional?: { readonly [Optional in Token]?: Token | 'none' };
}

/** How a piece of a row is shown; colours are `#rrggbb`, or absent for those of the terminal. */
export interface RunStyle {
  readonly colour?: string;
  readonly ground?: string;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isStruck?: boolean;
  readonly isInverse?: boolean;
}

/** A piece of a row in one style. */
export interface Run extends RunStyle {
  readonly text: string;
}

/** A row of a screen, without trailing blanks that show nothing. */
export type ScreenRow = readonly Run[];

/** A screen that was shown for some time. */
export interface Frame {
  readonly rows: readonly ScreenRow[];
  readonly cursor: { readonly column: number; readonly row: number } | undefined;
}

/** A frame of a recording, with the seconds that it is shown. */
export interface TimedFrame extends Frame {
  readonly seconds: number;
}

export function rowText(row: ScreenRow): string {
  return row.map(({ text }) => text).join('');
}

export function frameText({ rows }: Frame): string {
  return rows.map(rowText).join('\n').trimEnd();
}

/** Equal for equal frames, colours included. */
export function frameKey(frame: Frame): string {
  return JSON.stringify([frame.rows, frame.cursor]);
}

const styleKeys = [
  'colour',
  'ground',
  'isBold',
  'isDim',
  'isItalic',
  'isUnderlined',
  'isStruck',
  'isInverse',
] as const satisfies readonly (keyof RunStyle)[];

/** True if two pieces look the same. */
export function sameStyle(one: RunStyle, other: RunStyle): boolean {
  return styleKeys.every((key) => one[key] === other[key]);
}

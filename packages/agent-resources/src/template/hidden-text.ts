/** A text without characters that are visible to a model but not to a reader. */
export interface RevealedText {
  readonly text: string;
  /** Number of removed tag characters. */
  readonly removed: number;
  /** Controls of the text's direction that are spelt out now. */
  readonly escaped: number;
}

/** Flags of England, Scotland and Wales use tags; no other visible text does. */
const pattern =
  /(\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f})|[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069]/gu;

/** Removes tag characters, which are invisible, and spells out characters that change the text direction. */
export function revealText(written: string): RevealedText {
  let removed = 0;
  let escaped = 0;
  const text = written.replace(pattern, (found: string, flag?: string) => {
    if (flag !== undefined) return flag;
    const code = found.codePointAt(0) ?? 0;
    if (code > 0xffff) {
      removed++;
      return '';
    }
    escaped++;
    return `\\u${code.toString(16)}`;
  });
  return { text, removed, escaped };
}

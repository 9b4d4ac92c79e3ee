/** Ranges of characters that are invisible, look like a space or change the text order. */
const ranges: readonly (readonly [from: number, to: number, what: string])[] = [
  [0x00, 0x08, 'a control character'],
  [0x0b, 0x1f, 'a control character'],
  [0x7f, 0x9f, 'a control character'],
  [0xa0, 0xa0, 'a no-break space'],
  [0xad, 0xad, 'an invisible character'],
  [0x061c, 0x061c, 'a text direction mark'],
  [0x115f, 0x1160, 'an invisible character'],
  [0x1680, 0x1680, 'an unusual space'],
  [0x180b, 0x180e, 'an invisible character'],
  [0x2000, 0x200a, 'an unusual space'],
  [0x200b, 0x200d, 'an invisible character'],
  [0x200e, 0x200f, 'a text direction mark'],
  [0x2028, 0x2029, 'an unusual line break'],
  [0x202a, 0x202e, 'a text direction mark'],
  [0x202f, 0x202f, 'a no-break space'],
  [0x205f, 0x205f, 'an unusual space'],
  [0x2060, 0x2065, 'an invisible character'],
  [0x2066, 0x2069, 'a text direction mark'],
  [0x206a, 0x206f, 'an invisible character'],
  [0x3000, 0x3000, 'an unusual space'],
  [0x3164, 0x3164, 'an invisible character'],
  [0xd800, 0xdfff, 'half a character'],
  [0xe000, 0xf8ff, 'a character without a meaning'],
  [0xfeff, 0xfeff, 'an invisible character'],
  [0xffa0, 0xffa0, 'an invisible character'],
  [0xfff0, 0xfffb, 'an invisible character'],
  [0xe0000, 0xe0fff, 'an invisible character'],
  [0xf0000, 0x10ffff, 'a character without a meaning'],
];

const plainText = /^[\t\n\x20-\x7e]*$/;
/** The joiner between two pictures is a part of one emoji, which is in sight. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})/gu;

/** A character that hides what a text says. */
export interface SuspiciousCharacter {
  readonly character: string;
  /** Its code point, such as `U+202E`. */
  readonly code: string;
  /** Its kind, such as `a text direction mark`. */
  readonly what: string;
}

/** Describes the first character that hides what a text says, with its code point. */
export function suspiciousCharacter(text: string): string | undefined {
  const [first] = suspiciousCharacters(text);
  return first && `${first.what} (${first.code})`;
}

/** The characters that hide what a text says, each once. */
export function suspiciousCharacters(text: string): readonly SuspiciousCharacter[] {
  if (plainText.test(text)) return [];
  return [...new Set(text.replaceAll(emojiJoiner, ''))].flatMap((character) => {
    const point = character.codePointAt(0) ?? 0;
    if (point === 0x09 || point === 0x0a || (point >= 0x20 && point < 0x7f)) return [];
    const range = ranges.find(([from, to]) => point >= from && point <= to);
    const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
    return range === undefined ? [] : [{ character, code, what: range[2] }];
  });
}

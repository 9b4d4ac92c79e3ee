import { eastAsianWidth } from 'get-east-asian-width';

/** A segmenter needs time in proportion to its whole text for each step, so it is given one window after another. */
const windowSize = 96;
/**
 * Marks, joiners, selectors and the like, which share the cell of the character before them; vowels and finals of old
 * Hangul too.
 */
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7ff]$/u;
const emoji = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|[\s\S]+\ufe0f)/u;
/** Independent letters, punctuation, arrows, operators, lines and our own signs, one column wide; they need no segmenter. */
const single =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u03c9\u0400-\u045f\u2010-\u2027\u2030-\u205e\u2190-\u2193\u2200-\u22ff\u23ce\u2500-\u25fc\u2610\u2611\u270e\u2713\u2717\u276f\u27f0-\u27ff]*$/;

/** Splits a text into what a reader takes for single characters. */
export function graphemesOf(text: string): Iterable<string> {
  if (single.test(text)) return text;
  return charactersOf(text);
}

/** The columns of a terminal that one character takes: 0, 1 or 2, or more for joined letters of some scripts. */
export function graphemeWidth(grapheme: string): number {
  const first = grapheme.codePointAt(0) ?? 0;
  if (first < 0x20 || (first >= 0x7f && first < 0xa0)) return 0;
  if (grapheme.length === 1 && first < 0x300) return first === 0xad ? 0 : 1;
  if (emoji.test(grapheme)) return 2;
  let width = 0;
  for (const character of grapheme) width += characterWidth(character);
  return width;
}

/** The columns a text takes that holds no control sequences and no tabs. */
export function plainWidth(text: string): number {
  if (single.test(text)) return text.length;
  let width = 0;
  for (const grapheme of charactersOf(text)) width += graphemeWidth(grapheme);
  return width;
}

function characterWidth(character: string): number {
  if (zeroWidth.test(character)) return 0;
  return eastAsianWidth(character.codePointAt(0) ?? 0);
}

function* charactersOf(text: string): Generator<string> {
  for (let from = 0, size = windowSize; from < text.length; ) {
    const found = charactersOfWindow(text, from, size);
    yield* found;
    for (const character of found) from += character.length;
    size = found.length === 0 ? size * 2 : windowSize;
  }
}

/** The characters that surely end inside a window: the last one may continue after it. */
function charactersOfWindow(text: string, from: number, size: number): readonly string[] {
  const window = text.slice(from, from + size);
  const found = Array.from(segmentsOf(window, 'grapheme'), ({ segment }) => segment);
  return from + size < text.length ? found.slice(0, -1) : found;
}

type Granularity = 'grapheme' | 'word';

const segmenters = new Map<Granularity, Intl.Segmenter>();

/** The characters or words of a text, as Unicode divides it. */
export function segmentsOf(text: string, granularity: Granularity): Intl.Segments {
  const known = segmenters.get(granularity);
  if (known) return known.segment(text);
  // The first one takes some ten milliseconds, which no start should wait for.
  const segmenter = new Intl.Segmenter(undefined, { granularity });
  segmenters.set(granularity, segmenter);
  return segmenter.segment(text);
}

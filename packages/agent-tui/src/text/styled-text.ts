import { graphemesOf, graphemeWidth, plainWidth } from './grapheme-width.ts';

const escapeCode = '\x1b';
const bell = '\x07';
/** Stands in a styled text where the caret is; the screen takes it out and puts the terminal's cursor there. */
export const cursorMark = '\x1b_c\x1b\\';
/**
 * Sequences without width: colours `ESC [ … m`, links `ESC ] 8 ; … ST`, marks `ESC ] 133 ; … ST`, the caret, and
 * images `ESC 7 … ESC 8`.
 */
const sequence = new RegExp(
  `${escapeCode}\\[[0-9;:]*m|${escapeCode}\\](?:8|133);[^${bell}${escapeCode}]*(?:${escapeCode}\\\\|${bell})|${escapeCode}_c${escapeCode}\\\\|${escapeCode}7[^${escapeCode}]*(?:${escapeCode}(?![78])[^${escapeCode}]*)*${escapeCode}8`,
  'g',
);

/** A part of a styled text: a character, or a sequence that changes the style of the following ones. */
export type Piece =
  | { readonly kind: 'character'; readonly text: string; readonly width: number }
  | { readonly kind: 'sequence'; readonly text: string };

/** Takes a styled text apart; put together, the pieces are the text again. */
export function* piecesOf(text: string): Generator<Piece> {
  let from = 0;
  for (const { 0: found, index } of text.matchAll(sequence)) {
    yield* charactersOf(text.slice(from, index));
    yield { kind: 'sequence', text: found };
    from = index + found.length;
  }
  yield* charactersOf(text.slice(from));
}

/** The columns a styled text takes. */
export function textWidth(text: string): number {
  return plainWidth(text.includes('\x1b') ? plainText(text) : text);
}

/** The text without its colours and links. */
export function plainText(text: string): string {
  return text.replace(sequence, '');
}

/** Replaces tabs by blanks, so that a text is as wide as it is measured. */
export function expandTabs(text: string, tabWidth = 4): string {
  if (!text.includes('\t')) return text;
  let column = 0;
  let expanded = '';
  for (const piece of piecesOf(text)) {
    if (piece.kind === 'sequence') {
      expanded += piece.text;
      continue;
    }
    const blanks = piece.text === '\t' ? tabWidth - (column % tabWidth) : 0;
    expanded += blanks > 0 ? ' '.repeat(blanks) : piece.text;
    column += blanks > 0 ? blanks : piece.width;
  }
  return expanded;
}

function* charactersOf(text: string): Generator<Piece> {
  for (const character of graphemesOf(text))
    yield { kind: 'character', text: character, width: graphemeWidth(character) };
}

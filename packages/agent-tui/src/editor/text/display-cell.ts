import { graphemeWidth, plainWidth } from '../../text/grapheme-width.ts';
import { truncateText } from '../../text/truncate-text.ts';
import { type Token, tokenOf } from './token.ts';

/** How one character of a text is shown. */
export interface DisplayCell {
  readonly text: string;
  readonly width: number;
}

/** The context of a drawn character. */
export interface CellLayout {
  /** The column it begins at. */
  readonly column: number;
  /** The most that a token's label may take. */
  readonly limit: number;
  readonly tokens: readonly Token[];
}

const tabWidth = 4;
const codePointsInCell = 24;
const unseen = /^[\u0080-\u009f\u202a-\u202e\u2066-\u2069]$/;

/** Shows a character as a terminal may get it: nothing that it would obey, and as wide as it says. */
export function displayCell(character: string, { column, limit, tokens }: CellLayout): DisplayCell {
  const code = character.charCodeAt(0);
  if (code === 0x09) return blanks(Math.min(tabWidth - (column % tabWidth), Math.max(1, limit - column)));
  if (code < 0x20) return { text: `^${String.fromCharCode(code + 0x40)}`, width: 2 };
  if (code === 0x7f) return { text: '^?', width: 2 };
  if (code < 0x7f) return sized(character);
  if (unseen.test(character)) return { text: '\ufffd', width: 1 };
  const token = tokenOf(character, tokens);
  if (!token) return sized(character);
  const text = truncateText(token.label, limit);
  return { text, width: plainWidth(text) };
}

function sized(character: string): DisplayCell {
  const isLong = character.length > codePointsInCell;
  const text = isLong ? [...character].slice(0, codePointsInCell).join('') : character;
  return { text, width: graphemeWidth(text) };
}

function blanks(width: number): DisplayCell {
  return { text: ' '.repeat(width), width };
}

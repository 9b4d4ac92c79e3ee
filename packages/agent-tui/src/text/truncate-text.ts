import { graphemesOf, graphemeWidth } from './grapheme-width.ts';
import { StyleState } from './style-state.ts';
import { piecesOf, plainText, textWidth } from './styled-text.ts';

/** Cuts a styled text to a width; what was cut off is marked, and no colour leaks out. */
export function truncateText(text: string, width: number, mark = '…'): string {
  if (textWidth(text) <= width) return text;
  const room = width - textWidth(mark);
  if (room < 0) return '';
  const state = new StyleState();
  let cut = '';
  let taken = 0;
  for (const piece of piecesOf(text)) {
    if (piece.kind === 'sequence') {
      state.apply(piece.text);
      cut += piece.text;
      continue;
    }
    if (taken + piece.width > room) break;
    cut += piece.text;
    taken += piece.width;
  }
  return cut + mark + state.closing;
}

/** Cuts the middle out of a plain text, so that its end, which often tells most, stays in sight. */
export function truncateMiddle(
  text: string,
  width: number,
  { endWidth = 30, mark = '…' }: { readonly endWidth?: number; readonly mark?: string } = {},
): string {
  const plain = plainText(text);
  if (textWidth(plain) <= width) return plain;
  const room = width - textWidth(mark);
  if (room < 1) return room < 0 ? '' : mark;
  const end = Math.min(endWidth, Math.floor(room / 2) + (room % 2));
  const characters = [...graphemesOf(plain)];
  const head = takeWidth(characters, room - end);
  const tail = takeWidth(characters.reverse(), end);
  return `${head.join('')}${mark}${tail.reverse().join('')}`;
}

function takeWidth(characters: readonly string[], width: number): string[] {
  const taken: string[] = [];
  let room = width;
  for (const character of characters) {
    room -= graphemeWidth(character);
    if (room < 0) break;
    taken.push(character);
  }
  return taken;
}

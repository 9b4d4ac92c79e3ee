import { StyleState } from './style-state.ts';
import { piecesOf } from './styled-text.ts';

/** Breaks a styled line as terminals do, between any two characters. Colours and links continue on the next row. */
export function breakText(text: string, columns: number): string[] {
  const state = new StyleState();
  const rows: string[] = [];
  let row = '';
  let taken = 0;
  for (const piece of piecesOf(text)) {
    if (piece.kind === 'sequence') state.apply(piece.text);
    else if (taken + piece.width > columns && taken > 0) {
      rows.push(row + state.closing);
      row = state.opening;
      taken = 0;
    }
    row += piece.text;
    if (piece.kind === 'character') taken += piece.width;
  }
  return [...rows, row + state.closing];
}

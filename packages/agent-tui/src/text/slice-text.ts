import { StyleState } from './style-state.ts';
import { piecesOf } from './styled-text.ts';

/**
 * The columns of a styled text from one up to another, in its own look. A wide character that stands across an edge is
 * left out, and blanks take its place, so that the slice is as wide as its part of the text.
 */
export function sliceText(text: string, from: number, to: number): string {
  const state = new StyleState();
  let slice = '';
  let column = 0;
  let isInside = false;
  for (const piece of piecesOf(text)) {
    if (piece.kind === 'sequence') {
      state.apply(piece.text);
      if (isInside) slice += piece.text;
      continue;
    }
    const end = column + piece.width;
    if (column >= to && piece.width > 0) break;
    if (!isInside && end > from) {
      isInside = true;
      slice += state.opening;
    }
    if (isInside)
      slice += column >= from && end <= to ? piece.text : ' '.repeat(overlap(column, end, [from, to]));
    column = end;
  }
  return isInside ? slice + state.closing : '';
}

function overlap(start: number, end: number, [from, to]: readonly [number, number]): number {
  return Math.max(0, Math.min(end, to) - Math.max(start, from));
}

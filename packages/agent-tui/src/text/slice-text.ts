import { StyleState } from './style-state.ts';
import { piecesOf } from './styled-text.ts';

/**
 * A range of columns of a styled text, in its own style. A wide character across an edge is replaced by blanks, so
 * that the slice has the exact width.
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

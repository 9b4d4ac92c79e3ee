import { segmentsOf } from '../../text/grapheme-width.ts';
import { clusterAt, nextColumn, previousColumn } from './cluster.ts';
import { isTokenAt } from './token.ts';

const blank = /^\s+$/u;

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly kind: 'blank' | 'word' | 'sign' | 'token';
}

/** The end of the word after a position, or of the next one; a run of signs and a token count as words. */
export function wordEndAfter(line: string, column: number): number {
  let place = column;
  let piece = pieceAt(line, place);
  while (piece?.kind === 'blank') {
    place = piece.end;
    piece = pieceAt(line, place);
  }
  if (piece?.kind !== 'sign') return piece?.end ?? line.length;
  while (piece?.kind === 'sign') {
    place = piece.end;
    piece = pieceAt(line, place);
  }
  return place;
}

/** The start of the word before a position. */
export function wordStartBefore(line: string, column: number): number {
  let place = column;
  let piece = pieceBefore(line, place);
  while (piece?.kind === 'blank') {
    place = piece.start;
    piece = pieceBefore(line, place);
  }
  if (piece?.kind !== 'sign') return piece?.start ?? 0;
  while (piece?.kind === 'sign') {
    place = piece.start;
    piece = pieceBefore(line, place);
  }
  return place;
}

/** The start of the next word after a position, or the end of the line. */
export function nextWordStart(line: string, column: number): number {
  let place = column;
  let piece = pieceAt(line, place);
  const { kind } = piece ?? {};
  if (kind === 'word' || kind === 'token') {
    place = piece?.end ?? line.length;
    piece = pieceAt(line, place);
  }
  while (kind === 'sign' && piece?.kind === 'sign') {
    place = piece.end;
    piece = pieceAt(line, place);
  }
  while (piece?.kind === 'blank') {
    place = piece.end;
    piece = pieceAt(line, place);
  }
  return place;
}

function pieceAt(line: string, column: number): Piece | undefined {
  if (column >= line.length) return undefined;
  if (isTokenAt(line, column)) return { start: column, end: nextColumn(line, column), kind: 'token' };
  return pieceAround(line, column);
}

function pieceBefore(line: string, column: number): Piece | undefined {
  if (column <= 0) return undefined;
  const start = previousColumn(line, column);
  if (isTokenAt(line, start)) return { start, end: column, kind: 'token' };
  return pieceAround(line, start);
}

function pieceAround(line: string, index: number): Piece | undefined {
  const found = segmentsOf(line, 'word').containing(index);
  if (!found) return undefined;
  const kind = found.isWordLike ? 'word' : blank.test(found.segment) ? 'blank' : 'sign';
  // Unicode words may end inside a character; the caret stays between characters.
  const start = isTokenAt(line, found.index) ? index : clusterAt(line, found.index).start;
  const end = clusterAt(line, found.index + found.segment.length - 1).end;
  return { start, end, kind };
}

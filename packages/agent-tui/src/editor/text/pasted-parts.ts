import type { EditorState } from './editor-state.ts';
import { comparePositions, type Position, type Range } from './position.ts';
import { endOfInsertion } from './text-buffer.ts';
import { expandTokens, isTokenAt, tokenOf } from './token.ts';

/** A part of a text by its UTF-16 units; the end is not in it. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Adjusts spans to a replaced range; empty ones are dropped. */
export function movedRanges(ranges: readonly Range[], replaced: Range, text: string): readonly Range[] {
  if (ranges.length === 0) return ranges;
  const behind = endOfInsertion(replaced.start, text);
  const shifted = ({ line, column }: Position): Position =>
    line === replaced.end.line
      ? { line: behind.line, column: behind.column + column - replaced.end.column }
      : { line: line + behind.line - replaced.end.line, column };
  return ranges
    .map(({ start, end }) => ({
      start: startAfter(start, replaced, { behind, shifted }),
      end: endAfter(end, replaced, shifted),
    }))
    .filter(({ start, end }) => comparePositions(start, end) < 0);
}

/** True if the text at a position was pasted. */
export function isPastedAt({ pasted, buffer, tokens }: EditorState, place: Position): boolean {
  const line = buffer.line(place.line);
  if (isTokenAt(line, place.column) && tokenOf(line.charAt(place.column), tokens)?.kind === 'paste')
    return true;
  return pasted.some(
    ({ start, end }) => comparePositions(start, place) <= 0 && comparePositions(place, end) < 0,
  );
}

/** The parts of the text as it is sent that were pasted. */
export function pastedSpans(state: EditorState): readonly TextSpan[] {
  const { buffer, tokens, pasted } = state;
  const written = buffer.text;
  const origin = { line: 0, column: 0 };
  const placeOf = (position: Position) => buffer.slice({ start: origin, end: position }).length;
  const spans = [
    ...pasted.map(({ start, end }) => ({ start: placeOf(start), end: placeOf(end) })),
    ...(tokens.length === 0 ? [] : pasteTokensIn(written, state)),
  ];
  const sentAt = (place: number) => expandTokens(written.slice(0, place), tokens).length;
  return spans
    .map(({ start, end }) => ({ start: sentAt(start), end: sentAt(end) }))
    .sort((one, other) => one.start - other.start);
}

/** The ranges of a text that spans of it are. */
export function rangesOf(text: string, spans: readonly TextSpan[]): readonly Range[] {
  const origin = { line: 0, column: 0 };
  const positionOf = (place: number) => endOfInsertion(origin, text.slice(0, place));
  return spans.map(({ start, end }) => ({ start: positionOf(start), end: positionOf(end) }));
}

interface Replacement {
  readonly behind: Position;
  shifted(position: Position): Position;
}

function startAfter(start: Position, replaced: Range, { behind, shifted }: Replacement): Position {
  if (comparePositions(start, replaced.end) >= 0) return shifted(start);
  return comparePositions(start, replaced.start) < 0 ? start : behind;
}

function endAfter(end: Position, replaced: Range, shifted: Replacement['shifted']): Position {
  if (comparePositions(end, replaced.start) <= 0) return end;
  return comparePositions(end, replaced.end) > 0 ? shifted(end) : replaced.start;
}

function pasteTokensIn(written: string, { tokens }: EditorState): readonly TextSpan[] {
  return [...written.matchAll(/\p{Surrogate}/gu)]
    .filter(([character]) => tokenOf(character, tokens)?.kind === 'paste')
    .map(({ index }) => ({ start: index, end: index + 1 }));
}

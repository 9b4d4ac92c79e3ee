/** A position between two characters: a line, and a column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A range of text; the start is never after the end. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Below zero if the first place comes before the second, zero if they are one. */
export function comparePositions(first: Position, second: Position): number {
  return first.line - second.line || first.column - second.column;
}

/** The range between two places, whichever comes first. */
export function rangeBetween(first: Position, second: Position): Range {
  return comparePositions(first, second) <= 0 ? { start: first, end: second } : { start: second, end: first };
}

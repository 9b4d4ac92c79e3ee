/** A place between two characters of a text: a line, and how many UTF-16 units of it stand before. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What stands from one place to another; the start is never behind the end. */
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

import { cursorMark, textWidth } from '../text/styled-text.ts';
import type { Cursor } from './plan-frame.ts';

/** Lines without the mark of the caret, and where it stood. */
export interface MarkedLines {
  readonly lines: readonly string[];
  readonly cursor: Cursor | undefined;
}

/** Takes the mark of the caret out of drawn lines; of several, the last counts. */
export function extractCursor(drawn: readonly string[]): MarkedLines {
  let cursor: Cursor | undefined;
  const lines = drawn.map((line, row) => {
    const at = line.lastIndexOf(cursorMark);
    if (at < 0) return line;
    cursor = { row, column: textWidth(line.slice(0, at)) };
    return line.replaceAll(cursorMark, '');
  });
  return { lines, cursor };
}

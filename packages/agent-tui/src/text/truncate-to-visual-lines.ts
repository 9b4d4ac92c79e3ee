import { wrapText } from './wrap-text.ts';

/** The rows of a text that fit, and how many rows were left out. */
export interface VisualLines {
  readonly lines: readonly string[];
  readonly skipped: number;
}

/** Wraps a text to a width and keeps its last rows, at most as many as given; what is left out stands before them. */
export function truncateToVisualLines(text: string, width: number, maxLines: number): VisualLines {
  const kept = Math.max(0, Math.floor(maxLines));
  const rows = text === '' ? [] : text.split('\n').flatMap((line) => wrapText(line, Math.max(1, width)));
  const lines = kept === 0 ? [] : rows.slice(-kept);
  return { lines, skipped: rows.length - lines.length };
}

import type { DiffLine } from './diff-line.ts';
import { diffTexts } from './diff-texts.ts';

/** The difference of two pieces of a file; where they stand in it is not known, so the lines have no numbers. */
export function diffFragments(before: string, after: string): readonly DiffLine[] {
  const { lines } = diffTexts({ path: '', before, after }, { context: Number.POSITIVE_INFINITY });
  return lines.map(({ kind, text }) => ({ kind, text }));
}

import type { DiffLine, Display } from '@robota-sdk/agent-core';

/** Two versions of a stretch of lines; the numbers are those of its first line. */
export interface LineChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly beforeLine: number;
  readonly afterLine: number;
}

/** The one region in which two stretches of lines differ, without the lines they share at either end. */
export function changedLines({ before, after, beforeLine, afterLine }: LineChange): readonly DiffLine[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  return [
    ...removed.map((text, index): DiffLine => ({ kind: 'removed', text, line: beforeLine + head + index })),
    ...added.map((text, index): DiffLine => ({ kind: 'added', text, line: afterLine + head + index })),
  ];
}

/** The lines of a text with LF line breaks; a final break does not start another line. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

const maxLines = 400;

/** A diff for display, cut at a limit. */
export function diffDisplay(path: string, lines: readonly DiffLine[]): Display {
  const more = lines.length - maxLines;
  if (more <= 0) return { kind: 'diff', path, lines };
  return {
    kind: 'diff',
    path,
    lines: [...lines.slice(0, maxLines), { kind: 'gap', text: `${more} more lines` }],
  };
}

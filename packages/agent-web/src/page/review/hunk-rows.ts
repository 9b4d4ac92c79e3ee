import { alignRun, type DiffLine } from '@robota-sdk/agent-diff';
import type { ReviewedHunk } from '../../contract/review.ts';

/** A line of a hunk with its numbers, counted from 1; 0 on the side where it is missing. */
export interface HunkLine {
  readonly index: number;
  readonly kind: 'added' | 'removed' | 'context';
  readonly old: number;
  readonly now: number;
}

/** A row of the two columns, by indexes of lines; undefined for an empty place. */
export interface SplitRow {
  readonly left: number | undefined;
  readonly right: number | undefined;
}

/** Lines of one side of a file, counted from 1. */
export interface LineSpan {
  readonly side: 'old' | 'new';
  readonly line: number;
  readonly endLine: number;
}

/** Numbers the lines of a hunk on both sides. */
export function linesOfHunk({ lines, oldStart, newStart }: ReviewedHunk): readonly HunkLine[] {
  let old = oldStart;
  let now = newStart;
  return lines.flatMap(({ kind }, index): readonly HunkLine[] => {
    if (kind === 'gap') return [];
    const isOld = kind !== 'added';
    const isNew = kind !== 'removed';
    if (isOld) old += 1;
    if (isNew) now += 1;
    return [{ index, kind, old: isOld ? old : 0, now: isNew ? now : 0 }];
  });
}

/** Old lines beside the new ones that replace them. */
export function splitRows(lines: readonly DiffLine[]): readonly SplitRow[] {
  const rows: SplitRow[] = [];
  for (let index = 0; index < lines.length; ) {
    const kind = lines[index]?.kind;
    if (kind === 'context') rows.push({ left: index, right: index });
    if (kind === 'context' || kind === 'gap') {
      index += 1;
      continue;
    }
    const removed = countOf(lines, index, 'removed');
    const added = countOf(lines, index + removed, 'added');
    const place = (at: number) => (at < 0 ? undefined : at);
    for (const [old, now] of alignRun(lines, { start: index, removed, added }))
      rows.push({ left: place(old), right: place(now) });
    index += removed + added;
  }
  return rows;
}

function countOf(lines: readonly DiffLine[], start: number, kind: DiffLine['kind']): number {
  let count = 0;
  while (lines[start + count]?.kind === kind) count += 1;
  return count;
}

/** The first changed line, which a comment is about unless others are chosen. */
export function firstChange(lines: readonly HunkLine[]): number {
  const added = lines.findIndex(({ kind }) => kind === 'added');
  return Math.max(0, added >= 0 ? added : lines.findIndex(({ kind }) => kind !== 'context'));
}

/** The lines between two positions of a hunk, on the side that both have; the new side if any line is on it. */
export function spanOf(lines: readonly HunkLine[], from: number, to: number): LineSpan | undefined {
  const part = lines.slice(Math.min(from, to), Math.max(from, to) + 1);
  const now = part.flatMap((line) => (line.now > 0 ? line.now : []));
  const old = part.flatMap((line) => (line.old > 0 ? line.old : []));
  const [side, numbers] = now.length > 0 ? (['new', now] as const) : (['old', old] as const);
  const first = numbers[0];
  const last = numbers.at(-1);
  return first === undefined || last === undefined ? undefined : { side, line: first, endLine: last };
}

/** The position of the last line of a span in a hunk; undefined if it is outside. */
export function endOf(lines: readonly HunkLine[], { side, endLine }: LineSpan): number | undefined {
  const index = lines.findIndex((line) => (side === 'new' ? line.now : line.old) === endLine);
  return index < 0 ? undefined : index;
}

export function isInSpan({ old, now }: HunkLine, { side, line, endLine }: LineSpan): boolean {
  const number = side === 'new' ? now : old;
  return number >= line && number <= endLine && number > 0;
}

/** `@@ -1,5 +1,7`. */
export function hunkRange({ oldStart, newStart, lines, added, removed }: ReviewedHunk): string {
  const context = lines.filter(({ kind }) => kind === 'context').length;
  const range = (start: number, count: number) => `${count === 0 ? start : start + 1},${count}`;
  return `@@ -${range(oldStart, context + removed)} +${range(newStart, context + added)}`;
}

const definition =
  /^\s{0,8}(?:export |default |async |public |private |protected |static |abstract |pub )*(?:function\*?|class|interface|type|enum|const|let|def|fn|func|struct|impl|trait|module|test|it|describe)\b\W{0,3}([\w$]+(?: [\w$]+){0,4})/;

/** The name of what the change is in: the last definition above its first changed line, or the first in it. */
export function hunkName({ lines }: ReviewedHunk): string {
  const first = lines.findIndex(({ kind }) => kind === 'added' || kind === 'removed');
  const above = lines.slice(0, first).findLast(({ text }) => definition.test(text));
  const found = above ?? lines.find(({ text }) => definition.test(text));
  return (found && definition.exec(found.text)?.[1]) ?? '';
}

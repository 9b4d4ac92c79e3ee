import { commonLength } from './common-length.ts';
import { compareLists, type ListChange } from './compare-lists.ts';
import type { DiffLine } from './diff-line.ts';

/** A stretch of a line, by UTF-16 positions, half open. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The words that differ between two versions of a line. */
export interface WordMarks {
  readonly before: readonly TextRange[];
  readonly after: readonly TextRange[];
}

const words =
  /\s+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{M}\p{N}_])+|[\s\S]/gu;
/** Lines that have less than this in common are not two versions of one line. */
const leastCommon = 0.4;
/** Longer lines are data rather than text. */
const longestLine = 2000;
/** Lines of longer runs are compared only where as many were added as were removed. */
const longestRun = 12;

/** The words that differ between two versions of a line; undefined if the versions have too little in common. */
export function wordMarks(before: string, after: string): WordMarks | undefined {
  if (before.length > longestLine || after.length > longestLine) return undefined;
  const old = before.match(words) ?? [];
  const now = after.match(words) ?? [];
  const changes = compareLists(old, now);
  const changed = changes.reduce(
    (sum, { oldStart, oldEnd }) => sum + letters(old.slice(oldStart, oldEnd)),
    0,
  );
  const common = letters(old) - changed;
  if (common < leastCommon * Math.max(letters(old), letters(now))) return undefined;
  const joined = joinChanges(changes, old, now);
  return {
    before: rangesOf(
      old,
      joined.map(({ oldStart, oldEnd }) => ({ start: oldStart, end: oldEnd })),
    ),
    after: rangesOf(
      now,
      joined.map(({ newStart, newEnd }) => ({ start: newStart, end: newEnd })),
    ),
  };
}

/** Joins changes with less in common between them than each of them is long: many small marks are hard to read. */
function joinChanges(
  changes: readonly ListChange[],
  old: readonly string[],
  now: readonly string[],
): readonly ListChange[] {
  const size = ({ oldStart, oldEnd, newStart, newEnd }: ListChange) =>
    Math.max(letters(old.slice(oldStart, oldEnd)), letters(now.slice(newStart, newEnd)));
  const joined: ListChange[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    const between = last ? letters(old.slice(last.oldEnd, change.oldStart)) : 0;
    if (last && between < Math.min(size(last), size(change)))
      joined[joined.length - 1] = { ...change, oldStart: last.oldStart, newStart: last.newStart };
    else joined.push(change);
  }
  return joined;
}

/** The marks of a changed line, by its index; undefined if it has no other version. Looks at its run only. */
export function marksOfLine(lines: readonly DiffLine[], index: number): readonly TextRange[] | undefined {
  const own = lines[index]?.text ?? '';
  const other = otherVersion(lines, index);
  if (other === undefined) return undefined;
  return lines[index]?.kind === 'removed' ? wordMarks(own, other)?.before : wordMarks(other, own)?.after;
}

/** The position from which a changed line differs from its other version; 0 if it has none. */
export function changeStart(lines: readonly DiffLine[], index: number): number {
  return commonLength(lines[index]?.text ?? '', otherVersion(lines, index) ?? '');
}

function otherVersion(lines: readonly DiffLine[], index: number): string | undefined {
  const kind = lines[index]?.kind;
  if (kind !== 'removed' && kind !== 'added') return undefined;
  const run = runAround(lines, index);
  if (run.removed === 0 || run.added === 0) return undefined;
  const isOld = kind === 'removed';
  const place = isOld ? index - run.start : index - run.start - run.removed;
  const other = partnerOf(lines, run, { place, isOld });
  return other === undefined ? undefined : (lines[other]?.text ?? '');
}

/** Rows of old lines beside new ones, by index, -1 for none: lines that have words in common stand side by side. */
export function alignRun(lines: readonly DiffLine[], { start, removed, added }: Run): readonly LinePair[] {
  const firstAdded = start + removed;
  const isSmall = removed <= longestRun && added <= longestRun && removed !== added;
  const texts = (from: number, count: number) => lines.slice(from, from + count).map(({ text }) => text);
  const pairs = isSmall ? similarPairs(texts(start, removed), texts(firstAdded, added)) : [];
  const rows: LinePair[] = [];
  let [old, now] = [0, 0];
  for (const [oldEnd, newEnd] of [...pairs, [removed, added] as const]) {
    for (let row = 0; row < Math.max(oldEnd - old, newEnd - now); row++) {
      const left = old + row < oldEnd ? start + old + row : -1;
      const right = now + row < newEnd ? firstAdded + now + row : -1;
      rows.push([left, right]);
    }
    if (oldEnd < removed && newEnd < added) rows.push([start + oldEnd, firstAdded + newEnd]);
    old = oldEnd + 1;
    now = newEnd + 1;
  }
  return rows;
}

type LinePair = readonly [old: number, now: number];

/** Removed lines followed by added ones. A side longer than the bound is not counted to its end. */
interface Run {
  readonly start: number;
  readonly removed: number;
  readonly added: number;
}

/** Counting stops here, so that a line of a huge change costs no more than others. */
const longestCount = 500;

function runAround(lines: readonly DiffLine[], index: number): Run {
  const isRemoved = lines[index]?.kind === 'removed';
  const back = (from: number, kind: DiffLine['kind']) => {
    let at = from;
    while (at > 0 && index - at < longestCount && lines[at - 1]?.kind === kind) at--;
    return at;
  };
  const firstAdded = isRemoved ? forward(lines, index, 'removed') : back(index, 'added');
  const start = isRemoved ? back(index, 'removed') : back(firstAdded, 'removed');
  return { start, removed: firstAdded - start, added: forward(lines, firstAdded, 'added') - firstAdded };
}

function forward(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let at = from;
  while (at - from < longestCount && lines[at]?.kind === kind) at++;
  return at;
}

function partnerOf(
  lines: readonly DiffLine[],
  { start, removed, added }: Run,
  { place, isOld }: { readonly place: number; readonly isOld: boolean },
): number | undefined {
  if (removed >= longestCount || added >= longestCount) return undefined;
  if (removed === added) return isOld ? start + removed + place : start + place;
  if (removed > longestRun || added > longestRun) return undefined;
  const old = lines.slice(start, start + removed).map(({ text }) => text);
  const now = lines.slice(start + removed, start + removed + added).map(({ text }) => text);
  const pair = similarPairs(old, now).find(([one, other]) => (isOld ? one : other) === place);
  return pair && (isOld ? start + removed + pair[1] : start + pair[0]);
}

/** Pairs of lines in the same order on both sides that have the most in common. */
function similarPairs(
  old: readonly string[],
  now: readonly string[],
): readonly (readonly [number, number])[] {
  const columns = now.length + 1;
  const likeness = old.map((one) => now.map((other) => likenessOf(one, other)));
  const best = new Float64Array((old.length + 1) * columns);
  const at = (row: number, column: number) => best[row * columns + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--)
      best[row * columns + column] = Math.max(
        at(row + 1, column),
        at(row, column + 1),
        at(row + 1, column + 1) + (likeness[row]?.[column] ?? 0),
      );
  const pairs: LinePair[] = [];
  for (let row = 0, column = 0; row < old.length && column < now.length; ) {
    if (at(row, column) === at(row + 1, column)) row++;
    else if (at(row, column) === at(row, column + 1)) column++;
    else pairs.push([row++, column++]);
  }
  return pairs;
}

/** How much of two lines is the same, from 0 to 1; 0 for lines that are not two versions of one. */
function likenessOf(one: string, other: string): number {
  const marks = wordMarks(one, other);
  if (!marks) return 0;
  const changed = marks.before.reduce((sum, { start, end }) => sum + end - start, 0);
  return 1 - changed / Math.max(1, one.length, other.length);
}

function letters(tokens: readonly string[]): number {
  return tokens.reduce((sum, token) => sum + token.trim().length, 0);
}

/** Regions of words as ranges of the text; those parted by blanks only become one. */
function rangesOf(tokens: readonly string[], regions: readonly TextRange[]): readonly TextRange[] {
  const offsets = [0];
  for (const token of tokens) offsets.push((offsets.at(-1) ?? 0) + token.length);
  const text = tokens.join('');
  const indent = text.trim() === '' ? 0 : text.length - text.trimStart().length;
  const ranges: TextRange[] = [];
  for (const region of regions) {
    const end = offsets[region.end] ?? text.length;
    // Another indent says little, and is seen anyway.
    const start = Math.max(offsets[region.start] ?? 0, indent);
    if (start >= end) continue;
    const last = ranges.at(-1);
    if (last && text.slice(last.end, start).trim() === '')
      ranges[ranges.length - 1] = { start: last.start, end };
    else ranges.push({ start, end });
  }
  return ranges;
}

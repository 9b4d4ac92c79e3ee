import { alignRun, type DiffLine } from '@robota-sdk/agent-diff';

/** One line of a diff on the screen, or two side by side; the numbers are indexes of lines. */
export interface DiffEntry {
  readonly kind: 'line' | 'pair' | 'gap' | 'no-newline';
  /** The line, or the old one of a pair; -1 for an empty side. */
  readonly left: number;
  /** The new line of a pair; -1 for an empty side. */
  readonly right: number;
}

/** How a diff is laid out at a width: entries in order, and the row at which each begins. */
export interface DiffLayout {
  readonly width: number;
  /** Columns of code, the same on both sides. */
  readonly room: number;
  readonly isSplit: boolean;
  readonly lines: readonly DiffLine[];
  readonly entries: readonly DiffEntry[];
  /** One more than there are entries: the last one is the number of rows. */
  readonly starts: Uint32Array;
  /** Columns of line numbers; 0 if the lines have none. */
  readonly digits: number;
  /** The old numbers of unchanged lines, by index. */
  readonly oldNumbers: Uint32Array;
}

/** The entries of a diff, one below the other. */
export function unifiedEntries(lines: readonly DiffLine[]): DiffEntry[] {
  return lines.flatMap((line, index): DiffEntry[] => {
    if (line.kind === 'gap') return [{ kind: 'gap', left: index, right: -1 }];
    const entry: DiffEntry = { kind: 'line', left: index, right: -1 };
    return line.noNewline ? [entry, { kind: 'no-newline', left: index, right: -1 }] : [entry];
  });
}

/** The entries of a diff, old lines beside new ones. */
export function splitEntries(lines: readonly DiffLine[]): DiffEntry[] {
  const entries: DiffEntry[] = [];
  for (let index = 0; index < lines.length; ) {
    const kind = lines[index]?.kind;
    if (kind === 'gap' || kind === 'context') {
      entries.push(
        kind === 'gap' ? { kind, left: index, right: -1 } : { kind: 'pair', left: index, right: index },
      );
      addEnd(entries, lines, index++);
      continue;
    }
    const removed = runEnd(lines, index, 'removed') - index;
    const added = runEnd(lines, index + removed, 'added') - index - removed;
    for (const [left, right] of alignRun(lines, { start: index, removed, added }))
      entries.push({ kind: 'pair', left, right });
    index += removed + added;
    addEnd(entries, lines, index - 1);
  }
  return entries;
}

/** Says of the sides of the last pair which one has no line break. */
function addEnd(entries: DiffEntry[], lines: readonly DiffLine[], index: number): void {
  const last = entries.at(-1);
  if (last?.kind !== 'pair' || index < 0) return;
  const left = lines[last.left]?.noNewline ? last.left : -1;
  const right = lines[last.right]?.noNewline ? last.right : -1;
  if (left >= 0 || right >= 0) entries.push({ kind: 'no-newline', left, right });
}

function runEnd(lines: readonly DiffLine[], start: number, kind: DiffLine['kind']): number {
  let end = start;
  while (lines[end]?.kind === kind) end++;
  return end;
}

/** Columns that the numbers of lines take. */
export function digitsOf(lines: readonly DiffLine[], least: number): number {
  const highest = lines.reduce((most, { line = 0 }) => Math.max(most, line), 0);
  return highest === 0 ? 0 : Math.max(least, String(highest).length);
}

/** The old numbers of unchanged lines, told from what was added and removed before them. */
export function oldNumbersOf(lines: readonly DiffLine[]): Uint32Array {
  const numbers = new Uint32Array(lines.length);
  let shift = 0;
  for (const [index, { kind, line = 0 }] of lines.entries()) {
    if (kind === 'added') shift++;
    else if (kind === 'removed') shift--;
    numbers[index] = Math.max(0, kind === 'removed' ? line : line - shift);
  }
  return numbers;
}

/** The entry in which a row lies. */
export function entryAt({ starts, entries }: DiffLayout, row: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high - 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= row) low = middle;
    else high = middle;
  }
  return low;
}

import type { ListChange } from './compare-lists.ts';

/** The lines of both files. */
export interface LinePair {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Further than this no change is moved. */
const longestMove = 100;

/**
 * Moves changes to where people expect them. An added or removed block that begins with the line that follows it may
 * as well stand one line lower; the best place is where it begins with the least indented line.
 */
export function alignChanges(changes: readonly ListChange[], pair: LinePair): readonly ListChange[] {
  const aligned: ListChange[] = [];
  for (const [index, change] of changes.entries()) {
    const move = moveOf(change, { previous: aligned.at(-1), next: changes[index + 1], pair });
    aligned.push({
      oldStart: change.oldStart + move,
      oldEnd: change.oldEnd + move,
      newStart: change.newStart + move,
      newEnd: change.newEnd + move,
    });
  }
  return aligned;
}

interface ChangeNeighbours {
  readonly previous: ListChange | undefined;
  readonly next: ListChange | undefined;
  readonly pair: LinePair;
}

/** Only blocks that are added or removed move, and an unchanged line stays between them and their neighbours. */
function moveOf(change: ListChange, { previous, next, pair }: ChangeNeighbours): number {
  const isAdded = change.oldStart === change.oldEnd;
  if (!isAdded && change.newStart !== change.newEnd) return 0;
  const lines = isAdded ? pair.after : pair.before;
  const start = isAdded ? change.newStart : change.oldStart;
  const end = isAdded ? change.newEnd : change.oldEnd;
  const first = previous ? (isAdded ? previous.newEnd : previous.oldEnd) + 1 : 0;
  const last = next ? (isAdded ? next.newStart : next.oldStart) - 1 : lines.length;
  const up = Math.min(start - first, longestMove);
  return bestMove(lines, { start, end, up, down: Math.min(last - end, longestMove) });
}

interface Movable {
  readonly start: number;
  readonly end: number;
  readonly up: number;
  readonly down: number;
}

function bestMove(lines: readonly string[], { start, end, up, down }: Movable): number {
  let lowest = 0;
  while (-lowest < up && lines[start + lowest - 1] === lines[end + lowest - 1]) lowest--;
  let highest = 0;
  while (highest < down && lines[start + highest] === lines[end + highest]) highest++;
  let best = highest;
  let least = Number.POSITIVE_INFINITY;
  for (let move = highest; move >= lowest; move--) {
    const cost = indentOf(lines, start + move, end + move);
    if (cost >= least) continue;
    best = move;
    least = cost;
  }
  return best;
}

/** The indent of the first line of a block that is not blank. */
function indentOf(lines: readonly string[], start: number, end: number): number {
  for (let index = start; index < end; index++) {
    const indent = lines[index]?.search(/\S/) ?? -1;
    if (indent >= 0) return indent;
  }
  return 0;
}

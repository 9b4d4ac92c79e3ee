/** Finds lines of a file again after the file has changed. */
export interface Anchor {
  /** Counted from 1. */
  readonly line: number;
  /** The lines themselves. */
  readonly excerpt: readonly string[];
  /** Lines right before and after them, in the order of the file. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** How often the lines stood in the file, and how many times before these. */
  readonly copies: number;
  readonly copiesBefore: number;
}

/** How many lines on each side tell copies of the same lines apart. */
const contextLines = 3;

/** The anchor of some lines, first and last counted from 1. */
export function anchorAt(
  lines: readonly string[],
  { line, endLine }: { readonly line: number; readonly endLine: number },
): Anchor {
  const start = line - 1;
  const excerpt = lines.slice(start, endLine);
  const copies = copiesOf(lines, excerpt);
  return {
    line,
    excerpt,
    before: lines.slice(Math.max(0, start - contextLines), start),
    after: lines.slice(endLine, endLine + contextLines),
    copies: copies.length,
    copiesBefore: copies.filter((copy) => copy < start).length,
  };
}

/** The first line of an anchored range, counted from 1; undefined if it is gone or cannot be told from copies. */
export function findAnchor(lines: readonly string[], anchor: Anchor): number | undefined {
  const { excerpt, copies, copiesBefore } = anchor;
  if (excerpt.length === 0) return undefined;
  const found = copiesOf(lines, excerpt);
  if (found.length === 1 && copies === 1) return (found[0] ?? 0) + 1;
  const scores = found.map((start) => scoreOf(lines, start, anchor));
  const best = Math.max(0, ...scores);
  const winners = found.filter((_, index) => scores[index] === best);
  const sameRank = found.length === copies ? found[copiesBefore] : undefined;
  // As many copies as before: the one with the same rank, if its neighbours do not speak against it.
  if (sameRank !== undefined && winners.includes(sameRank)) return sameRank + 1;
  const [winner] = winners;
  if (winner === undefined || winners.length > 1 || !hasWholeSide(lines, winner, anchor)) return undefined;
  return winner + 1;
}

function copiesOf(lines: readonly string[], excerpt: readonly string[]): readonly number[] {
  const found: number[] = [];
  for (let start = 0; start + excerpt.length <= lines.length; start++)
    if (excerpt.every((text, index) => lines[start + index] === text)) found.push(start);
  return found;
}

/** How many neighbouring lines are the same, counted from the excerpt outwards. */
function scoreOf(lines: readonly string[], start: number, anchor: Anchor): number {
  return sameBefore(lines, start, anchor) + sameAfter(lines, start, anchor);
}

function hasWholeSide(lines: readonly string[], start: number, anchor: Anchor): boolean {
  const { before, after } = anchor;
  const isWhole = (same: number, all: number) => all > 0 && same === all;
  return (
    isWhole(sameBefore(lines, start, anchor), before.length) ||
    isWhole(sameAfter(lines, start, anchor), after.length)
  );
}

function sameBefore(lines: readonly string[], start: number, { before }: Anchor): number {
  let same = 0;
  while (same < before.length && before.at(-1 - same) === lines[start - 1 - same]) same++;
  return same;
}

function sameAfter(lines: readonly string[], start: number, { after, excerpt }: Anchor): number {
  let same = 0;
  while (same < after.length && after[same] === lines[start + excerpt.length + same]) same++;
  return same;
}

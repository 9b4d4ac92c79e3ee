/** The most likely candidates for a mistyped name, closest first; dissimilar ones are omitted. */
export function nearest(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = name.toLowerCase();
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const other = candidate.toLowerCase();
    const tolerance = Math.max(1, Math.floor(Math.max(wanted.length, other.length) / 3));
    const distance = editDistance(wanted, other, tolerance);
    if (distance <= tolerance) scored.push({ candidate, distance });
  }
  // At equal distance, swapped letters are the likelier typo.
  const otherLetters = (candidate: string) => Number(lettersOf(candidate) !== lettersOf(wanted));
  scored.sort(
    (a, b) =>
      a.distance - b.distance ||
      otherLetters(a.candidate) - otherLetters(b.candidate) ||
      (a.candidate < b.candidate ? -1 : 1),
  );
  return scored.slice(0, limit).map(({ candidate }) => candidate);
}

function lettersOf(name: string): string {
  return [...name.toLowerCase()].sort().join('');
}

/** Counts insertions, deletions, substitutions and swaps of neighbours; anything above `cap` is `cap + 1`. */
export function editDistance(a: string, b: string, cap: number): number {
  if (Math.abs(a.length - b.length) > cap) return cap + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, at(beforeLast, column - 2) + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return Math.min(at(last, b.length), cap + 1);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

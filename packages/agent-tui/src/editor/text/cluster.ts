import { segmentsOf } from '../../text/grapheme-width.ts';
import { isTokenAt } from './token.ts';

/** A user-perceived character of a line, as a range of UTF-16 units. */
export interface Cluster {
  readonly start: number;
  readonly end: number;
}

const plain = /^[\x20-\x7e]*$/;
const windowSize = 96;

/** The first character boundary after a position. */
export function nextColumn(line: string, column: number): number {
  return column >= line.length ? line.length : clusterAt(line, column).end;
}

/** The border of a character before a place. */
export function previousColumn(line: string, column: number): number {
  return column <= 0 ? 0 : clusterAt(line, Math.min(column, line.length) - 1).start;
}

/** The place itself if it is between two characters, else the end of the character that it is in. */
export function snapColumn(line: string, column: number): number {
  if (column <= 0) return 0;
  if (column >= line.length) return line.length;
  const { start, end } = clusterAt(line, column);
  return start === column ? column : end;
}

/** The character that a unit of a line belongs to. */
export function clusterAt(line: string, index: number): Cluster {
  if (isPlainAt(line, index) && isPlainAt(line, index + 1)) return { start: index, end: index + 1 };
  if (isTokenAt(line, index)) return { start: index, end: index + 1 };
  const found = segmentsOf(line, 'grapheme').containing(index);
  if (!found) return { start: index, end: index + 1 };
  return withoutTokens(line, index, { start: found.index, end: found.index + found.segment.length });
}

/** Every character of a line. */
export function clustersOf(line: string): Cluster[] {
  const clusters: Cluster[] = [];
  if (plain.test(line)) {
    for (let start = 0; start < line.length; start++) clusters.push({ start, end: start + 1 });
    return clusters;
  }
  // A segmenter needs time in proportion to its whole text for each step, so it is given one window after another.
  for (let from = 0, size = windowSize; from < line.length; ) {
    const found = clustersOfWindow(line, from, size);
    for (const cluster of found) clusters.push(cluster);
    from = found.at(-1)?.end ?? from;
    size = found.length === 0 ? size * 2 : windowSize;
  }
  return clusters;
}

/** The characters that surely end inside a window: the last one may continue after it. */
function clustersOfWindow(line: string, from: number, size: number): Cluster[] {
  const found: Cluster[] = [];
  for (const { index, segment } of segmentsOf(line.slice(from, from + size), 'grapheme')) {
    const end = from + index + segment.length;
    let start = from + index;
    if (end === from + size && end < line.length) break;
    while (start < end) {
      const cluster = withoutTokens(line, start, { start, end });
      found.push(cluster);
      start = cluster.end;
    }
  }
  return found;
}

/** A mark after a token is no part of it, although Unicode joins them. */
function withoutTokens(line: string, index: number, { start, end }: Cluster): Cluster {
  if (isTokenAt(line, index)) return { start: index, end: index + 1 };
  let first = index;
  while (first > start && !isTokenAt(line, first - 1)) first--;
  let last = index + 1;
  while (last < end && !isTokenAt(line, last)) last++;
  return { start: first, end: last };
}

/** True if the unit is one that never joins with another such one; the end of the line counts as one. */
function isPlainAt(line: string, index: number): boolean {
  if (index >= line.length) return true;
  const code = line.charCodeAt(index);
  return code >= 0x20 && code < 0x7f;
}

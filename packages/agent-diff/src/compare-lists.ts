import { commonLength } from './common-length.ts';

/** A region in which two lists differ, half open: old items from `oldStart` to `oldEnd` became the new ones. */
export interface ListChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * How far a search for the shortest difference goes before it settles for a good one. A search costs at most the square
 * of its limit and covers at least as many items, so the limit sinks with the size to keep the whole cost linear.
 */
const searchLimit = { most: 256, least: 32, work: 2_000_000 } as const;

/** The regions in which two lists differ, in order; nearly always the fewest items. Needs memory for the items only. */
export function compareLists(before: readonly string[], after: readonly string[]): ListChange[] {
  const head = commonLength(before, after);
  const tail = commonEnd(before, after, head);
  const old = before.slice(head, before.length - tail);
  const now = after.slice(head, after.length - tail);
  const changed = old.length === 0 || now.length === 0 ? allChanged(old, now) : markChanges(old, now);
  return regionsOf(changed, head);
}

/** Which items of either list have no partner in the other. */
interface ChangeMarks {
  readonly old: Uint8Array;
  readonly now: Uint8Array;
}

function allChanged(old: readonly string[], now: readonly string[]): ChangeMarks {
  return { old: new Uint8Array(old.length).fill(1), now: new Uint8Array(now.length).fill(1) };
}

function commonEnd(before: readonly string[], after: readonly string[], head: number): number {
  const most = Math.min(before.length, after.length) - head;
  let count = 0;
  while (count < most && before[before.length - 1 - count] === after[after.length - 1 - count]) count++;
  return count;
}

function markChanges(old: readonly string[], now: readonly string[]): ChangeMarks {
  const marks = allChanged(old, now);
  const numbers = new Map<string, number>();
  const inOld = numbered(old, (item) => numberOf(numbers, item));
  const inNow = numbered(now, (item) => numbers.get(item));
  const shared = new Set(inNow.values);
  // Items that the other list lacks are changed for certain, and need no search.
  const oldShared = inOld.filter((value) => shared.has(value));
  new MiddleSearch(oldShared.values, inNow.values).run((oldIndex, newIndex) => {
    marks.old[oldShared.places[oldIndex] ?? 0] = 0;
    marks.now[inNow.places[newIndex] ?? 0] = 0;
  });
  return marks;
}

function numberOf(numbers: Map<string, number>, item: string): number {
  const known = numbers.get(item);
  if (known !== undefined) return known;
  numbers.set(item, numbers.size);
  return numbers.size - 1;
}

/** Items as numbers, which compare faster, with their places in the list. */
class NumberedItems {
  readonly values: Int32Array;
  readonly places: Int32Array;

  constructor(values: readonly number[], places: readonly number[]) {
    this.values = Int32Array.from(values);
    this.places = Int32Array.from(places);
  }

  filter(isKept: (value: number) => boolean): NumberedItems {
    const values: number[] = [];
    const places: number[] = [];
    for (let index = 0; index < this.values.length; index++) {
      const value = this.values[index] ?? 0;
      if (!isKept(value)) continue;
      values.push(value);
      places.push(this.places[index] ?? 0);
    }
    return new NumberedItems(values, places);
  }
}

function numbered(
  items: readonly string[],
  numberOfItem: (item: string) => number | undefined,
): NumberedItems {
  const values: number[] = [];
  const places: number[] = [];
  for (const [place, item] of items.entries()) {
    const value = numberOfItem(item);
    if (value === undefined) continue;
    values.push(value);
    places.push(place);
  }
  return new NumberedItems(values, places);
}

/** A part of both lists, half open. */
interface Box {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Myers' search from both ends at once: finds a point on a shortest path, then searches before and after it. */
class MiddleSearch {
  readonly #old: Int32Array;
  readonly #now: Int32Array;
  /** The furthest old position on each diagonal (old − new), from the start and from the end. */
  readonly #ahead: Int32Array;
  readonly #back: Int32Array;
  readonly #middle: number;
  readonly #limit: number;

  constructor(old: Int32Array, now: Int32Array) {
    const { most, least, work } = searchLimit;
    this.#limit = Math.max(least, Math.min(most, Math.floor(work / (old.length + now.length))));
    this.#old = old;
    this.#now = now;
    this.#middle = now.length + 1;
    this.#ahead = new Int32Array(old.length + now.length + 3);
    this.#back = new Int32Array(old.length + now.length + 3);
  }

  /** Calls back for each pair of equal items. */
  run(onPair: (oldIndex: number, newIndex: number) => void): void {
    const boxes: Box[] = [{ oldStart: 0, oldEnd: this.#old.length, newStart: 0, newEnd: this.#now.length }];
    for (let box = boxes.pop(); box; box = boxes.pop()) {
      const rest = this.#trim(box, onPair);
      if (rest.oldStart === rest.oldEnd || rest.newStart === rest.newEnd) continue;
      const [oldSplit, newSplit] = this.#split(rest);
      boxes.push({ ...rest, oldStart: oldSplit, newStart: newSplit });
      boxes.push({ ...rest, oldEnd: oldSplit, newEnd: newSplit });
    }
  }

  #trim(box: Box, onPair: (oldIndex: number, newIndex: number) => void): Box {
    let { oldStart, oldEnd, newStart, newEnd } = box;
    while (oldStart < oldEnd && newStart < newEnd && this.#old[oldStart] === this.#now[newStart])
      onPair(oldStart++, newStart++);
    while (oldStart < oldEnd && newStart < newEnd && this.#old[oldEnd - 1] === this.#now[newEnd - 1])
      onPair(--oldEnd, --newEnd);
    return { oldStart, oldEnd, newStart, newEnd };
  }

  /** A point inside the box, which is not one of its two corners. */
  #split(box: Box): readonly [oldSplit: number, newSplit: number] {
    const first = box.oldStart - box.newStart;
    const last = box.oldEnd - box.newEnd;
    const isOdd = ((last - first) & 1) !== 0;
    this.#ahead[this.#middle + first] = box.oldStart;
    this.#back[this.#middle + last] = box.oldEnd;
    for (let distance = 1; ; distance++) {
      const met = this.#searchAhead(box, distance, isOdd) ?? this.#searchBack(box, distance, isOdd);
      if (met !== undefined) return met;
      if (distance >= this.#limit) return this.#furthest(box, distance);
    }
  }

  #searchAhead(box: Box, distance: number, isMeeting: boolean): readonly [number, number] | undefined {
    const first = box.oldStart - box.newStart;
    const last = box.oldEnd - box.newEnd;
    for (let diagonal = first - distance; diagonal <= first + distance; diagonal += 2) {
      if (!isInside(box, diagonal)) continue;
      const at = this.#middle + diagonal;
      const isLow = diagonal > first - distance && isInside(box, diagonal - 1);
      const isHigh = diagonal < first + distance && isInside(box, diagonal + 1);
      const removing = isLow ? (this.#ahead[at - 1] ?? 0) + 1 : -1;
      const adding = isHigh ? (this.#ahead[at + 1] ?? 0) : -1;
      let old = Math.max(removing > box.oldEnd ? -1 : removing, adding - diagonal > box.newEnd ? -1 : adding);
      if (old >= 0)
        while (
          old < box.oldEnd &&
          old - diagonal < box.newEnd &&
          this.#old[old] === this.#now[old - diagonal]
        )
          old++;
      this.#ahead[at] = old < 0 ? unreachable.ahead : old;
      if (old < 0 || !isMeeting || Math.abs(diagonal - last) >= distance) continue;
      if (old >= (this.#back[at] ?? 0)) return [old, old - diagonal];
    }
    return undefined;
  }

  #searchBack(box: Box, distance: number, isOdd: boolean): readonly [number, number] | undefined {
    const first = box.oldStart - box.newStart;
    const last = box.oldEnd - box.newEnd;
    for (let diagonal = last - distance; diagonal <= last + distance; diagonal += 2) {
      if (!isInside(box, diagonal)) continue;
      const at = this.#middle + diagonal;
      const isLow = diagonal > last - distance && isInside(box, diagonal - 1);
      const isHigh = diagonal < last + distance && isInside(box, diagonal + 1);
      const adding = isLow ? (this.#back[at - 1] ?? 0) : unreachable.back;
      const removing = isHigh ? (this.#back[at + 1] ?? 0) - 1 : unreachable.back;
      let old = Math.min(
        adding - diagonal < box.newStart ? unreachable.back : adding,
        removing < box.oldStart ? unreachable.back : removing,
      );
      const isReached = old <= box.oldEnd;
      if (isReached)
        while (
          old > box.oldStart &&
          old - diagonal > box.newStart &&
          this.#old[old - 1] === this.#now[old - 1 - diagonal]
        )
          old--;
      this.#back[at] = isReached ? old : unreachable.back;
      if (!isReached || isOdd || Math.abs(diagonal - first) > distance) continue;
      if (old <= (this.#ahead[at] ?? 0)) return [old, old - diagonal];
    }
    return undefined;
  }

  /** The point that lies furthest from the start, where the two searches have not met in time. */
  #furthest(box: Box, distance: number): readonly [number, number] {
    const first = box.oldStart - box.newStart;
    let best: readonly [number, number] = [box.oldStart, box.newStart + 1];
    for (let diagonal = first - distance; diagonal <= first + distance; diagonal += 2) {
      if (!isInside(box, diagonal)) continue;
      const old = this.#ahead[this.#middle + diagonal] ?? -1;
      if (old >= box.oldStart && 2 * old - diagonal > best[0] + best[1]) best = [old, old - diagonal];
    }
    return best;
  }
}

/** Positions that no path of a search has reached. */
const unreachable = { ahead: -2, back: 0x7fff_fff0 } as const;

function isInside(box: Box, diagonal: number): boolean {
  return diagonal >= box.oldStart - box.newEnd && diagonal <= box.oldEnd - box.newStart;
}

function regionsOf({ old, now }: ChangeMarks, offset: number): ListChange[] {
  const regions: ListChange[] = [];
  let oldIndex = 0;
  let newIndex = 0;
  while (oldIndex < old.length || newIndex < now.length) {
    const oldStart = oldIndex;
    const newStart = newIndex;
    while (old[oldIndex] === 1) oldIndex++;
    while (now[newIndex] === 1) newIndex++;
    if (oldIndex > oldStart || newIndex > newStart)
      regions.push({
        oldStart: oldStart + offset,
        oldEnd: oldIndex + offset,
        newStart: newStart + offset,
        newEnd: newIndex + offset,
      });
    oldIndex++;
    newIndex++;
  }
  return regions;
}

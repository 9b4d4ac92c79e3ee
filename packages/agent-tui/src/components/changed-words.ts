/** A part of a line, and whether the other side has it as well. */
export interface WordPart {
  readonly text: string;
  readonly isChanged: boolean;
}

const words =
  /\s+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{M}\p{N}_])+|[\s\S]/gu;
/** Above this the middle of two lines counts as changed as a whole; comparing it would take longer than reading it. */
const mostComparisons = 40_000;
/** Lines that have less than this in common are not two states of one line. */
const leastCommon = 0.3;

/** The words that differ between two versions of a line; undefined if the versions have too little in common. */
export function changedWords(
  before: string,
  after: string,
): { readonly before: readonly WordPart[]; readonly after: readonly WordPart[] } | undefined {
  const old = before.match(words) ?? [];
  const now = after.match(words) ?? [];
  const kept = commonWords(old, now);
  const common = kept.reduce((length, [index]) => length + (old[index] ?? '').trim().length, 0);
  if (common < leastCommon * Math.max(before.trim().length, after.trim().length)) return undefined;
  return {
    before: partsOf(old, new Set(kept.map(([index]) => index))),
    after: partsOf(now, new Set(kept.map(([, index]) => index))),
  };
}

type Pair = readonly [before: number, after: number];

function commonWords(before: readonly string[], after: readonly string[]): Pair[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const head = Array.from({ length: start }, (_, index): Pair => [index, index]);
  const tail = Array.from(
    { length: end },
    (_, index): Pair => [before.length - end + index, after.length - end + index],
  );
  const middle = longestCommon(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  return [...head, ...middle.map(([old, now]): Pair => [old + start, now + start]), ...tail];
}

/** The longest list of words that both have in the same order. */
function longestCommon(before: readonly string[], after: readonly string[]): Pair[] {
  const columns = after.length + 1;
  if (before.length * after.length > mostComparisons) return [];
  const lengths = new Uint16Array((before.length + 1) * columns);
  const at = (row: number, column: number) => lengths[row * columns + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const isSame = before[row] === after[column];
      lengths[row * columns + column] = isSame
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: Pair[] = [];
  for (let row = 0, column = 0; row < before.length && column < after.length; ) {
    if (before[row] === after[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}

function partsOf(tokens: readonly string[], kept: ReadonlySet<number>): WordPart[] {
  const parts: { text: string; isChanged: boolean }[] = [];
  for (const [index, text] of tokens.entries()) {
    const isChanged = !kept.has(index);
    const last = parts.at(-1);
    if (last?.isChanged === isChanged) last.text += text;
    else parts.push({ text, isChanged });
  }
  return parts;
}

/**
 * True if a pattern matches the whole text; `*` matches any characters, all others are literal. The pieces between
 * stars are searched once each from left to right, so no pattern can cause backtracking.
 */
export function matchGlob(pattern: string, text: string): boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] ?? '';
  if (pieces.length === 1) return text === first;
  const last = pieces[pieces.length - 1] ?? '';
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  return containsInOrder(text.slice(first.length, text.length - last.length), pieces.slice(1, -1));
}

/**
 * True if two patterns, both with `*` for any characters, can match the same text. Used if the text itself is not fully
 * known; the cost is the product of the two lengths.
 */
export function globsOverlap(one: string, other: string): boolean {
  let reachable = closeOverStars([true, ...new Array<boolean>(other.length).fill(false)], other);
  for (let position = 0; position < one.length; position += 1) {
    reachable = closeOverStars(advance(reachable, one.charAt(position), other), other);
  }
  return reachable[other.length] === true;
}

/** A shell glob with every wildcard replaced by `*`. */
export function openGlob(glob: string): string {
  const end = glob.lastIndexOf(']') + 1;
  return `${glob.slice(0, end).replaceAll(/\[[^\]]*(?:\]|$)|\?/g, '*')}${glob.slice(end).replaceAll('?', '*')}`;
}

function containsInOrder(text: string, pieces: readonly string[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    const found = text.indexOf(piece, from);
    if (found === -1) return false;
    from = found + piece.length;
  }
  return true;
}

/** The positions of `other` that can be reached after one more character of the first pattern. */
function advance(reachable: readonly boolean[], character: string, other: string): boolean[] {
  const next = new Array<boolean>(other.length + 1).fill(false);
  for (let position = 0; position <= other.length; position += 1) {
    if (character === '*') {
      // The star may match nothing, or any part of the rest of the other pattern.
      next[position] = reachable[position] === true || (position > 0 && next[position - 1] === true);
      continue;
    }
    if (!reachable[position]) continue;
    if (other[position] === '*') next[position] = true;
    if (other[position] === character) next[position + 1] = true;
  }
  return next;
}

function closeOverStars(reachable: boolean[], other: string): boolean[] {
  for (let position = 0; position < other.length; position += 1) {
    if (reachable[position] && other[position] === '*') reachable[position + 1] = true;
  }
  return reachable;
}

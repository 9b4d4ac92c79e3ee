/**
 * True if steps match all items in order. A step equal to `run` matches any number of items, every other one exactly
 * one. Only the last run is reconsidered, so no pattern can cause backtracking: the cost is at most the product of the
 * two lengths.
 */
export function matchSteps<Step, Item>(
  steps: ArrayLike<Step>,
  items: ArrayLike<Item>,
  run: Step,
  matches: (step: Step, item: Item) => boolean,
): boolean {
  let step = 0;
  let resumeStep = -1;
  let resumeItem = 0;
  for (let item = 0; item < items.length; ) {
    const next = steps[step] as Step;
    if (step < steps.length && next === run) {
      step += 1;
      if (step === steps.length) return true;
      resumeStep = step;
      resumeItem = item;
    } else if (step < steps.length && matches(next, items[item] as Item)) {
      step += 1;
      item += 1;
    } else {
      if (resumeStep === -1) return false;
      resumeItem += 1;
      step = resumeStep;
      item = resumeItem;
    }
  }
  while (step < steps.length && steps[step] === run) step += 1;
  return step === steps.length;
}

/** True if a pattern matches the whole text; `*` matches any characters, all others are literal. */
export function matchGlob(pattern: string, text: string): boolean {
  return matchSteps(pattern, text, '*', (one, other) => one === other);
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

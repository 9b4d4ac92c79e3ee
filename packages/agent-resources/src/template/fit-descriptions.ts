import { shorten } from '@robota-sdk/agent-core';
/** Characters of all descriptions of a kind in the prompt together, about 4000 tokens. */
export const listingLimit = 16_000;

/** Shortens the longest descriptions of a list until together they stay below the limit; short ones stay whole. */
export function fitDescriptions(descriptions: readonly string[], longest: number): readonly string[] {
  const limit = commonLimit(
    descriptions.map(({ length }) => length),
    longest,
  );
  return descriptions.map((text) => (limit < 2 ? '' : shorten(text, limit)));
}

function commonLimit(lengths: readonly number[], longest: number): number {
  const sorted = [...lengths].sort((a, b) => a - b);
  let left = listingLimit;
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return Math.min(longest, share);
    left -= length;
  }
  return longest;
}

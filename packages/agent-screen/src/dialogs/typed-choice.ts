import type { Question } from '@robota-sdk/agent-sdk/front-end';

type Options = Extract<Question, { kind: 'select' }>['options'];

/** The meaning of text typed at a question: an option's letters, or free text. */
export type TypedMeaning = { readonly kind: 'option'; readonly index: number } | { readonly kind: 'words' };

/**
 * Tells what letters mean that are typed where options are offered. Digits are their numbers, and the beginning of `yes`
 * or `no` those that mean that; the first letter that fits neither makes words of all that was typed.
 */
export function typedMeaning(typed: string, options: Options, count = options.length): TypedMeaning {
  const text = typed.toLowerCase();
  const wish = (['yes', 'no'] as const).find((word) => word.startsWith(text) && text !== '');
  const index = wish ? indexMeaning(wish, options) : /^[1-9yn]+$/.test(text) ? lastOf(text, options) : -1;
  return index >= 0 && index < count ? { kind: 'option', index } : { kind: 'words' };
}

/** The last of several such keys counts. */
function lastOf(text: string, options: Options): number {
  const last = text.at(-1) ?? '';
  if (last === 'y') return indexMeaning('yes', options);
  if (last === 'n') return indexMeaning('no', options);
  return Number(last) - 1;
}

function indexMeaning(wish: 'yes' | 'no', options: Options): number {
  return options.findIndex(({ means, label }) => (means ?? label.toLowerCase()) === wish);
}

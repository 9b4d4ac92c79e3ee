/** Splits a text into a set of words, for tables of names. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

import { foldText } from '@robota-sdk/agent-core';

/** One required term: a word, or a phrase of consecutive words. */
export interface SearchTerm {
  /** Folded, without white space. */
  readonly words: readonly string[];
  /** Finds the phrase in a folded text; absent for a single word. */
  readonly pattern: RegExp | undefined;
}

/** Parses a query: words, and phrases in double quotes. */
export function parseQuery(query: string): readonly SearchTerm[] {
  const terms = new Map<string, SearchTerm>();
  for (const [, phrase, word] of query.matchAll(/["“”]([^"“”]*)(?:["“”]|$)|([^\s"“”]+)/g)) {
    const words = foldText(phrase ?? word ?? '')
      .split(/\s+/)
      .filter((one) => one !== '');
    if (words.length > 0) terms.set(words.join(' '), { words, pattern: patternOf(words) });
  }
  return [...terms.values()];
}

/** The positions of a term in a folded text, from left to right and without overlaps. */
export function* occurrences(folded: string, term: SearchTerm): Generator<{ start: number; end: number }> {
  if (term.pattern) {
    for (const match of folded.matchAll(term.pattern))
      yield { start: match.index, end: match.index + match[0].length };
    return;
  }
  const [word = ''] = term.words;
  for (let start = folded.indexOf(word); start >= 0; start = folded.indexOf(word, start + word.length))
    yield { start, end: start + word.length };
}

/** A phrase may be broken into lines anywhere. */
function patternOf(words: readonly string[]): RegExp | undefined {
  if (words.length < 2) return undefined;
  return new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('\\s+'), 'g');
}

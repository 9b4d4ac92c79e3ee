import type { AutocompleteProvider, Completion } from './autocomplete-provider.ts';

/** Options of {@link wordCompletions}. */
export interface WordCompletionOptions extends Pick<AutocompleteProvider, 'isOnDemand' | 'delayMs'> {
  /** The word at the end of the text before the caret, if it can be completed. */
  readonly wordBefore: (text: string) => string | undefined;
  /** Matches the rest of the word after the caret, which is replaced too. */
  readonly restOfWord: RegExp;
  /** Finds completions. Their values replace the whole word. */
  readonly complete: (
    word: string,
    signal: AbortSignal,
  ) => readonly Completion[] | Promise<readonly Completion[]>;
}

/** Characters before the caret in which a word is searched. */
const longestWord = 1000;

/** Completes the word at the caret, such as a path or a mention. */
export function wordCompletions(options: WordCompletionOptions): AutocompleteProvider {
  const { wordBefore, restOfWord, complete, isOnDemand, delayMs } = options;
  return {
    find: ({ before, after }) => {
      const query = wordBefore(before.slice(-longestWord));
      if (query === undefined) return undefined;
      const rest = restOfWord.exec(after)?.[0].length ?? 0;
      return { start: before.length - query.length, end: before.length + rest, query };
    },
    complete: async ({ query }, signal) => complete(query, signal),
    ...(isOnDemand === undefined ? {} : { isOnDemand }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

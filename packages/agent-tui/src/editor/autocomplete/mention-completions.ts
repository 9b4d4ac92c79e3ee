import type {
  AutocompleteProvider,
  Completion,
  CompletionRequest,
  CompletionToken,
} from './autocomplete-provider.ts';

/** Finds what a mention such as `@file:src/ca` may become; values are whole mentions. */
export type MentionSource = (
  mention: string,
  signal: AbortSignal,
) => readonly Completion[] | Promise<readonly Completion[]>;

/** The word at an `@` up to the caret. An `@` inside a word, as in an address of a mail, begins no mention. */
const mentionBefore = /(?<![\w@\\/.:$&%+-])@(?:(?:file:|agent:)?"[^"\n]*|[^\s"]*)$/;
/** Characters before the caret in which a mention is looked for. */
const longestMention = 1000;
const restOfWord = /^[^\s"]*"?/;
const typingRestMs = 30;

/** Completes `@`, `@file:` and `@agent:` mentions: the one nearest to the caret is replaced as a whole. */
export function mentionCompletions(source: MentionSource): AutocompleteProvider {
  return {
    find: findMention,
    complete: async ({ query }, signal) => {
      const found = await source(query, signal);
      return found.map((completion) => ({ next: nextOf(completion.value), ...completion }));
    },
    delayMs: typingRestMs,
  };
}

function findMention({ before, behind }: CompletionRequest): CompletionToken | undefined {
  const found = mentionBefore.exec(before.slice(-longestMention));
  if (!found) return undefined;
  const rest = restOfWord.exec(behind)?.[0].length ?? 0;
  return { start: before.length - found[0].length, end: before.length + rest, query: found[0] };
}

/** One goes on inside directories and behind `@file:`. */
function nextOf(value: string): 'continue' | 'end' {
  return /[/\\:]"?$/.test(value) ? 'continue' : 'end';
}

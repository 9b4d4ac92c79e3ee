import type {
  AutocompleteProvider,
  Completion,
  CompletionRequest,
  CompletionToken,
} from './autocomplete-provider.ts';

/** Finds what a path such as `./src/ca` may become; values are whole paths. */
export type PathSource = (
  path: string,
  signal: AbortSignal,
) => readonly Completion[] | Promise<readonly Completion[]>;

/** Characters before the caret in which a path is looked for. */
const longestPath = 1000;
const restOfWord = /^[^\s"']*/;

/** Completes paths that stand without an `@`, when the user asks for it. */
export function pathCompletions(source: PathSource): AutocompleteProvider {
  return {
    isOnDemand: true,
    find: findPath,
    complete: async ({ query }, signal) => {
      const found = await source(query, signal);
      const next = ({ value }: Completion) => (value.endsWith('/') ? 'continue' : 'end');
      return found.map((completion) => ({ next: next(completion), ...completion }));
    },
  };
}

function findPath({ before, behind }: CompletionRequest): CompletionToken | undefined {
  const query = pathBefore(before.slice(-longestPath));
  if (query === undefined) return undefined;
  const rest = restOfWord.exec(behind)?.[0].length ?? 0;
  return { start: before.length - query.length, end: before.length + rest, query };
}

/** The word with a slash before the caret, unless it is a mention or a command for the shell. */
function pathBefore(text: string): string | undefined {
  const word = text.split(/[\s"'=]/).at(-1) ?? '';
  return word.includes('/') && !/^[@!]/.test(word) ? word : undefined;
}

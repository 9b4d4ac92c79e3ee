import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import { type AutocompleteProvider, type Completion, wordCompletions } from '@robota-sdk/agent-tui';

/** Completes paths without an `@` on tab. Without a session it suggests nothing. */
export function pathProvider(session: () => InteractiveSession | undefined): AutocompleteProvider {
  return wordCompletions({
    isOnDemand: true,
    wordBefore: pathBefore,
    restOfWord: /^[^\s"']*/,
    complete: async (path, signal) => {
      const current = session();
      if (!current) return [];
      const { completePath } = await import('@robota-sdk/agent-sdk/front-end');
      const found: readonly Completion[] = await completePath(current, path, { signal });
      return found.map((item) => ({ next: item.value.endsWith('/') ? 'continue' : 'end', ...item }));
    },
  });
}

/** The last word if it has a slash, unless it is a mention or a shell command. */
function pathBefore(text: string): string | undefined {
  const word = text.split(/[\s"'=]/).at(-1) ?? '';
  return word.includes('/') && !/^[@!]/.test(word) ? word : undefined;
}

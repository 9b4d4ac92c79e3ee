import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import { type AutocompleteProvider, type Completion, wordCompletions } from '@robota-sdk/agent-tui';

/** A mention that ends at the caret. An `@` inside a word, as in an email address, starts none. */
const mentionBefore = /(?<![\w@\\/.:$&%+-])@(?:(?:file:|agent:)?"[^"\n]*|[^\s"]*)$/;
const typingPauseMs = 30;
/** Less than the two seconds after which the editor stops waiting for suggestions. */
const searchMs = 1_500;

/** Completes files after `@` and `@file:`, and agents after `@agent:`. Without a session it suggests nothing. */
export function mentionProvider(session: () => InteractiveSession | undefined): AutocompleteProvider {
  return wordCompletions({
    wordBefore: (text) => mentionBefore.exec(text)?.[0],
    restOfWord: /^[^\s"]*"?/,
    delayMs: typingPauseMs,
    complete: async (mention, signal) => {
      const current = session();
      if (!current) return [];
      const { completeInput } = await import('@robota-sdk/agent-sdk/front-end');
      const { items } = await completeInput(current, mention, { signal, timeoutMs: searchMs });
      return items.map((item: Completion) => ({ next: nextOf(item.value), ...item }));
    },
  });
}

/** Folders and `@file:` can be completed further. */
function nextOf(value: string): 'continue' | 'end' {
  return /[/\\:]"?$/.test(value) ? 'continue' : 'end';
}

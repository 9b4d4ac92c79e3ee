import type { InteractiveSession } from '@robota-sdk/agent-sdk';
import { type AutocompleteProvider, mentionCompletions } from '@robota-sdk/agent-tui';

/** Below the two seconds after which nobody waits for suggestions any more. */
const searchMs = 1_500;

/** Completes files behind `@` and `@file:`, and agents behind `@agent:`; none before there is a session. */
export function mentionProvider(session: () => InteractiveSession | undefined): AutocompleteProvider {
  return mentionCompletions(async (mention, signal) => {
    const current = session();
    if (!current) return [];
    const { completeInput } = await import('@robota-sdk/agent-sdk');
    const { items } = await completeInput(current, mention, { signal, timeoutMs: searchMs });
    return items;
  });
}

import type { InteractiveSession } from '@robota-sdk/agent-sdk';
import { type AutocompleteProvider, pathCompletions } from '@robota-sdk/agent-tui';

/** Completes paths without an `@` on tab; none before there is a session. */
export function pathProvider(session: () => InteractiveSession | undefined): AutocompleteProvider {
  return pathCompletions(async (path, signal) => {
    const current = session();
    if (!current) return [];
    const { completePath } = await import('@robota-sdk/agent-sdk');
    return completePath(current, path, { signal });
  });
}

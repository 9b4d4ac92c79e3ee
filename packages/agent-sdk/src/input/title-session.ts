import type { InteractiveSession } from '../session/interactive-session.ts';

/** A resumed session with more messages keeps its first prompt as its title. */
const mostMessages = 6;

/**
 * Lets the small model write a title after the first exchange of an unnamed session. It runs in parallel; the returned
 * function ends it, so that it delays neither a turn nor the end.
 */
export function titleSession(session: InteractiveSession): () => void {
  const controller = new AbortController();
  const unsubscribe = session.subscribe((event) => {
    if (event.type !== 'run-end' || event.outcome.status !== 'completed') return;
    unsubscribe();
    void write(session, controller.signal).catch(() => {
      // A title is not worth a message.
    });
  });
  return () => {
    unsubscribe();
    controller.abort();
  };
}

async function write(session: InteractiveSession, signal: AbortSignal): Promise<void> {
  const { branches, settings } = session;
  if (settings?.titles !== true || branches.name !== undefined || branches.messageCount > mostMessages)
    return;
  const { writeTitle } = await import('./write-title.ts');
  const title = await writeTitle(session, signal);
  // The user may have named it meanwhile.
  if (title !== undefined && !signal.aborted && branches.name === undefined) await branches.setName(title);
}

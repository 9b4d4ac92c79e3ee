import { isLoopEvent, type SessionEvent } from '@robota-sdk/agent-sdk/front-end';
import type { Item } from '@robota-sdk/agent-sessions';
import { readItems } from '@robota-sdk/agent-sessions';
import { foldReads, type ShownItem } from '../items/fold-reads.ts';
import { redacted } from '../items/redacted.ts';
import type { Stage } from '../stage/stage.ts';
import { Pager } from './pager.ts';

/** Of an answer that is being written, the pager shows more this often: it lays all of it out each time. */
const newerMs = 250;

/** Events of unsaved items are shown by the live part of the screen. */
const storedEvents: ReadonlySet<SessionEvent['type']> = new Set([
  'message-append',
  'shell-end',
  'compaction-end',
]);

/** Opens the history at its end, and follows later events. */
export function openPager(
  stage: Stage,
  options: { readonly isThinkingHidden?: boolean } = {},
): Pager | undefined {
  const { session } = stage;
  if (!session) {
    stage.tell('No history yet.');
    return undefined;
  }
  const reader = readItems(session);
  const redact = (text: string) => session.redact(text);
  const items = (): readonly ShownItem[] => {
    const waiting = session.isRunning ? reader.openCalls : [];
    const all = withPending(withWaiting(reader.items, waiting), stage.pending ?? []);
    const safe = all.map((item) => redacted(item, redact));
    return stage.format?.view === 'classic' ? safe : foldReads(safe);
  };
  const pager = new Pager({
    items: items(),
    stage,
    isThinkingHidden: options.isThinkingHidden ?? false,
    onClose: () => {
      unsubscribe();
      open.close();
    },
  });
  let shownAt = 0;
  const unsubscribe = session.subscribe((event) => {
    const now = Date.now();
    if (isLoopEvent(event) && storedEvents.has(event.type)) reader.apply({ event, at: now });
    if (isPart(event) && now - shownAt < newerMs) return;
    shownAt = now;
    pager.show(items());
    stage.refresh();
  });
  const open = stage.openScreen(pager);
  return pager;
}

/** Calls without a result are cut off, except in a run: there they wait for an answer or for their turn. */
function withWaiting(stored: readonly Item[], waiting: readonly string[]): readonly Item[] {
  if (waiting.length === 0) return stored;
  return stored.map((item) =>
    item.kind === 'tool' && waiting.includes(item.callId) ? { ...item, state: 'running', output: '' } : item,
  );
}

/** Calls that run take the place of those in the messages, whose results are not there yet. */
function withPending(stored: readonly Item[], pending: readonly Item[]): readonly Item[] {
  const running = new Map(pending.flatMap((item) => (item.kind === 'tool' ? [[item.callId, item]] : [])));
  const known = new Set<string>();
  const all = stored.map((item) => {
    const live = item.kind === 'tool' ? running.get(item.callId) : undefined;
    if (live) known.add(live.callId);
    return live ?? item;
  });
  return [...all, ...pending.filter((item) => item.kind !== 'tool' || !known.has(item.callId))];
}

function isPart({ type }: SessionEvent): boolean {
  return type.endsWith('-delta') || type === 'tool-progress';
}

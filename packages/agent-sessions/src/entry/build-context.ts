import type { Message } from '@robota-sdk/agent-core';
import type { CompactionEntry, Entry } from './entry.ts';
import { type Omission, omissionOf, withoutOmitted } from './omit.ts';
import { projectEntry } from './project-entry.ts';
import { type Pruning, pruned, pruningOf } from './prune.ts';
import { stableUuid } from './stable-uuid.ts';
import { summaryMessage } from './summary-message.ts';

interface Visible {
  readonly entryId: string;
  readonly message: Message;
}

/**
 * What a branch means to a model. The branch is told from its root on, so that each compaction and pruning acts
 * on exactly what could be seen when it was made.
 */
export function buildContext(path: readonly Entry[]): Message[] {
  let view: Visible[] = [];
  for (const entry of path) {
    if (entry.type === 'message') view.push({ entryId: entry.id, message: entry.message });
    const projected = projectEntry(entry);
    if (projected) view.push({ entryId: entry.id, message: projected });
    if (entry.type === 'compaction') view = compacted(view, entry);
    const pruning = entry.type === 'custom' ? pruningOf(entry) : undefined;
    if (pruning) view = withPruning(view, pruning);
    const omission = entry.type === 'custom' ? omissionOf(entry) : undefined;
    if (omission) view = withOmission(view, omission);
  }
  return view.map(({ message }) => message);
}

/** If the first kept entry can't be found, only the summary stands for what was before. */
function compacted(view: readonly Visible[], entry: CompactionEntry): Visible[] {
  const firstKept = view.findIndex(({ entryId }) => entryId === entry.firstKeptEntryId);
  const keptFrom = firstKept < 0 ? view.length : firstKept;
  const singles = new Set(entry.keptEntryIds);
  const identity = entry.message ?? {
    id: stableUuid(entry.id, entry.timestamp),
    timestamp: Date.parse(entry.timestamp) || 0,
  };
  return [
    { entryId: entry.id, message: summaryMessage(entry.summary, identity) },
    ...view.slice(0, keptFrom).filter(({ entryId }) => singles.has(entryId)),
    ...view.slice(keptFrom),
  ];
}

function withPruning(view: readonly Visible[], { messageIds, at }: Pruning): Visible[] {
  const gone = new Set(messageIds);
  return view.map(({ entryId, message }) => ({
    entryId,
    message: message.role === 'tool' && gone.has(message.id) ? pruned(message, at) : message,
  }));
}

function withOmission(view: readonly Visible[], { what, messageIds }: Omission): Visible[] {
  const concerned = new Set(messageIds);
  return view.map((visible) =>
    concerned.has(visible.message.id)
      ? { ...visible, message: withoutOmitted(visible.message, what) }
      : visible,
  );
}

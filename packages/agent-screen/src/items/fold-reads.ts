import type { Item, ToolItem } from '@robota-sdk/agent-sessions';

/** Consecutive calls that only read or searched, shown as one. */
export interface ReadsItem {
  readonly kind: 'reads';
  readonly calls: readonly ToolItem[];
}

/** An item of a conversation as it is shown. */
export type ShownItem = Item | ReadsItem;

const readers: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob', 'LS', 'NotebookRead']);

/** True if an item joins others of its kind. A failure never does, nor does a picture, which is shown. */
export function isRead(item: ShownItem): item is ToolItem {
  return (
    item.kind === 'tool' && item.state === 'done' && readers.has(item.name) && item.display?.kind !== 'image'
  );
}

/** Joins consecutive reads and searches. */
export function foldReads(items: readonly Item[]): readonly ShownItem[] {
  const shown: ShownItem[] = [];
  let calls: ToolItem[] = [];
  for (const item of items) {
    if (isRead(item)) calls.push(item);
    else {
      if (calls.length > 0) shown.push(readsOf(calls));
      calls = [];
      shown.push(item);
    }
  }
  if (calls.length > 0) shown.push(readsOf(calls));
  return shown;
}

/** One call stands for itself. */
export function readsOf(calls: readonly ToolItem[]): ShownItem {
  const [only] = calls;
  return only && calls.length === 1 ? only : { kind: 'reads', calls };
}

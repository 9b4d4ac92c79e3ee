import type { Message } from '@robota-sdk/agent-core';
import type { Entry } from '../entry/entry.ts';
import type { Conversation } from '../session/conversation.ts';
import type { Item } from './item.ts';
import { ItemReducer } from './item-reducer.ts';

/** A session whose items can be read. */
type StoredConversation = Pick<Conversation, 'branches' | 'context' | 'messages'>;

/**
 * The visible items of a session's active branch, including those that compactions removed from the model's
 * view. Later events can be applied to it.
 */
export function readItems(session: StoredConversation): ItemReducer {
  const reducer = new ItemReducer();
  const { exported } = session.branches;
  const known = messagesInMemory(session);
  for (const id of exported?.pathIds() ?? []) {
    const message = known.get(id);
    const entry = message ? messageEntry(id, message) : exported?.entry(id);
    if (entry) reducer.apply({ entry });
  }
  return reducer;
}

/** The visible items of the last messages of a session's active branch; reads only their entries. */
export function lastItems(
  session: StoredConversation,
  messages: number,
): { readonly items: readonly Item[]; readonly isCut: boolean } {
  const entries: Entry[] = [];
  let left = messages;
  let isCut = false;
  for (const entry of session.branches.exported?.backwards() ?? []) {
    isCut = left === 0;
    if (isCut) break;
    entries.push(entry);
    if (entry.type === 'message' || entry.type === 'shell') left--;
  }
  const reducer = new ItemReducer();
  for (const entry of entries.reverse()) reducer.apply({ entry });
  return { items: reducer.items, isCut };
}

/**
 * The messages by entry id, so that a large file need not be read again. There are none where the model's view was changed. Reminders are omitted: some are made from other entries.
 */
function messagesInMemory({ context, messages }: StoredConversation): ReadonlyMap<string, Message> {
  const known = new Map<string, Message>();
  if (context.isChanged) return known;
  const ambiguous = new Set<string>();
  for (const message of messages) {
    if (message.role === 'user' && message.origin === 'reminder') continue;
    const entryId = message.id.slice(0, 8);
    if (known.has(entryId)) ambiguous.add(entryId);
    known.set(entryId, message);
  }
  for (const id of ambiguous) known.delete(id);
  return known;
}

function messageEntry(id: string, message: Message): Entry {
  return { id, parentId: null, timestamp: '', type: 'message', message };
}

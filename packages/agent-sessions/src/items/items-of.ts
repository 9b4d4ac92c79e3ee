import type { Message } from '@robota-sdk/agent-core';
import type { Entry } from '../entry/entry.ts';
import type { Session } from '../session/session.ts';
import type { Item } from './item.ts';
import { ItemReader } from './item-reader.ts';

/** What people see of stored messages, as they saw it when it happened. */
export function itemsOf(messages: Iterable<Message>): Item[] {
  const reader = new ItemReader();
  for (const message of messages) reader.addMessage(message);
  return reader.items;
}

/**
 * What people see of a session's active branch, also what compactions have taken out of the model's sight. What happens
 * later can be added to it.
 */
export function readSession(session: Session): ItemReader {
  const reader = new ItemReader();
  for (const entry of session.branches.exported?.path() ?? []) reader.addEntry(entry);
  return reader;
}

/** What people see of the last messages of a session's active branch; only their entries are read. */
export function lastItems(
  session: Session,
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
  const reader = new ItemReader();
  for (const entry of entries.reverse()) reader.addEntry(entry);
  return { items: reader.items, isCut };
}

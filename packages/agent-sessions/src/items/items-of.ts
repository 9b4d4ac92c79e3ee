import type { Message } from '@robota-sdk/agent-core';
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
 * What people see of a session's active branch, also what compactions have taken out of the model's sight. Only where
 * there were some, the file is read again. What happens later can be added to it.
 */
export function readSession(session: Session): ItemReader {
  const { branches, context, messages } = session;
  const reader = new ItemReader();
  const isShortened = context.receipts.length > 0 || messages.some(isSummary);
  const stored = isShortened ? branches.exported?.entries() : undefined;
  if (!stored) {
    for (const message of messages) reader.addMessage(message);
    return reader;
  }
  const tree = branches.tree();
  for (const entry of stored) if (tree.isActive(entry.id)) reader.addEntry(entry);
  return reader;
}

function isSummary(message: Message): boolean {
  return message.role === 'user' && message.origin === 'summary';
}

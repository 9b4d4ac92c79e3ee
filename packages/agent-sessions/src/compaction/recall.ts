import {
  type AssistantContent,
  type AssistantMessage,
  createMessage,
  type Message,
  type UserContent,
  type UserMessage,
} from '@robota-sdk/agent-core';
import { isRequest } from '../entry/is-request.ts';
import { isShownToUser } from '../entry/is-shown-to-user.ts';
import { spokenContent } from '../entry/spoken-content.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import { type ReceiptItem, receiptsOf } from './receipt.ts';

/** A message that the model no longer sees in full, and that can be restored. */
export interface RecallItem extends ReceiptItem {
  /** Its number for the user, counted from 1 over all compactions of the branch. */
  readonly number: number;
}

/** The messages that compactions removed from the view of a branch, oldest first. */
export function recallItems(handle: SessionHandle): readonly RecallItem[] {
  const items = new Map<string, ReceiptItem>();
  for (const receipt of receiptsOf(handle.notes()))
    for (const item of receipt.items) {
      const original = item.fate === 'kept' ? undefined : originalOf(handle, item.messageId);
      if (original && isShownToUser(original)) items.set(item.messageId, item);
    }
  return [...items.values()].map((item, index) => ({ ...item, number: index + 1 }));
}

/** Finds items by number, or by words in their title or text. */
export function findRecallItems(handle: SessionHandle, reference: string): readonly RecallItem[] {
  const items = recallItems(handle);
  if (/^\d+$/.test(reference)) return items.filter(({ number }) => number === Number(reference));
  const words = reference.toLowerCase();
  const isIn = (text: string) => text.toLowerCase().includes(words);
  return items.filter(({ title, messageId }) => {
    const original = originalOf(handle, messageId);
    return isIn(title) || (original !== undefined && isIn(messageText(original)));
  });
}

/** The message that restores an item; undefined if the original is missing. */
export function recallMessage(
  handle: SessionHandle,
  { messageId, title }: ReceiptItem,
  parentId: string | null,
): UserMessage | undefined {
  const original = originalOf(handle, messageId);
  if (!original) return undefined;
  const heading = `[Brought back from earlier in this conversation at the user's wish: ${title}]`;
  const content: UserContent[] = [{ type: 'text', text: `${heading}\n\n` }, ...contentOf(original)];
  return createMessage({ role: 'user', content, origin: 'recall' }, parentId);
}

/** The text of a message, including its calls; for a prompt, the user's own words. */
export function messageText(message: Message): string {
  return (isRequest(message) ? spokenContent(message.content) : contentOf(message))
    .map((block) => (block.type === 'text' ? block.text : '[image]'))
    .join('\n');
}

function originalOf(handle: SessionHandle, messageId: string): Message | undefined {
  const entryId = handle.entryIdOf(messageId);
  const entry = entryId === undefined ? undefined : handle.entry(entryId);
  return entry?.type === 'message' ? entry.message : undefined;
}

function contentOf(message: Message): readonly UserContent[] {
  return message.role === 'assistant' ? [{ type: 'text', text: answerText(message) }] : message.content;
}

function answerText({ content }: AssistantMessage): string {
  const parts = content.map(blockText);
  return parts.filter((part) => part !== '').join('\n');
}

function blockText(block: AssistantContent): string {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return block.text;
    case 'tool-call':
      return `${block.name} ${JSON.stringify(block.input)}`;
    case 'server-tool':
      return `${block.name}: ${block.summary}`;
  }
}

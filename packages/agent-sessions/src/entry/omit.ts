import { type Content, isJsonObject, type JsonValue, type Message } from '@robota-sdk/agent-core';
import type { CustomEntry, EntryDraft } from './entry.ts';

/** The custom entry that says what of certain messages no vendor is sent any more. */
const omitType = 'robota.omit';

const omittedParts = ['images', 'thinking', 'content'] as const;

/** Content omitted because a vendor refused it; the originals stay in the file. */
export interface Omission {
  readonly what: (typeof omittedParts)[number];
  readonly messageIds: readonly string[];
}

/** The entry that keeps an omission. */
export function omissionDraft({ what, messageIds }: Omission): EntryDraft {
  return { type: 'custom', customType: omitType, data: { what, messageIds } };
}

/** The omission an entry holds, if it holds one. */
export function omissionOf(entry: CustomEntry): Omission | undefined {
  if (entry.customType !== omitType || !isJsonObject(entry.data)) return undefined;
  const { messageIds } = entry.data;
  const what = omittedParts.find((part) => part === (entry.data as { what?: JsonValue }).what);
  if (!Array.isArray(messageIds) || what === undefined) return undefined;
  return { what, messageIds: messageIds.filter((id: JsonValue) => typeof id === 'string') };
}

/** A message without omitted content; a note replaces it if the gap would be visible. */
export function withoutOmitted<M extends Message>(message: M, what: Omission['what']): M {
  if (what === 'thinking') {
    const content = (message.content as readonly Content[]).filter(({ type }) => type !== 'thinking');
    return { ...message, content };
  }
  if (what === 'images') return { ...message, content: message.content.map(withoutImage) };
  const text = '[The content was left out: the service that runs the model refused it.]';
  return { ...message, content: [{ type: 'text', text }] };
}

function withoutImage(block: Content): Content {
  if (block.type !== 'image') return block;
  return { type: 'text', text: '[An image was left out: the service that runs the model refused it.]' };
}

import { type Content, lazy, list, type Message, object, text, words } from '@robota-sdk/agent-core';
import type { CustomEntry, EntryDraft } from './entry.ts';

/** The custom entry that lists contents no vendor gets any more. */
const omitType = 'robota.omit';

const omittedParts = ['images', 'thinking', 'content'] as const;

/** Content omitted because a vendor refused it; the originals stay in the file. */
export interface Omission {
  readonly what: (typeof omittedParts)[number];
  readonly messageIds: readonly string[];
}

/** The entry that stores an omission. */
export function omissionDraft({ what, messageIds }: Omission): EntryDraft {
  return { type: 'custom', customType: omitType, data: { what, messageIds } };
}

/** The omission in an entry, if there is one. */
export function omissionOf(entry: CustomEntry): Omission | undefined {
  return entry.customType === omitType ? omissionShape.parse(entry.data) : undefined;
}

const omissionShape = lazy(() => object({ what: words(...omittedParts), messageIds: list(text) }));

/** A message without omitted content; a note replaces it if the gap would be visible. */
export function withoutOmitted<M extends Message>(message: M, what: Omission['what']): M {
  if (what === 'thinking') {
    const content = (message.content as readonly Content[]).filter(({ type }) => type !== 'thinking');
    return { ...message, content };
  }
  if (what === 'images') return { ...message, content: message.content.map(withoutImage) };
  const note = '[The content was left out: the service that runs the model refused it.]';
  return { ...message, content: [{ type: 'text', text: note }] };
}

function withoutImage(block: Content): Content {
  if (block.type !== 'image') return block;
  return { type: 'text', text: '[An image was left out: the service that runs the model refused it.]' };
}

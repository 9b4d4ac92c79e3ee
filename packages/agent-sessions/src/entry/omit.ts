import { type Content, list, type Message, object, text, words } from '@robota-sdk/agent-core';
import { customData } from './custom-data.ts';
import type { EntryDraft } from './entry.ts';

const omittedParts = ['images', 'thinking', 'content'] as const;

/** Content omitted because a vendor refused it; the originals stay in the file. */
export interface Omission {
  readonly what: (typeof omittedParts)[number];
  readonly messageIds: readonly string[];
}

/** The entry that stores an omission. */
export function omissionDraft({ what, messageIds }: Omission): EntryDraft {
  return omissions.draft({ what, messageIds });
}

/** The entries that list contents no vendor gets any more. */
export const omissions = customData<Omission>('robota.omit', () =>
  object({ what: words(...omittedParts), messageIds: list(text) }),
);

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

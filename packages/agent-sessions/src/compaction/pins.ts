import { flag, given, object, text } from '@robota-sdk/agent-core';
import { customData } from '../entry/custom-data.ts';
import type { Entry, EntryDraft } from '../entry/entry.ts';

/** A text that is kept verbatim in the context after each compaction. */
export interface Pin {
  readonly id: string;
  readonly text: string;
  /** The message it came from. */
  readonly messageId?: string;
}

/** The entry that stores a pin. */
export function pinDraft({ id, text, messageId }: Pin): EntryDraft {
  return pinChanges.draft({ id, text, ...given('messageId', messageId) });
}

/** The entry that removes a pin. */
export function unpinDraft(id: string): EntryDraft {
  return pinChanges.draft({ id, removed: true });
}

/** The entries that pin a text or remove a pin. */
const pinChanges = customData('robota.pin', () =>
  object({ id: text }, { text, messageId: text, removed: flag }),
);

/** The pins at the end of a branch, oldest first: earlier ones with the changes of its entries. */
export function pinsOf(path: readonly Entry[], before: readonly Pin[] = []): readonly Pin[] {
  const pins = new Map(before.map((pin) => [pin.id, pin]));
  for (const entry of path) {
    const kept = pinChanges.read(entry);
    if (!kept) continue;
    const { id, text: words, messageId, removed } = kept;
    if (removed) pins.delete(id);
    else if (words !== undefined) pins.set(id, { id, text: words, ...given('messageId', messageId) });
  }
  return [...pins.values()];
}

import { isJsonObject } from '@robota-sdk/agent-core';
import type { Entry, EntryDraft } from '../entry/entry.ts';

/** The custom entry that pins a text, or takes a pin back. */
const pinType = 'robota.pin';

/** A text that stands in the context word for word after each compaction. */
export interface Pin {
  readonly id: string;
  readonly text: string;
  /** The message it was taken from. */
  readonly messageId?: string;
}

/** The entry that keeps a pin. */
export function pinDraft({ id, text, messageId }: Pin): EntryDraft {
  const from = messageId === undefined ? {} : { messageId };
  return { type: 'custom', customType: pinType, data: { id, text, ...from } };
}

/** The entry that takes a pin back. */
export function unpinDraft(id: string): EntryDraft {
  return { type: 'custom', customType: pinType, data: { id, removed: true } };
}

/** The pins that hold at the end of a branch, oldest first: those that held before, and what its entries changed. */
export function pinsOf(path: readonly Entry[], before: readonly Pin[] = []): readonly Pin[] {
  const pins = new Map(before.map((pin) => [pin.id, pin]));
  for (const entry of path) {
    if (entry.type !== 'custom' || entry.customType !== pinType || !isJsonObject(entry.data)) continue;
    const { id, text, messageId, removed } = entry.data;
    if (typeof id !== 'string') continue;
    if (removed === true) pins.delete(id);
    else if (typeof text === 'string')
      pins.set(id, { id, text, ...(typeof messageId === 'string' ? { messageId } : {}) });
  }
  return [...pins.values()];
}

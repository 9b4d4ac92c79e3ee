import { type JsonValue, lazy, type Shape } from '@robota-sdk/agent-core';
import type { Entry, EntryDraft } from './entry.ts';

/** Data in custom entries of one type. */
export interface CustomData<T> {
  draft(data: JsonValue): EntryDraft;
  /** Undefined for other entries, and for data that does not fit. */
  read(entry: Entry): T | undefined;
}

/** Describes the custom entries of a type. */
export function customData<T>(customType: string, makeShape: () => Shape<T>): CustomData<T> {
  const shape = lazy(makeShape);
  return {
    draft: (data) => ({ type: 'custom', customType, data }),
    read: (entry) =>
      entry.type === 'custom' && entry.customType === customType ? shape.parse(entry.data) : undefined,
  };
}

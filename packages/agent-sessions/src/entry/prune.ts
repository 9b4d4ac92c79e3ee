import { isJsonObject, type JsonObject, type JsonValue, type ToolMessage } from '@robota-sdk/agent-core';
import type { CustomEntry, EntryDraft } from './entry.ts';

/** The custom entry that says which tool outputs the model no longer sees. */
const pruneType = 'robota.prune';

/** Which outputs left the view, and when. */
export interface Pruning {
  readonly messageIds: readonly string[];
  /** Unix milliseconds. */
  readonly at: number;
}

/** The entry that keeps a pruning, and what is to be said about it. */
export function pruningDraft({ messageIds, at }: Pruning, about: JsonObject = {}): EntryDraft {
  return { type: 'custom', customType: pruneType, data: { messageIds, at, ...about } };
}

/** The pruning an entry holds, if it holds one. */
export function pruningOf(entry: CustomEntry): Pruning | undefined {
  if (entry.customType !== pruneType || !isJsonObject(entry.data)) return undefined;
  const { messageIds, at } = entry.data;
  if (!Array.isArray(messageIds) || typeof at !== 'number') return undefined;
  return { messageIds: messageIds.filter((id: JsonValue) => typeof id === 'string'), at };
}

/** A result without its output. The new time tells that token counts measured before it no longer hold. */
export function pruned(message: ToolMessage, at: number): ToolMessage {
  const size = message.content.reduce(
    (sum, block) => sum + (block.type === 'text' ? block.text.length : 0),
    0,
  );
  const text = `[Earlier output of ${message.toolName} left out to save space (${size} characters). Run the tool again if it is needed.]`;
  return { ...message, content: [{ type: 'text', text }], timestamp: at };
}

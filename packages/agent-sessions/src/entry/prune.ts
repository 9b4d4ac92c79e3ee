import {
  type AssistantContent,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  list,
  type Message,
  number,
  object,
  record,
  text,
  type UserContent,
} from '@robota-sdk/agent-core';
import { cutMiddle } from '../window/cut-middle.ts';
import { customData } from './custom-data.ts';
import type { EntryDraft } from './entry.ts';

/** The removed content, and the time of removal. */
export interface Pruning {
  readonly messageIds: readonly string[];
  /** Unix milliseconds. */
  readonly at: number;
  /** Characters kept of each text; without it, only tool outputs are removed. */
  readonly characters?: number;
  /** Files with the whole text, by the id of the message. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The entry that stores a pruning, with details. */
export function pruningDraft(pruning: Pruning, about: JsonObject = {}): EntryDraft {
  return prunings.draft({ ...pruning, ...about });
}

/** The entries that list tool outputs hidden from the model, and messages that were shortened. */
export const prunings = customData<Pruning>('robota.prune', () =>
  object({ messageIds: list(text), at: number }, { characters: number, files: record(text) }),
);

/** A message after a pruning. Its new time invalidates earlier token counts. */
export function pruned(message: Message, pruning: Pruning): Message {
  const { at, characters } = pruning;
  if (characters !== undefined) return shortened(message, { ...pruning, characters });
  if (message.role !== 'tool') return message;
  const size = message.content.reduce(
    (sum, block) => sum + (block.type === 'text' ? block.text.length : 0),
    0,
  );
  const note = `[Earlier output of ${message.toolName} left out to save space (${size} characters). Run the tool again if it is needed.]`;
  return { ...message, content: [{ type: 'text', text: note }], timestamp: at };
}

/** The beginning and the end of each text, also of those in the arguments of calls. */
function shortened(message: Message, pruning: Pruning & { readonly characters: number }): Message {
  const { at, characters, files } = pruning;
  if (message.role === 'assistant')
    return {
      ...message,
      timestamp: at,
      content: message.content.map((block) => cutAnswer(block, characters)),
    };
  const cut = message.content.map(
    (block): UserContent =>
      block.type === 'text' ? { ...block, text: cutMiddle(block.text, characters) } : block,
  );
  const file = files?.[message.id];
  const note = `[Shortened: it did not fit the context window. The whole text is in ${file}]`;
  const content = file === undefined ? cut : [...cut, { type: 'text', text: note } as const];
  return { ...message, timestamp: at, content };
}

function cutAnswer(block: AssistantContent, characters: number): AssistantContent {
  switch (block.type) {
    case 'text':
      return { ...block, text: cutMiddle(block.text, characters) };
    case 'tool-call': {
      const { raw: _, ...call } = block;
      return {
        ...(sizeOf(block.input) > characters ? call : block),
        input: cutValue(block.input, characters),
      };
    }
    // Vendors accept their own blocks only as they made them.
    case 'thinking':
    case 'server-tool':
      return block;
  }
}

/** Keys and types are kept, so that it still matches the tool's input. */
function cutValue(value: JsonValue, characters: number): JsonValue {
  if (typeof value === 'string') return cutMiddle(value, characters);
  if (sizeOf(value) <= characters) return value;
  if (Array.isArray(value)) {
    const all: readonly JsonValue[] = value;
    const some = all.slice(0, 20);
    return some.map((item) => cutValue(item, Math.floor(characters / some.length)));
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).slice(0, 50);
  const share = Math.floor(characters / Math.max(1, Math.min(entries.length, 4)));
  return Object.fromEntries(entries.map(([key, item]) => [key, cutValue(item ?? null, share)]));
}

function sizeOf(value: JsonValue): number {
  return JSON.stringify(value).length;
}

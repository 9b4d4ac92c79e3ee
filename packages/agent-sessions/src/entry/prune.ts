import {
  type AssistantContent,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type UserContent,
} from '@robota-sdk/agent-core';
import { cutMiddle } from '../window/cut-middle.ts';
import type { CustomEntry, EntryDraft } from './entry.ts';

/** The custom entry that says which tool outputs the model no longer sees, and of which messages only a part. */
const pruneType = 'robota.prune';

/** The removed content, and the time of removal. */
export interface Pruning {
  readonly messageIds: readonly string[];
  /** Unix milliseconds. */
  readonly at: number;
  /** Characters that stay of each text; without it the outputs of tools go, and nothing else does. */
  readonly characters?: number;
  /** Files with the whole text, by the id of the message. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The entry that keeps a pruning, and what is to be said about it. */
export function pruningDraft(pruning: Pruning, about: JsonObject = {}): EntryDraft {
  return { type: 'custom', customType: pruneType, data: { ...pruning, ...about } };
}

/** The pruning an entry holds, if it holds one. */
export function pruningOf(entry: CustomEntry): Pruning | undefined {
  if (entry.customType !== pruneType || !isJsonObject(entry.data)) return undefined;
  const { messageIds, at, characters, files } = entry.data;
  if (!Array.isArray(messageIds) || typeof at !== 'number') return undefined;
  return {
    messageIds: messageIds.filter((id: JsonValue) => typeof id === 'string'),
    at,
    ...(typeof characters === 'number' ? { characters } : {}),
    ...(isJsonObject(files) ? { files: textsOf(files) } : {}),
  };
}

/** A message without what a pruning takes from it. The new time tells that token counts measured before no longer hold. */
export function pruned(message: Message, pruning: Pruning): Message {
  const { at, characters } = pruning;
  if (characters !== undefined) return shortened(message, { ...pruning, characters });
  if (message.role !== 'tool') return message;
  const size = message.content.reduce(
    (sum, block) => sum + (block.type === 'text' ? block.text.length : 0),
    0,
  );
  const text = `[Earlier output of ${message.toolName} left out to save space (${size} characters). Run the tool again if it is needed.]`;
  return { ...message, content: [{ type: 'text', text }], timestamp: at };
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

/** Its keys and types stay, so that it still is what the tool takes. */
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

function textsOf(files: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).flatMap(([id, path]) => (typeof path === 'string' ? [[id, path]] : [])),
  );
}

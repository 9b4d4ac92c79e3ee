import {
  type AssistantContent,
  type AssistantMessage,
  list,
  type Message,
  number,
  object,
  text,
  toolCallsOf,
  type UserContent,
  words,
} from '@robota-sdk/agent-core';
import { customData } from './custom-data.ts';
import type { Entry, EntryDraft } from './entry.ts';
import { isRequest } from './is-request.ts';
import { spokenContent } from './spoken-content.ts';

const editStates = ['whole', 'folded', 'dropped'] as const;

/** How a message appears in the context: unchanged, as a placeholder, or not at all. */
export type EditState = (typeof editStates)[number];

/** Changes of the user to the model's view; the originals stay in the file. */
export interface ContextEdit {
  /** Unix milliseconds. */
  readonly at: number;
  /** The new states, by the id of the message. */
  readonly states: ReadonlyMap<string, EditState>;
}

/** The entry that stores an edit. */
export function editDraft({ at, states }: ContextEdit): EntryDraft {
  const changes = [...states].map(([messageId, state]) => ({ messageId, state }));
  return edits.draft({ at, changes });
}

/** The edit in an entry, if there is one. */
export function editOf(entry: Entry): ContextEdit | undefined {
  const edit = edits.read(entry);
  return (
    edit && { at: edit.at, states: new Map(edit.changes.map(({ messageId, state }) => [messageId, state])) }
  );
}

/** The entries that store how messages appear in the context. */
const edits = customData('robota.context', () =>
  object({ at: number, changes: list(object({ messageId: text, state: words(...editStates) })) }),
);

/** True if a message can be replaced by a placeholder: results, and what the user or the program said. */
export function canFold(message: Message): boolean {
  return message.role === 'tool' || (message.role === 'user' && !isFixed(message.origin));
}

/** True if a message can be dropped: results with their calls, and additions that are not prompts. */
export function canDrop(message: Message): boolean {
  return canFold(message) && !isRequest(message);
}

/** Summaries replace other messages, and pins stay until they are removed. */
function isFixed(origin: string | undefined): boolean {
  return origin === 'summary' || origin === 'pin';
}

/** The placeholder of a message. Its new time invalidates earlier token counts. */
export function folded(message: Message, at: number): Message {
  if (!canFold(message)) return message;
  if (message.role === 'tool') {
    const note = `[Output of ${message.toolName} folded by the user (${sizeOf(message)} characters). Run the tool again if it is needed.]`;
    return { ...message, content: [{ type: 'text', text: note }], timestamp: at };
  }
  if (message.role !== 'user') return message;
  const said = isRequest(message) ? ownWords(spokenContent(message.content)) : '';
  const note = `[Folded by the user: ${sizeOf(message)} characters were here.]`;
  const text = said === '' ? note : `${said}\n\n${note}`;
  return { ...message, content: [{ type: 'text', text }], timestamp: at };
}

/** A prompt keeps its first words, so that the answer still makes sense. */
const keptCharacters = 400;

function ownWords(content: readonly UserContent[]): string {
  const [first] = content;
  if (first?.type !== 'text') return '';
  const text = first.text.trim();
  if (text.length <= keptCharacters) return text;
  return `${text.slice(0, keptCharacters).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function sizeOf({ content }: Message): number {
  return content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
}

/**
 * A conversation without dropped messages, given with their drop times by id. A result is dropped together with its
 * call, so that every remaining call has a result.
 */
export function withoutDropped(
  messages: readonly Message[],
  dropped: ReadonlyMap<string, number>,
): readonly Message[] {
  if (dropped.size === 0) return messages;
  const kept: Message[] = [];
  let latest = 0;
  for (const [index, message] of messages.entries()) {
    const at = dropped.get(message.id);
    const rest = at === undefined ? withoutCalls(message, messages, { index, dropped }) : undefined;
    if (rest === message) {
      // Vendor counts after a gap are invalid; only an earlier message can mark that.
      kept.push(kept.length === 0 && message.role !== 'assistant' ? stamped(message, latest) : message);
      continue;
    }
    latest = Math.max(latest, at ?? callTime(message, messages, { index, dropped }));
    const before = kept.pop();
    if (before) kept.push(stamped(before, latest));
    if (rest) kept.push(stamped(rest, latest));
  }
  return kept;
}

function stamped(message: Message, at: number): Message {
  return message.timestamp >= at ? message : { ...message, timestamp: at };
}

interface DroppedAround {
  readonly index: number;
  readonly dropped: ReadonlyMap<string, number>;
}

function callTime(message: Message, messages: readonly Message[], around: DroppedAround): number {
  const times = toolCallsOf(message).map(({ id }) => droppedAt(id, messages, around) ?? 0);
  return Math.max(0, ...times);
}

/** The time at which the result of a call was dropped; the same id may be used again after the next answer. */
function droppedAt(
  callId: string,
  messages: readonly Message[],
  { index, dropped }: DroppedAround,
): number | undefined {
  for (let next = index + 1; next < messages.length; next++) {
    const message = messages[next];
    if (message?.role === 'assistant' && message.content.length > 0) return undefined;
    if (message?.role === 'tool' && message.toolCallId === callId && dropped.has(message.id))
      return dropped.get(message.id);
  }
  return undefined;
}

/** An answer without the calls whose results are dropped; undefined if nothing is left. */
function withoutCalls(
  message: Message,
  messages: readonly Message[],
  around: DroppedAround,
): Message | undefined {
  if (message.role !== 'assistant') return message;
  const gone = new Set(
    toolCallsOf(message)
      .map(({ id }) => id)
      .filter((id) => droppedAt(id, messages, around) !== undefined),
  );
  if (gone.size === 0) return message;
  const content = withoutBlocks(message, gone);
  return content.length === 0 ? undefined : { ...message, content };
}

/** Vendors refuse thinking without a following block, so it is dropped with its last call. */
function withoutBlocks({ content }: AssistantMessage, gone: ReadonlySet<string>): AssistantContent[] {
  const kept: AssistantContent[] = [];
  let thoughts: AssistantContent[] = [];
  let isThinking = false;
  for (const block of content) {
    if (block.type === 'thinking') {
      if (!isThinking) thoughts = [];
      isThinking = true;
      thoughts.push(block);
      continue;
    }
    isThinking = false;
    if (block.type === 'tool-call' && gone.has(block.id)) continue;
    kept.push(...thoughts, block);
    thoughts = [];
  }
  return kept;
}

import { isJsonObject, type JsonObject, type Message, type UserMessage } from '@robota-sdk/agent-core';
import type { Entry, ShellEntry } from './entry.ts';
import { decodeUserContent } from './message-payload.ts';
import { isSentToModel, shellText } from './shell-entry.ts';
import { stableUuid } from './stable-uuid.ts';

const branchOpening =
  'Before this, the conversation went another way from here. That branch was left; this is a summary of what was done on it:';

/** True if a message summarizes an abandoned branch. */
export function isBranchSummary(message: Message): boolean {
  const [first] = message.content;
  return message.role === 'user' && first?.type === 'text' && first.text.startsWith(branchOpening);
}

/** The message for an entry without one: a branch summary, an extension's text, a command the user ran. */
export function projectEntry(entry: Entry): UserMessage | undefined {
  if (entry.type === 'branch_summary') {
    const text = `${branchOpening}\n\n<summary>\n${entry.summary}\n</summary>`;
    return entry.summary === '' ? undefined : userMessage(entry, [{ type: 'text', text }], 'reminder');
  }
  if (entry.type === 'shell') return isSentToModel(entry) ? shellMessage(entry) : undefined;
  if (entry.type !== 'opaque') return undefined;
  const { raw } = entry;
  if (raw.type === 'custom_message') return customMessage(entry, raw);
  if (raw.type !== 'message' || !isJsonObject(raw.message)) return undefined;
  const { role } = raw.message;
  return role === 'custom' || role === 'hookMessage' ? customMessage(entry, raw.message) : undefined;
}

function shellMessage(entry: ShellEntry): UserMessage {
  const message = userMessage(entry, [{ type: 'text', text: shellText(entry) }], 'reminder');
  return entry.message ? { ...message, ...entry.message } : message;
}

function customMessage(entry: Entry, { content }: JsonObject): UserMessage | undefined {
  const blocks = decodeUserContent(content);
  return blocks.length === 0 ? undefined : userMessage(entry, blocks, 'command');
}

function userMessage(
  { id, timestamp }: Entry,
  content: UserMessage['content'],
  origin: NonNullable<UserMessage['origin']>,
): UserMessage {
  return {
    id: stableUuid(id, timestamp),
    parentId: null,
    timestamp: Date.parse(timestamp) || 0,
    role: 'user',
    content,
    origin,
  };
}

import { isJsonObject, type JsonObject, type Message, type UserMessage } from '@robota-sdk/agent-core';
import type { Entry } from './entry.ts';
import { decodeUserContent } from './message-payload.ts';
import { stableUuid } from './stable-uuid.ts';

const branchOpening =
  'Before this, the conversation went another way from here. That branch was left; this is a summary of what was done on it:';

/** Whether a message tells what was done on a branch that was left. */
export function isBranchSummary(message: Message): boolean {
  const [first] = message.content;
  return message.role === 'user' && first?.type === 'text' && first.text.startsWith(branchOpening);
}

/** The message that an entry which holds none stands for: the summary of a branch, a text of an extension, a command run by hand. */
export function projectEntry(entry: Entry): UserMessage | undefined {
  if (entry.type === 'branch_summary') {
    const text = `${branchOpening}\n\n<summary>\n${entry.summary}\n</summary>`;
    return entry.summary === '' ? undefined : userMessage(entry, [{ type: 'text', text }], 'reminder');
  }
  if (entry.type !== 'opaque') return undefined;
  const { raw } = entry;
  if (raw.type === 'custom_message') return customMessage(entry, raw);
  if (raw.type !== 'message' || !isJsonObject(raw.message)) return undefined;
  const { role } = raw.message;
  if (role === 'custom' || role === 'hookMessage') return customMessage(entry, raw.message);
  return role === 'bashExecution' ? bashMessage(entry, raw.message) : undefined;
}

function customMessage(entry: Entry, { content }: JsonObject): UserMessage | undefined {
  const blocks = decodeUserContent(content);
  return blocks.length === 0 ? undefined : userMessage(entry, blocks, 'command');
}

function bashMessage(entry: Entry, payload: JsonObject): UserMessage | undefined {
  const { command, output, exitCode, cancelled, excludeFromContext } = payload;
  if (typeof command !== 'string' || excludeFromContext === true) return undefined;
  const end = cancelled === true ? 'It was cancelled.' : exitText(exitCode);
  const text = shellText(command, typeof output === 'string' ? output : '', end);
  return userMessage(entry, [{ type: 'text', text }], 'command');
}

/** How a model is told of a command that a person ran; `end` says how it ended, where that has to be said. */
export function shellText(command: string, output: string, end = ''): string {
  const shown = output.trimEnd();
  const fence = fenceFor(shown);
  const body = shown === '' ? 'There was no output.' : `${fence}\n${shown}\n${fence}`;
  const text = [`The user ran \`${command}\` in the shell.`, body, end].filter((part) => part !== '');
  return text.join('\n');
}

function exitText(exitCode: unknown): string {
  return typeof exitCode === 'number' && exitCode !== 0 ? `It ended with exit code ${exitCode}.` : '';
}

/** A fence that no line of the text can close. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([ticks]) => ticks.length));
  return '`'.repeat(longest + 1);
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

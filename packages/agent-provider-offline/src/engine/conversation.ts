import {
  type Message,
  type TextContent,
  type ToolCallContent,
  textOf,
  toolCallsOf,
  type UserContent,
  type UserMessage,
} from '@robota-sdk/agent-core';
import { type CallResult, lostResult } from './plan.ts';

/** The calls of one assistant message with what came back. */
interface Exchange {
  readonly calls: readonly ToolCallContent[];
  readonly results: readonly CallResult[];
}

/** The last prompt, and the calls made for it so far. */
export interface OfflineConversation {
  readonly request: string;
  /** Text that came with the request: standard input, pasted logs. */
  readonly attached: readonly string[];
  readonly exchanges: readonly Exchange[];
}

const longPasteLines = 8;
const longestRequest = 400;

/** Reads the current job off the messages. */
export function readConversation(messages: readonly Message[]): OfflineConversation {
  const start = messages.findLastIndex(isRequest);
  const asked = messages[start];
  if (asked?.role !== 'user') return { request: '', attached: [], exchanges: [] };
  const since = messages.slice(start + 1);
  return { ...splitRequest(asked), exchanges: exchangesOf(since) };
}

const notRequests: ReadonlySet<UserMessage['origin']> = new Set(['reminder', 'summary', 'pin', 'recall']);

/** Reminders alone, such as that a process was started again, leave the request as it is. */
function isRequest(message: Message): boolean {
  if (message.role !== 'user' || notRequests.has(message.origin)) return false;
  const { request, attached } = splitRequest(message);
  return request !== '' || attached.length > 0;
}

function exchangesOf(messages: readonly Message[]): readonly Exchange[] {
  const results = new Map<string, CallResult>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    const text = textOf(message.content.filter((part) => !isInstruction(part)));
    results.set(message.toolCallId, {
      text,
      isError: message.isError,
      denied: message.status === 'denied',
    });
  }
  return messages
    .map(toolCallsOf)
    .filter((calls) => calls.length > 0)
    .map((calls) => ({ calls, results: calls.map((call) => results.get(call.id) ?? lostResult) }));
}

/** Instructions of a folder come with the result of a call there; they are none of what the tool said. */
function isInstruction(part: UserContent): boolean {
  return part.type === 'text' && part.text.startsWith('<project_instructions ');
}

function splitRequest(message: UserMessage): { request: string; attached: readonly string[] } {
  const attached: string[] = [];
  const texts = message.content
    .filter((block): block is TextContent => block.type === 'text')
    .map((block) => withoutTags(block.text, attached).trim())
    .filter((text) => text !== '');
  const index = texts.findLastIndex((text) => text.length <= longestRequest);
  const chosen = texts[index];
  if (chosen === undefined || texts.length === 1) {
    const [first = '', ...others] = texts;
    const { request, rest } = firstOrLastParagraph(first);
    return { request, attached: [...attached, ...rest, ...others] };
  }
  return { request: chosen, attached: [...attached, ...texts.filter((_, at) => at !== index)] };
}

/** Takes `<stdin>…</stdin>` and its like out of a text; reminders of the program itself are dropped. */
function withoutTags(text: string, attached: string[]): string {
  const lastEnds = new Map([...text.matchAll(/<\/([a-z][\w-]*)>/g)].map(({ 1: tag, index }) => [tag, index]));
  let rest = '';
  let from = 0;
  for (const { 0: opening, 1: tag = '', index } of text.matchAll(/<([a-z][\w-]*)(?:\s[^<>]*)?>\n/g)) {
    const start = index + opening.length;
    if (index < from || (lastEnds.get(tag) ?? -1) < start) continue;
    const end = text.indexOf(`</${tag}>`, start);
    if (tag !== 'system-reminder') attached.push(text.slice(start, end));
    rest += text.slice(from, index);
    from = end + `</${tag}>`.length;
  }
  return rest + text.slice(from);
}

function firstOrLastParagraph(text: string): { request: string; rest: readonly string[] } {
  if (text.split('\n').length <= longPasteLines) return { request: text, rest: [] };
  const first = /^(.+)\n\s*\n([\s\S]+)$/.exec(text);
  if (first?.[1] && first[2] && first[1].length <= longestRequest)
    return { request: first[1], rest: [first[2]] };
  const lines = text.split('\n');
  const last = lines.at(-1) ?? '';
  if (lines.at(-2)?.trim() === '' && last !== '' && last.length <= longestRequest)
    return { request: last, rest: [lines.slice(0, -2).join('\n')] };
  return { request: text, rest: [] };
}
